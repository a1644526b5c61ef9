// The doctor's findings about the queues, their store, and their worker processes.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { findingsOf } from '../../src/doctor/check.ts'
import { checkQueues, redisProblems } from '../../src/doctor/check-queues.ts'
import { checkProcesses } from '../../src/doctor/check-work.ts'
import { openLog } from '../../src/log.ts'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { keepSchedulers } from '../../src/upkeep/keep-schedulers.ts'
import { openWorld, type World } from '../../src/world.ts'
import { ownCertificate } from '../support/certificate.ts'
import { insertHeartbeat } from '../support/heartbeats.ts'
import { privateRedis } from '../support/redis.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let world: World

beforeAll(async () => {
  // A heartbeat of a test is from one moment, and the test may run for longer.
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

/** Findings about the queues and their store; another test covers the schedulers. */
const faultsOf = async (of: World = world) =>
  (await findingsOf(checkQueues, of)).filter(
    ({ state, says }) => state !== 'ok' && !says.startsWith('the recurring job'),
  )

describe('the doctor', () => {
  it('finds queues without waiting jobs in order', async () => {
    await insertHeartbeat(world, { role: 'api', queues: [] })
    expect(await findingsOf(checkQueues, world)).toEqual([
      { subject: 'queues (postgres)', state: 'ok', says: 'no job waits' },
    ])
  })

  it.each([
    ['no process at all', []],
    ['only an API server', [{ role: 'api', queues: [] }]],
    ['only who works on another queue', [{ queues: ['email'] }]],
    ['only who is about to end', [{ isDraining: true }]],
    ['only who was last seen long ago', [{ seenAt: new Date(0) }]],
  ])('reports a queue with work and %s for it', async (_what, heartbeats) => {
    for (const heartbeat of heartbeats) await insertHeartbeat(world, heartbeat)
    await addCharge()
    expect(await faultsOf()).toEqual([
      {
        subject: 'queues (postgres)',
        state: 'fault',
        says: '1 job waits in charge, and no process works on it',
        remedy: 'Start one that does: lamplighter worker charge.',
      },
    ])
  })

  it('reports work that waits for long, though a worker is there', async () => {
    await addCharge()
    const clock = { ...world.clock, now: () => new Date(Date.now() + 150_000) }
    const later = { ...world, clock }
    await insertHeartbeat(later)
    expect((await faultsOf(later))[0]).toMatchObject({
      state: 'fault',
      says: expect.stringMatching(/^1 job waits in charge, the oldest for 2 minutes$/),
      remedy: expect.stringContaining('/admin/queues'),
    })
  })

  it('reports failed jobs of the last hour as a warning, and where to see the reason', async () => {
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
        state: 'warning',
        says: '1 job of retention failed within the last hour',
        remedy: expect.stringContaining('/admin/queues/queue/retention'),
      },
    ])
    const now = () => new Date(Date.now() + 61 * 60_000)
    expect(await faultsOf({ ...world, clock: { ...world.clock, now } })).toEqual([])
    await queue.clean(0, 10, 'failed')
  })

  it('reports a scheduler without a next job while workers run', async () => {
    await keepSchedulers(world)
    await insertHeartbeat(world)
    expect(await findingsOf(checkQueues, world)).toMatchObject([{ state: 'ok' }])
    await world.queues.queue('sweep').removeJobScheduler('sweep')
    const says = 'the recurring job of sweep is late or not scheduled'
    expect(await findingsOf(checkQueues, world)).toMatchObject([{ state: 'fault', says }])
    await world.db.prisma.processHeartbeat.deleteMany()
    expect(await findingsOf(checkQueues, world)).toMatchObject([{ state: 'ok' }])
    await insertHeartbeat(world)
    await keepSchedulers(world)
    expect(await findingsOf(checkQueues, world)).toMatchObject([{ state: 'ok' }])
  })
})

describe('the doctor of processes', () => {
  it.each([
    ['none', [], 'warning', 'none runs, and 0 items are due'],
    ['all in one', [{ role: 'start' }], 'ok', '1 × start, of version 1.0.0'],
    [
      'an API server and two workers',
      [{ role: 'api', queues: [] }, {}, {}],
      'ok',
      '1 × api, 2 × worker, of version 1.0.0',
    ],
    [
      'an API server alone',
      [{ role: 'api', queues: [] }],
      'warning',
      'no worker runs, and 0 items are due',
    ],
    [
      'two versions',
      [{}, { version: '1.1.0' }, {}],
      'warning',
      'several versions run: 2 × 1.0.0, 1 × 1.1.0',
    ],
    [
      'a clock that is off',
      [{}, { host: 'there', pid: 7, clockSkewMs: 7_200_000 }],
      'fault',
      "the clock of the worker on there (process 7) is 2 hours ahead of the database's",
    ],
  ])('reports %s', async (_what, heartbeats, state, says) => {
    for (const heartbeat of heartbeats) await insertHeartbeat(world, heartbeat)
    expect(await findingsOf(checkProcesses, world)).toMatchObject([
      { subject: 'processes', state, says },
    ])
  })
})

describe('the doctor of Redis', () => {
  function worldOn(redisUrl: string): World {
    const config = readConfig({ REDIS_URL: redisUrl })
    const { databaseUrl } = service
    const { timings } = world
    const opened = openWorld({ config, databaseUrl, log: openLog('silent'), timings })
    onTestFinished(() => opened.close())
    return opened
  }

  async function redisWorld(options: readonly string[]) {
    const redis = await privateRedis(options)
    onTestFinished(() => redis.close())
    return { redis, opened: worldOn(redis.url) }
  }

  it('finds a server without eviction and with a journal in order', async () => {
    const { opened } = await redisWorld(['--appendonly', 'yes'])
    expect(await findingsOf(checkQueues, opened)).toEqual([
      {
        subject: 'queues (redis)',
        state: 'ok',
        says: expect.stringMatching(/^Redis [\d.]+ uses [\d.]+ [kM]B; no job waits$/),
      },
    ])
  })

  it.each([
    [['--appendonly', 'no'], 'warning', /^keeps no journal/],
    [['--maxmemory', '1200000'], 'fault', /^[\d.]+ [kM]B of 1\.2 MB are in use.*; no job waits$/],
    [
      ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'],
      'fault',
      /allkeys-lru.*loses jobs/,
    ],
  ])('reports %j', async (options, state, says) => {
    const { opened } = await redisWorld(options)
    expect(await faultsOf(opened)).toContainEqual({
      subject: 'queues (redis)',
      state,
      says: expect.stringMatching(says),
      remedy: expect.any(String),
    })
  })

  it('reports a replica', async () => {
    const primary = await privateRedis()
    onTestFinished(() => primary.close())
    const { redis, opened } = await redisWorld(['--appendonly', 'yes'])
    const client = new Redis(redis.port, '127.0.0.1')
    await client.replicaof('127.0.0.1', primary.port)
    client.disconnect()
    expect(await faultsOf(opened)).toContainEqual(
      expect.objectContaining({ state: 'fault', says: expect.stringContaining('a replica') }),
    )
  })

  it('reports a server that is away', async () => {
    const { redis, opened } = await redisWorld([])
    await redis.stop()
    expect(await faultsOf(opened)).toEqual([
      {
        subject: 'queues (redis)',
        state: 'fault',
        says: `cannot be reached (connect ECONNREFUSED 127.0.0.1:${redis.port})`,
        remedy: expect.stringContaining('REDIS_URL'),
      },
    ])
  })

  it('reports a server that wants a password', async () => {
    const { opened } = await redisWorld(['--requirepass', 'a password'])
    expect(await faultsOf(opened)).toEqual([
      {
        subject: 'queues (redis)',
        state: 'fault',
        says: expect.stringMatching(/^refuses us \(NOAUTH .*\)$/),
        remedy: expect.stringContaining('redis://user:password@host'),
      },
    ])
  })

  it('reports a server whose user has too few rights, and which it needs', async () => {
    const { redis } = await redisWorld([])
    const admin = new Redis(redis.url)
    onTestFinished(() => admin.disconnect())
    await admin.call('ACL', 'SETUSER', 'few', 'on', '>pw', '+ping')
    const url = Object.assign(new URL(redis.url), { username: 'few', password: 'pw' }).href
    const remedy = expect.stringMatching(/^Give its user what the queues need: /)
    const says = expect.stringMatching(/^refuses us \(NOPERM .*\)$/)
    const subject = 'queues (redis)'
    expect(await faultsOf(worldOn(url))).toEqual([{ subject, state: 'fault', says, remedy }])
    const rights = '~lamplighter* &lamplighter* +@all -@dangerous +info'
    await admin.call('ACL', 'SETUSER', 'few', ...rights.split(' '))
    expect(await faultsOf(worldOn(url))).toMatchObject([
      { says: expect.stringMatching(/^keeps no journal/) },
    ])
  })

  it('reports a server without a command that is needed', async () => {
    const { opened } = await redisWorld(['--rename-command', 'INFO', ''])
    expect(await faultsOf(opened)).toEqual([
      {
        subject: 'queues (redis)',
        state: 'fault',
        says: "refuses us (ERR unknown command 'info')",
        remedy: expect.stringContaining('rename-command'),
      },
    ])
  })

  it('reports a server that is in protected mode', async () => {
    // A real one speaks so to other hosts only.
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end('-DENIED Redis is running in protected mode\r\n')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const opened = worldOn(`redis://127.0.0.1:${port}`)
    expect(await faultsOf(opened)).toEqual([
      {
        subject: 'queues (redis)',
        state: 'fault',
        says: 'closes each connection at once',
        remedy: expect.stringContaining('protected mode'),
      },
    ])
  })

  it('says of a server without TLS that rediss:// needs one', async () => {
    const { redis } = await redisWorld([])
    expect(await faultsOf(worldOn(`rediss://127.0.0.1:${redis.port}`))).toEqual([
      {
        subject: 'queues (redis)',
        state: 'fault',
        says: expect.stringMatching(/^cannot be reached/),
        remedy: expect.stringContaining('rediss:// needs a server with TLS'),
      },
    ])
  })

  it('names the setting for an authority that Node.js does not know', async () => {
    const server = createTlsServer(ownCertificate())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await faultsOf(worldOn(`rediss://127.0.0.1:${port}`))).toEqual([
      {
        subject: 'queues (redis)',
        state: 'fault',
        says: 'cannot be reached (self-signed certificate)',
        remedy: expect.stringMatching(/ in NODE_EXTRA_CA_CERTS\./),
      },
    ])
  })

  it('reports a cluster with unserved slots', () => {
    const facts = {
      version: '7.2.4',
      usedBytes: 1,
      mostBytes: 0,
      keepsJournal: true,
      role: 'slave',
    }
    const found = redisProblems({ ...facts, clusterState: 'fail' }, 'no job waits').filter(
      (one) => one !== false,
    )
    expect(found.map(({ says }) => says)).toEqual([
      expect.stringMatching(/the cluster is in state fail/),
    ])
  })
})
