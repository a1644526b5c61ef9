// How many jobs wait in the queues, and for how long, on either store. Each test has its own queue.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { QUEUE_NAMES, type QueueName } from '../../src/queue/catalogue.ts'
import { queueDepths } from '../../src/upkeep/queue-depths.ts'
import { type MovableClock, movableClock } from '../support/end-windows.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const SECOND = 1_000

let service: TestService
let clock: MovableClock

beforeAll(async () => {
  clock = movableClock()
  service = await openTestService({ queues: [], clock })
})
afterAll(() => service.close())

const EMPTY = { waiting: 0, active: 0, delayed: 0, failed: 0, oldestWaitingMs: null }

const item = () => ({
  accountId: service.world.newId(),
  id: service.world.newId(),
  requestId: 'test',
})

async function depth(queue: QueueName) {
  const found = (await queueDepths(service.world)).find((one) => one.queue === queue)
  if (found === undefined) throw new Error(`${queue} is left out`)
  return found
}

async function nudge(queue: QueueName, delay = 0): Promise<void> {
  await service.world.queues.queue(queue).add(queue, { items: [item()] }, { delay, attempts: 1 })
}

describe('the depth of a queue', () => {
  it('is zero when nothing waits', async () => {
    expect(await queueDepths(service.world)).toEqual(
      QUEUE_NAMES.map((queue) => ({ queue, ...EMPTY })),
    )
  })

  it('counts waiting jobs from the first on, also while the queue is paused', async () => {
    await nudge('clock')
    clock.move(3 * SECOND)
    await nudge('clock')
    const waiting = { ...EMPTY, queue: 'clock', waiting: 2, oldestWaitingMs: expect.any(Number) }
    expect(await depth('clock')).toEqual(waiting)
    expect((await depth('clock')).oldestWaitingMs).toBeGreaterThanOrEqual(3 * SECOND)
    await service.world.queues.queue('clock').pause()
    expect(await depth('clock')).toEqual(waiting)
    expect((await depth('clock')).oldestWaitingMs).toBeGreaterThanOrEqual(3 * SECOND)
  })

  it('counts delayed jobs and active jobs apart', async () => {
    await nudge('refund', 2 * SECOND)
    expect(await depth('refund')).toEqual({ ...EMPTY, queue: 'refund', delayed: 1 })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    service.world.queues.work('refund', () => held)
    await expect.poll(() => depth('refund')).toEqual({ ...EMPTY, queue: 'refund', active: 1 })
    release()
    await expect.poll(() => depth('refund')).toEqual({ ...EMPTY, queue: 'refund' })
  })

  it('counts what has failed for good', async () => {
    service.world.queues.work('doubt', () => Promise.reject(new Error('a fault of ours')))
    await nudge('doubt')
    await expect.poll(() => depth('doubt')).toEqual({ ...EMPTY, queue: 'doubt', failed: 1 })
  })
})

// The one store that holds the rows themselves cannot be taken away.
describe.runIf(inject('backend') === 'redis')('with Redis away', () => {
  it('the reader waits only briefly, and nothing is made up', async () => {
    await service.redis?.stop()
    const startedMs = performance.now()
    await expect(queueDepths(service.world)).rejects.toThrow()
    expect(performance.now() - startedMs).toBeLessThan(4 * SECOND)
  })
})
