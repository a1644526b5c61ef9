// What the doctor says of the queues, their store, and the processes that work on them.

import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { examineProcesses } from '../../src/doctor/examine-processes.ts'
import { examineQueues, storeFaults } from '../../src/doctor/examine-queues.ts'
import { openLog } from '../../src/log.ts'
import { jobKind, QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { keepSchedulers } from '../../src/upkeep/keep-schedulers.ts'
import { openWorld, type World } from '../../src/world.ts'
import { insertHeartbeat } from '../support/heartbeats.ts'
import { privateRedis } from '../support/redis.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const ROUNDS = QUEUE_NAMES.filter((name) => jobKind(name).comesRound !== undefined)

let service: TestService
let world: World

beforeAll(async () => {
  // A heartbeat of a test is of one moment, and the test may take its time.
  const timings = { heartbeatEveryMs: 60_000 }
  service = await openTestService({ queues: [], backend: 'postgres', timings })
  world = service.world
})
beforeEach(async () => {
  await world.db.prisma.processHeartbeat.deleteMany()
  await Promise.all(QUEUE_NAMES.map((name) => world.queues.queue(name).drain()))
})
afterAll(() => service.close())

const item = () => ({ accountId: world.newId(), id: world.newId(), requestId: 'x' })
const addCharge = () => world.queues.queue('charge').add('charge', { items: [item()] })

/** Of the queues and their store; of what comes round there is a test of its own. */
const faultsOf = async (of: World = world) =>
  (await examineQueues(of)).filter(({ state, subject }) => state !== 'good' && subject !== 'rounds')

describe('the doctor', () => {
  it('finds queues well that nothing waits in', async () => {
    await insertHeartbeat(world, { role: 'api', queues: [] })
    expect(await examineQueues(world)).toEqual([
      {
        subject: 'queues (postgres)',
        state: 'good',
        says: expect.stringContaining('charge 0 waiting 0 active 0 failed, refund 0'),
      },
    ])
  })

  it.each([
    ['nobody at all', []],
    ['only an intake', [{ role: 'api', queues: [] }]],
    ['only who works on another queue', [{ queues: ['email'] }]],
    ['only who is about to end', [{ isDraining: true }]],
    ['only who was last seen long ago', [{ seenAt: new Date(0) }]],
  ])('minds a queue with work and %s for it', async (_what, heartbeats) => {
    for (const heartbeat of heartbeats) await insertHeartbeat(world, heartbeat)
    await addCharge()
    expect(await faultsOf()).toEqual([
      {
        subject: 'queues (postgres)',
        state: 'bad',
        says: '1 job waits in charge, and no process works on it',
        remedy: 'Start one that does: lamplighter worker charge.',
      },
    ])
  })

  it('minds work that waits for long, though somebody is there', async () => {
    await addCharge()
    const clock = { ...world.clock, now: () => new Date(Date.now() + 150_000) }
    const later = { ...world, clock }
    await insertHeartbeat(later)
    expect((await faultsOf(later))[0]).toMatchObject({
      state: 'bad',
      says: expect.stringMatching(/^1 job waits in charge, the oldest for 2 minutes$/),
      remedy: expect.stringContaining('/admin/queues'),
    })
  })

  it('finds jobs odd that failed, and says where to see why', async () => {
    await insertHeartbeat(world)
    const queue = world.queues.queue('retention')
    await queue.add('retention', { items: [] }, { attempts: 1 })
    const worker = world.queues.work('retention', async () => {
      throw new Error('as it happens')
    })
    await new Promise((resolve) => worker.once('failed', resolve))
    await worker.close()
    expect(await faultsOf()).toEqual([
      {
        subject: 'queues (postgres)',
        state: 'odd',
        says: '1 job of retention failed',
        remedy: expect.stringContaining('/admin/queues/queue/retention'),
      },
    ])
    await queue.clean(0, 10, 'failed')
    expect(await faultsOf()).toEqual([])
  })

  it('minds what does not come round any more, where somebody works', async () => {
    await keepSchedulers(world)
    expect(await roundsOf()).toBeUndefined()
    await insertHeartbeat(world)
    const well = { state: 'good', says: `${ROUNDS.join(', ')} come round` }
    expect(await roundsOf()).toMatchObject(well)
    await world.queues.queue('sweep').removeJobScheduler('sweep')
    expect(await roundsOf()).toEqual({
      subject: 'rounds',
      state: 'bad',
      says: 'nothing makes sweep come round',
      remedy: expect.any(String),
    })
    await keepSchedulers(world)
    expect(await roundsOf()).toMatchObject(well)
  })
})

const roundsOf = async () =>
  (await examineQueues(world)).find(({ subject }) => subject === 'rounds')

describe('the doctor of processes', () => {
  it.each([
    ['none', [], 'odd', 'none runs'],
    ['all in one', [{ role: 'start' }], 'good', '1 start process, of version 1.0.0'],
    [
      'an intake and two workers',
      [{ role: 'api', queues: [] }, {}, {}],
      'good',
      '1 api process, 2 worker processes, of version 1.0.0',
    ],
    [
      'an intake alone',
      [{ role: 'api', queues: [] }],
      'odd',
      'an API server runs, but no worker: what it accepts stays PENDING',
    ],
    [
      'two versions',
      [{}, { version: '1.1.0' }, {}],
      'odd',
      'several versions run: 2 processes of 1.0.0, 1 process of 1.1.0',
    ],
    [
      'a clock that is off',
      [{}, { host: 'there', pid: 7, clockSkewMs: 7_200_000 }],
      'bad',
      "the clock of the worker on there (process 7) is 2 hours ahead of the database's: it takes no work",
    ],
  ])('sees %s', async (_what, heartbeats, state, says) => {
    for (const heartbeat of heartbeats) await insertHeartbeat(world, heartbeat)
    expect(await examineProcesses(world)).toMatchObject([{ subject: 'processes', state, says }])
  })
})

describe('the doctor of Redis', () => {
  async function redisWorld(options: readonly string[]) {
    const redis = await privateRedis(options)
    const config = readConfig({ REDIS_URL: redis.url })
    const { databaseUrl } = service
    const opened = openWorld({
      config,
      databaseUrl,
      log: openLog('silent'),
      timings: world.timings,
    })
    onTestFinished(async () => {
      await opened.close()
      await redis.close()
    })
    return { redis, opened }
  }

  it('finds one well that evicts nothing and keeps a journal', async () => {
    const { opened } = await redisWorld(['--appendonly', 'yes'])
    const [first, ...others] = await examineQueues(opened)
    expect(first).toMatchObject({
      subject: 'redis',
      state: 'good',
      says: expect.stringMatching(/^Redis [\d.]+, [\d.]+ [kM]B in use, answers within \d+ ms$/),
    })
    expect(others.map(({ state }) => state)).toEqual(['good'])
  })

  it.each([
    [['--appendonly', 'no'], 'redis', 'odd', /^keeps nothing over a restart/],
    [['--appendonly', 'no', '--save', '60 1'], 'redis', 'odd', /^keeps only snapshots/],
    [['--maxmemory', '1200000'], 'redis', 'bad', /^[\d.]+ [kM]B of 1\.2 MB are in use/],
    [
      ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'],
      'queues (redis)',
      'bad',
      /allkeys-lru.*loses jobs/,
    ],
  ])('minds %j', async (options, subject, state, says) => {
    const { opened } = await redisWorld(options)
    expect(await faultsOf(opened)).toContainEqual({
      subject,
      state,
      says: expect.stringMatching(says),
      remedy: expect.any(String),
    })
  })

  it('minds one that is a replica', async () => {
    const primary = await privateRedis()
    onTestFinished(() => primary.close())
    const { redis, opened } = await redisWorld(['--appendonly', 'yes'])
    const client = new Redis(redis.port, '127.0.0.1')
    await client.replicaof('127.0.0.1', primary.port)
    client.disconnect()
    expect(await faultsOf(opened)).toContainEqual(
      expect.objectContaining({ state: 'bad', says: expect.stringContaining('a replica') }),
    )
  })

  it('minds one that is away', async () => {
    const { redis, opened } = await redisWorld([])
    await redis.stop()
    expect(await faultsOf(opened)).toEqual([
      {
        subject: 'queues (redis)',
        state: 'bad',
        says: 'cannot be reached',
        remedy: expect.stringContaining('REDIS_URL'),
      },
    ])
  })

  const WELL = {
    version: '7.2.4',
    usedBytes: 1,
    mostBytes: 0,
    keepsJournal: true,
    keepsSnapshots: false,
    role: 'master',
    clusterState: 'ok',
    roundTripMs: 1,
  }

  it.each([
    [{}, undefined],
    [{ version: '6.2.0' }, undefined],
    [{ version: '6.0.16' }, /older than BullMQ/],
    [{ clusterState: 'fail' }, /the cluster is in state fail/],
    [{ roundTripMs: 45.2 }, /takes 45 ms/],
  ])('minds, of what cannot be had here: %j', (told, says) => {
    const faults = storeFaults({ ...WELL, ...told }).filter((fault) => fault !== undefined)
    expect(faults.map((fault) => fault.says)).toEqual(
      says === undefined ? [] : [expect.stringMatching(says)],
    )
  })
})
