// The worker that closes a batch may die at any moment: the next one goes on from there, and the
// batch is the same.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Query } from '../../src/db/database.ts'
import { settleBatch } from '../../src/settlement/settle-batch.ts'
import type { World } from '../../src/world.ts'
import { audit } from '../chaos/audit.ts'
import { type DayEnd, expectEventsAsShown, openDayEnd } from '../support/day-end.ts'

const LONG_TEST = { timeout: 120_000 }

/** More than a closing with its deposit needs. */
const MOST_STATEMENTS = 100

/** Longer than the lease of the dead worker. */
const LEASE_MS = 60_000

describe('a batch whose closing dies', () => {
  let day: DayEnd
  beforeAll(async () => {
    day = await openDayEnd({ queues: ['charge', 'refund', 'doubt'] })
  })
  afterAll(() => day.close())

  async function settle(world: World, id: string): Promise<void> {
    const item = { accountId: day.merchant.accountId, id, requestId: 'test' }
    await settleBatch(world, item, new AbortController().signal, () => {})
  }

  it.each(['before', 'after'] as const)(
    'just %s any of its statements',
    LONG_TEST,
    async (when) => {
      let statements = 0
      for (let nth = 1; ; nth += 1) {
        expect(nth).toBeLessThan(MOST_STATEMENTS)
        await day.paid({ total: 2 })
        await day.paid({ total: 3 })
        const { id, depositAt } = await day.passCutoff()
        expect(depositAt).toBeNull()
        const died = await settle(dyingAt(day.world, nth, when), id).then(
          () => false,
          () => true,
        )
        if (!died) break
        statements = nth
        await expectSettled(day, id)
      }
      // There are statements to find, freeze, sum, close, read, and write events.
      expect(statements).toBeGreaterThan(10)
      expect(await audit(day.service.databaseUrl, [])).toEqual([])
    },
  )

  async function expectSettled({ world, clock }: DayEnd, id: string): Promise<void> {
    clock.move(LEASE_MS)
    await settle(world, id)
    const batch = (await day.batches()).find((one) => one.id === id)
    expect(batch).toMatchObject({ status: 'closed', count: 2, sales: 5_00n, refunds: 0n })
    expect((await day.eventsOfBatch(id)).map(({ type }) => type)).toEqual(['create_batch'])
    await expectEventsAsShown(day, id)
    day.moveTo(batch?.depositAt ?? new Date(0))
    await settle(world, id)
    expect((await day.eventsOfBatch(id)).map(({ type }) => type)).toEqual([
      'create_batch',
      'create_deposit',
    ])
  }
})

class Died extends Error {}

/** The same world, whose process dies at the nth statement that it sends. */
function dyingAt(world: World, nth: number, when: 'before' | 'after'): World {
  let sent = 0
  const dying =
    (query: Query): Query =>
    async (text, values) => {
      sent += 1
      if (sent > nth || (sent === nth && when === 'before')) throw new Died()
      const rows = await query(text, values)
      if (sent === nth) throw new Died()
      return rows
    }
  const db: Database = {
    ...world.db,
    query: dying(world.db.query),
    queryHot: (name, ...of) => dying((...args) => world.db.queryHot(name, ...args))(...of),
    commit: (about, work) => world.db.commit(about, (query) => work(dying(query))),
  }
  return { ...world, db }
}
