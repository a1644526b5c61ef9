// The queue store is away, flushed, or not there yet: the rows say what is due, and it gets done.

import { Redis } from 'ioredis'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { redisEngine } from '../../src/queue/redis-engine.ts'
import { checkWorkerReadiness } from '../../src/upkeep/check-readiness.ts'
import { keepSchedulers } from '../../src/upkeep/keep-schedulers.ts'
import { WORKERS } from '../../workers/index.ts'
import { processorOf } from '../../workers/run.ts'
import { audit, type JournalEntry } from '../chaos/audit.ts'
import { NO_FAULTS } from '../chaos/fault-rates.ts'
import { chargeForJournal } from '../chaos/journal.ts'
import { startLoad } from '../chaos/load.ts'
import { type Processes, startProcesses } from '../chaos/processes.ts'
import { freePort } from '../chaos/proxies.ts'
import { seeded } from '../chaos/random.ts'
import { isWorkPending, readRunFigures } from '../chaos/run-figures.ts'
import { environmentOf, introduce } from '../chaos/setting.ts'
import { openStores, type Stores } from '../chaos/stores.ts'
import { flushQueues } from '../support/flush-queues.ts'
import { openFurther } from '../support/further.ts'
import { privateRedis } from '../support/redis.ts'
import { soon } from '../support/soon.ts'
import { openTestService, type ServiceOptions, type TestService } from '../support/test-service.ts'

const backend = inject('backend')

const LONG_TEST = { timeout: 120_000 }
const PATIENCE = { timeout: 30_000, interval: 50 }

const SHORT_WAIT = { CHARGE_WAIT_MS: '200ms' }

/** The one store that holds the rows themselves cannot be taken away. */
const describeOnRedis = backend === 'redis' ? describe : () => undefined

describeOnRedis('Redis that evicts keys', () => {
  it.each([
    ['allkeys-lru', /maxmemory-policy is allkeys-lru.*set it to noeviction/],
    ['noeviction', undefined],
  ])('with %s is refused, and only then', async (policy, refusal) => {
    const redis = await privateRedis(['--maxmemory-policy', policy])
    const engine = redisEngine(
      { kind: 'single', url: redis.url },
      () => {},
      async () => 'this',
    )
    try {
      if (refusal === undefined) await expect(engine.probe()).resolves.toBeUndefined()
      else await expect(engine.probe()).rejects.toThrow(refusal)
    } finally {
      await engine.close()
      await redis.close()
    }
  })
})

describeOnRedis('Redis that is full', () => {
  it('is asked once a second for a job, which is made when it has room', LONG_TEST, async () => {
    const redis = await privateRedis()
    const errors: string[] = []
    const engine = redisEngine(
      { kind: 'single', url: redis.url },
      () => {},
      async () => 'this',
    )
    const queue = engine.openQueue('charge', {})
    await queue.add('charge', { items: [] })
    await redis.limitMemory('1')
    let made = 0
    const worker = engine.openWorker('charge', async () => void made++, { concurrency: 3 })
    worker.on('error', ({ message }) => errors.push(message))
    try {
      await expect.poll(() => errors.length, PATIENCE).toBeGreaterThan(2)
      // Without a wait it is asked some thousand times a second.
      expect(errors.length).toBeLessThan(10)
      expect(errors[0]).toMatch(/OOM/)
      await redis.limitMemory('0')
      await expect.poll(() => made, PATIENCE).toBe(1)
    } finally {
      await worker.close()
      await queue.close()
      await engine.close()
      await redis.close()
    }
  })
})

describeOnRedis('a worker whose Redis takes no jobs', () => {
  it.each([
    ['CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0', /^Redis takes no jobs: OOM /],
    ['ACL SETUSER default -eval', 'ACL SETUSER default +eval', /^Redis takes no jobs: NOPERM /],
  ])('is not ready after %s, and says why', LONG_TEST, async (refuse, admit, why) => {
    await using service = await openTestService({ queues: [] })
    const admin = new Redis(service.redis?.url ?? '')
    onTestFinished(() => admin.disconnect())
    const order = (line: string) => {
      const [command = '', ...words] = line.split(' ')
      return admin.call(command, ...words)
    }
    expect(await checkWorkerReadiness(service.world)).toBe(undefined)
    await order(refuse)
    expect(await checkWorkerReadiness(service.world)).toMatch(why)
    await order(admit)
    expect(await checkWorkerReadiness(service.world)).toBe(undefined)
  })
})

describeOnRedis('with Redis away', () => {
  it('the API server takes charges, and they complete when it is back', LONG_TEST, async () => {
    const { service, charge } = await openCharging({ settings: SHORT_WAIT })
    await using _service = service
    await service.redis?.stop()
    const waited = await charge()
    const unwaited = await charge({ isAtOnce: true })
    expect([waited.status, unwaited.status]).toEqual(['PENDING', 'PENDING'])
    await service.redis?.start()
    await expectAllMade(service, [waited, unwaited])
  })

  it('an API server that starts takes charges', LONG_TEST, async () => {
    const { service, charge } = await openCharging({ settings: SHORT_WAIT })
    await using _service = service
    await service.redis?.stop()
    await using further = await openFurther(service)
    const charged = await charge({ app: further.app })
    expect(charged.status).toBe('PENDING')
    await service.redis?.start()
    await expectAllMade(service, [charged])
  })
})

describe('a queue that is flushed', () => {
  it('with jobs waiting loses none of the charges', LONG_TEST, async () => {
    const { service, charge } = await openCharging({ queues: [] })
    await using _service = service
    const charged = await Promise.all(Array.from({ length: 20 }, () => charge({ isAtOnce: true })))
    await soon(async () => expect(await waitingIn(service)).toBeGreaterThan(0))
    await flushQueues(service, 'everything')
    expect(await waitingIn(service)).toBe(0)
    work(service)
    await expectAllMade(service, charged)
  })

  it('gets its scheduler back, even if only the next job was removed', LONG_TEST, async () => {
    // No worker runs, or it might make the next job while the others are removed.
    await using service = await openTestService({ queues: [], timings: { jobLockMs: 500 } })
    const { queues } = service.world
    await keepSchedulers(service.world)
    const sweeps = async () => {
      const counts = await queues.queue('sweep').getJobCounts('waiting', 'active', 'delayed')
      return Object.values(counts).reduce((all, count) => all + count, 0)
    }
    expect(await sweeps()).toBe(1)
    await flushQueues(service, 'jobs')
    expect(await sweeps()).toBe(0)
    await soon(async () => {
      await keepSchedulers(service.world)
      expect(await sweeps()).toBe(1)
    })
  })
})

describe('processes that start before their queue store', () => {
  it('work when it is there', LONG_TEST, async () => {
    await using started = await startWithoutQueues()
    if (backend === 'postgres') {
      // Without a database a process ends, and its supervisor starts it anew.
      await soon(() => expect(started.processes.gaveUp()).toBeGreaterThan(0))
      await started.stores.startDatabase()
    }
    await started.processes.api.ready()
    const load = startLoad({ ...(await introduce(started.address)), random: seeded(1), callers: 2 })
    await load.next(6, PATIENCE.timeout)
    if (backend === 'redis') {
      // The API server needs no queue, but no worker makes what it takes.
      expect(load.journal.filter(({ status }) => status !== 'PENDING')).toEqual([])
      await started.stores.startRedis()
    }
    await load.settle(PATIENCE.timeout)
    expect(load.journal.length).toBeGreaterThan(5)
    expect(load.strange).toEqual([])
    expect(await audit(started.stores.databaseUrl, load.journal)).toEqual([])
  })
})

async function openCharging(options: ServiceOptions) {
  const service = await openTestService(options)
  const merchant = await service.merchant()
  const card = await service.card(merchant)
  const charge = ({ isAtOnce = false, app = service.app } = {}) =>
    chargeForJournal(app, merchant, { card, cents: 12_50, isAtOnce })
  return { service, charge }
}

/** A worker process does this all along: a store that lost its schedulers gets them back. */
async function expectAllMade(
  service: TestService,
  charged: readonly JournalEntry[],
): Promise<void> {
  await soon(async () => {
    await keepSchedulers(service.world)
    expect(await isWorkPending(service.databaseUrl)).toBe(false)
  })
  expect(await audit(service.databaseUrl, charged)).toEqual([])
  expect(await readRunFigures(service.databaseUrl)).toMatchObject({ succeeded: charged.length })
}

async function waitingIn(service: TestService): Promise<number> {
  const { waiting = 0 } = await service.world.queues.queue('charge').getJobCounts('waiting')
  return waiting
}

function work({ world }: TestService): void {
  for (const queue of QUEUE_NAMES) {
    world.queues.work(queue, processorOf(world, queue, WORKERS[queue]))
  }
}

/** Starts processes while their queue store is away. */
async function startWithoutQueues(): Promise<LateStores> {
  const stores = await openStores(backend)
  await (backend === 'redis' ? stores.stopRedis() : stores.stopDatabase('stop'))
  const port = await freePort()
  const environment = environmentOf(stores, port)
  const processes = startProcesses({
    environment,
    workers: 1,
    seed: 1,
    faultRates: NO_FAULTS,
    logFd: 2,
  })
  return {
    stores,
    processes,
    address: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await processes.close()
      await stores.close()
    },
  }
}

interface LateStores extends AsyncDisposable {
  readonly stores: Stores
  readonly processes: Processes
  readonly address: string
}
