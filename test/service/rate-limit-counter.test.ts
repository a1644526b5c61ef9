// The two counters of requests: the store that all processes share, and the process alone.

import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { withClient } from '../../src/db/client.ts'
import { connectionShares, type Database, openDatabase } from '../../src/db/database.ts'
import { valuesOf } from '../../src/db/gathered.ts'
import {
  type Counted,
  memoryCounter,
  type RequestCounter,
  WINDOW_MS,
} from '../../src/limits/counter.ts'
import { countRequests, postgresCounter } from '../../src/limits/postgres-counter.ts'
import { redisCounter } from '../../src/limits/redis-counter.ts'
import { letPass, movableClock } from '../support/end-windows.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { type PrivateRedis, privateRedis } from '../support/redis.ts'
import { soon } from '../support/soon.ts'

const backend = inject('backend')
const clock = movableClock()

let database: FreshDatabase
let db: Database
let redis: PrivateRedis | undefined
let shared: RequestCounter
/** The counter of another process. */
let further: RequestCounter

beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.url, {
    name: 'test',
    connections: connectionShares(34),
    onError: () => {},
  })
  redis = backend === 'redis' ? await privateRedis() : undefined
  shared = open()
  further = open()
})
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  await shared.close()
  await further.close()
  await redis?.close()
  await db.close()
  await database.drop()
})

function open(): RequestCounter {
  if (redis === undefined) return postgresCounter(db, clock)
  return redisCounter({ kind: 'single', url: redis.url }, () => {})
}

const memory = memoryCounter()

const COUNTERS = [
  {
    name: backend,
    counter: () => shared,
    pass: (ms: number) => letPass(ms, { clock, redis }),
  },
  {
    name: 'the process',
    counter: () => memory,
    async pass(ms: number) {
      vi.setSystemTime(Date.now() + ms)
    },
  },
]

describe.each(COUNTERS)('$name', ({ counter, pass }) => {
  const freezeTime = () => {
    if (counter() === memory) vi.useFakeTimers({ toFake: ['Date'] })
  }

  it('counts each subject alone', async () => {
    const used = []
    for (const subject of ['a', 'a', 'b', 'a', 'b']) {
      used.push((await counter().count(`alone ${subject}`)).used)
    }
    expect(used).toEqual([1, 2, 1, 3, 2])
  })

  it('takes back a request that is given back, and nothing in a window that is not there', async () => {
    const subject = 'given back'
    await counter().count(subject)
    await counter().count(subject)
    await counter().giveBack(subject)
    await counter().giveBack('never counted')
    expect((await counter().count(subject)).used).toBe(2)
    expect((await counter().count('never counted')).used).toBe(1)
  })

  it('takes back no more than was counted, and no window lasts longer for it', async () => {
    freezeTime()
    const subject = 'given back twice'
    await counter().count(subject)
    await pass(40_000)
    for (let i = 0; i < 3; i += 1) await counter().giveBack(subject)
    const { used, resetMs } = await counter().count(subject)
    expect(used).toBe(1)
    expect(resetMs).toBeLessThanOrEqual(20_000)
    await pass(20_000)
    await counter().giveBack(subject)
    expect((await counter().count(subject)).used).toBe(1)
  })

  it('gives each of several simultaneous requests its own number', async () => {
    const subjects = ['x', 'y', 'z'].flatMap((subject) => Array(150).fill(`together ${subject}`))
    const counted = await Promise.all(subjects.map((subject) => counter().count(subject)))
    const each = Array.from({ length: 150 }, (_, i) => i + 1)
    for (const start of [0, 150, 300]) {
      expect(numbersOf(counted.slice(start, start + 150))).toEqual(each)
    }
  })

  it('ends a window a minute after its first request, whatever came later', async () => {
    freezeTime()
    const ask = () => counter().count('window')
    const first = await ask()
    expect(first.used).toBe(1)
    expect(first.resetMs).toBeGreaterThan(WINDOW_MS - 1_000)
    expect(first.resetMs).toBeLessThanOrEqual(WINDOW_MS)
    await pass(40_000)
    const second = await ask()
    expect(second.used).toBe(2)
    expect(second.resetMs).toBeGreaterThan(15_000)
    expect(second.resetMs).toBeLessThanOrEqual(20_000)
    await pass(10_000)
    expect((await ask()).used).toBe(3)
    await pass(10_000)
    const next = await ask()
    expect(next.used).toBe(1)
    expect(next.resetMs).toBeGreaterThan(WINDOW_MS - 1_000)
  })
})

describe('the store', () => {
  it('counts for two processes together', async () => {
    const asks = Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? shared : further))
    const counted = await Promise.all(asks.map((one) => one.count('shared')))
    expect(numbersOf(counted)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
  })
})

const describeOnPostgres = backend === 'postgres' ? describe : () => undefined

describeOnPostgres('the table of windows', () => {
  const subjectsLeft = async () =>
    (await db.query('SELECT subject FROM request_window ORDER BY subject')).map(
      (row) => row.subject,
    )

  it('drops windows that ended a minute ago, and no other', async () => {
    await shared.count('old')
    clock.move(WINDOW_MS * 1.5)
    await shared.count('ended')
    clock.move(WINDOW_MS / 2)
    await shared.count('under way')
    await shared.forgetEnded()
    expect(await subjectsLeft()).toEqual(['ended', 'under way'])
    expect((await shared.count('under way')).used).toBe(2)
  })

  it('does not wait to drop a window that another process is counting', async () => {
    await shared.count('held')
    clock.move(WINDOW_MS * 3)
    await db.commit('held', async (query) => {
      await query(`SELECT FROM request_window WHERE subject = 'held' FOR UPDATE`)
      await shared.forgetEnded()
    })
    expect(await subjectsLeft()).toEqual(['held'])
    await shared.forgetEnded()
    expect(await subjectsLeft()).toEqual([])
  })

  it('blocks no key for longer because a clock was set back', async () => {
    clock.move(10 * WINDOW_MS)
    for (let i = 0; i < 3; i += 1) await shared.count('set back')
    clock.move(-10 * WINDOW_MS)
    const counted = await shared.count('set back')
    expect(counted.used).toBe(1)
    expect(counted.resetMs).toBeLessThanOrEqual(WINDOW_MS)
  })

  it('never has two rounds wait for each other', async () => {
    const ask = (...subjects: string[]) =>
      withClient(database.url, (client) => {
        const endsAt = new Date(clock.now().getTime() + WINDOW_MS)
        const values = valuesOf(
          countRequests,
          subjects.map((subject) => ({ subject, endsAt })),
        )
        return client.query(countRequests.text, values)
      })
    await ask('a', 'm', 'z')
    let rounds: Promise<unknown> | undefined
    await db.commit('m', async (query) => {
      await query(`SELECT FROM request_window WHERE subject = 'm' FOR UPDATE`)
      rounds = Promise.all([ask('z', 'm', 'a'), ask('a', 'm', 'z')])
      await soon(async () => {
        const waiting = await db.query(
          `SELECT FROM pg_stat_activity
           WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        )
        expect(waiting).toHaveLength(2)
      })
    })
    await rounds
    expect((await shared.count('m')).used).toBe(4)
  })

  it('is not logged', async () => {
    const [row] = await db.query(
      `SELECT relpersistence FROM pg_class WHERE oid = 'request_window'::regclass`,
    )
    expect(row?.relpersistence).toBe('u')
  })
})

function numbersOf(counted: readonly Counted[]): readonly number[] {
  return counted.map(({ used }) => used).sort((one, other) => one - other)
}
