// A worker that is stuck is ended by its supervisor, and a worker that is not stuck must not be.
// Each test has a queue to itself.

import { EventEmitter } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { noShutdownYet } from '../../src/core/shutdown.ts'
import { QUEUE_NAMES, type QueueName } from '../../src/queue/catalogue.ts'
import type { JobProcessor, JobWorker } from '../../src/queue/engine.ts'
import {
  type Liveness,
  LONGEST_JOB_MS,
  STUCK_MS,
  watchLiveness,
} from '../../src/upkeep/worker-liveness.ts'
import type { World } from '../../src/world.ts'
import { type MovableClock, movableClock } from '../support/end-windows.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** A little longer than a worker may stand still. */
const TOO_LONG_MS = STUCK_MS + 1_000

let service: TestService
let clock: MovableClock
let liveness: Liveness
let name: QueueName

const free = [...QUEUE_NAMES]

beforeAll(async () => {
  clock = movableClock()
  service = await openTestService({ queues: [], clock })
})
beforeEach(() => {
  clock.move(Date.now() - clock.now().getTime())
  liveness = watchLiveness(service.world)
  name = free.pop() ?? 'charge'
})
afterAll(() => service.close())

const whatIsStuck = () => liveness.whatIsStuck()

const stuck = () => `nothing is done of: ${name}`

const queue = () => service.world.queues.queue(name)

const nudge = (delay = 0) => queue().add(name, { items: [] }, { delay, attempts: 5 })

/** Starts a worker that takes one job at a time. */
function work(processor: JobProcessor = async () => {}) {
  const worker = service.world.queues.work(name, processor)
  worker.concurrency = 1
  liveness.watch(worker)
  return worker
}

/** A worker that receives no more jobs. */
function wedge(): EventEmitter {
  const worker = Object.assign(new EventEmitter(), { name })
  liveness.watch(worker as unknown as JobWorker)
  return worker
}

describe('a worker is stuck', () => {
  it('when a job waits that it could take, until it moves again', async () => {
    const worker = wedge()
    await nudge()
    expect(await whatIsStuck()).toBeUndefined()
    clock.move(STUCK_MS - 1_000)
    expect(await whatIsStuck()).toBeUndefined()
    clock.move(2_000)
    expect(await whatIsStuck()).toBe(stuck())
    worker.emit('active', { id: '1' })
    expect(await whatIsStuck()).toBeUndefined()
  })

  it('when it does not even notice a job that has fallen due', async () => {
    wedge()
    await nudge(60_000)
    clock.move(TOO_LONG_MS)
    expect(await whatIsStuck()).toBeUndefined()
    clock.move(60_000)
    expect(await whatIsStuck()).toBe(stuck())
  })

  it('when its job never ends, and another waits behind it', async () => {
    const held = holding()
    work(() => held.promise)
    await nudge()
    await expect.poll(() => queue().getActiveCount()).toBe(1)
    await nudge()
    clock.move(LONGEST_JOB_MS - 1_000)
    expect(await whatIsStuck()).toBeUndefined()
    clock.move(2_000)
    expect(await whatIsStuck()).toBe(stuck())
    held.end()
  })
})

describe('a worker is not stuck', () => {
  it('in an idle service', async () => {
    wedge()
    clock.move(TOO_LONG_MS)
    expect(await whatIsStuck()).toBeUndefined()
  })

  it('while its queue is paused', async () => {
    wedge()
    await queue().pause()
    await nudge()
    clock.move(TOO_LONG_MS)
    expect(await whatIsStuck()).toBeUndefined()
    await queue().resume()
    expect(await whatIsStuck()).toBe(stuck())
  })

  it('when every job of it fails', async () => {
    work(() => Promise.reject(new Error('a fault of ours')))
    clock.move(TOO_LONG_MS)
    await nudge()
    await expect.poll(() => queue().getDelayedCount()).toBe(1)
    expect(await whatIsStuck()).toBeUndefined()
  })

  it('while its process is ending', async () => {
    const shutdown = noShutdownYet()
    liveness = watchLiveness({ ...service.world, shutdown })
    wedge()
    await nudge()
    clock.move(TOO_LONG_MS)
    expect(await whatIsStuck()).toBe(stuck())
    shutdown.begin()
    expect(await whatIsStuck()).toBeUndefined()
  })

  it('while the store does not answer, which is said within the second that a probe has', async () => {
    const never = new Proxy({}, { get: () => () => new Promise(() => {}) })
    const queues = { ...service.world.queues, queue: () => never }
    liveness = watchLiveness({ ...service.world, queues } as unknown as World)
    wedge()
    clock.move(TOO_LONG_MS)
    const startedMs = performance.now()
    expect(await whatIsStuck()).toBeUndefined()
    // Half a second for a busy machine.
    expect(performance.now() - startedMs).toBeLessThan(1_500)
  })

  it.runIf(inject('backend') === 'redis')('while the store is away', async () => {
    wedge()
    await nudge()
    clock.move(TOO_LONG_MS)
    expect(await whatIsStuck()).toBe(stuck())
    await service.redis?.stop()
    expect(await whatIsStuck()).toBeUndefined()
  })
})

function holding() {
  let end = () => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { promise, end }
}
