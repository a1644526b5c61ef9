// The transactions of a closing, and the locks that it waits for: rows and batches that others have
// locked at the cutoff, and batches of other accounts.

import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Progress } from '../../src/core/progress.ts'
import { MINUTE } from '../../src/core/time-units.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import type { Query } from '../../src/db/database.ts'
import {
  lockTransaction,
  lockTransactionInBatch,
} from '../../src/payments/transaction/lock-transaction.ts'
import { BATCH_COLUMNS, type BatchRow, readBatch } from '../../src/settlement/batch.ts'
import { findBatchWithAccount } from '../../src/settlement/batch-with-account.ts'
import { closeBatch } from '../../src/settlement/close-batch.ts'
import { nudgeDueBatches, openBatchLatenessMs } from '../../src/settlement/due-batches.ts'
import { freezeBatch, settleBatch } from '../../src/settlement/settle-batch.ts'
import { writeDay } from '../support/batch-crowd.ts'
import { type MovableClock, movableClock } from '../support/end-windows.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** It is a Friday; its cutoff is a minute before midnight in UTC. */
const [DAY, NEXT_DAY] = ['2026-03-06', '2026-03-07'] as const
const SUMS = { count: 3, sales: 3_06n, refunds: 0n }

let service: TestService
let clock: MovableClock
let client: pg.Client
let accountId: string
let id: string

beforeAll(async () => {
  clock = movableClock()
  service = await openTestService({ queues: [], clock })
  client = new pg.Client(service.databaseUrl)
  await client.connect()
}, MINUTE)
afterAll(async () => {
  await client.end()
  await service.close()
})

/** Each test has its own account, with three sales on the day. */
beforeEach(async () => {
  accountId = (await service.merchant('live')).accountId
  ;[id = ''] = await writeDay(client, [accountId], DAY, 3)
})

const settle = (account = accountId, batchId = id, report?: (of: Progress) => void) => {
  const item = { accountId: account, id: batchId, requestId: 'test' }
  return settleBatch(service.world, item, new AbortController().signal, report ?? (() => {}))
}

async function batch(batchId = id): Promise<BatchRow | undefined> {
  const sql = `SELECT ${BATCH_COLUMNS} FROM batch b WHERE id = $1`
  const [row] = await service.world.db.query(sql, [batchId])
  return row && readBatch(row)
}

async function eventsOf(batchId = id): Promise<readonly string[]> {
  const sql = 'SELECT type FROM event WHERE resource_id = $1 ORDER BY sequence'
  return (await service.world.db.query(sql, [batchId])).map(({ type }) => type)
}

async function unbatched(): Promise<number> {
  const sql = `SELECT FROM transaction t WHERE account_id = $1 AND NOT EXISTS (
    SELECT FROM batch b
    WHERE b.account_id = t.account_id AND b.business_date = t.business_date AND b.status = 'closed')`
  return (await service.world.db.query(sql, [accountId])).length
}

async function settledEvents(account = accountId): Promise<number> {
  const sql = "SELECT FROM event WHERE account_id = $1 AND type = 'update_transaction_settled'"
  return (await service.world.db.query(sql, [account])).length
}

/** Does the work while another transaction holds a lock. */
async function held<T>(sql: string, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  await client.query(sql, [accountId])
  try {
    return await work()
  } finally {
    await client.query('COMMIT')
  }
}

const soon = (verdict: Verdict) => {
  if (verdict.kind !== 'snooze') return false
  return verdict.until.getTime() - clock.now().getTime() < 1_000
}

const ONE_ROW = `
  SELECT FROM transaction WHERE account_id = $1 ORDER BY id DESC LIMIT 1 FOR NO KEY UPDATE`

describe('a batch', () => {
  it('is closed while one of its rows is locked, and the events are written afterwards', async () => {
    const verdict = await held(ONE_ROW, async () => {
      const first = await settle()
      expect(await batch()).toMatchObject({ status: 'closed', ...SUMS })
      expect(await eventsOf()).toEqual(['create_batch'])
      expect(await settledEvents()).toBe(0)
      return first
    })
    expect(soon(verdict)).toBe(true)
    await settle()
    expect(await settledEvents()).toBe(3)
    expect(await unbatched()).toBe(0)
  })

  it('that fills its last chunk of events needs no further turn', async () => {
    const [full = ''] = await writeDay(client, [accountId], NEXT_DAY, 500)
    expect(await settle(accountId, full)).toEqual({ kind: 'done' })
    expect(await eventsOf(full)).toEqual(['create_batch', 'create_deposit'])
    expect(await settledEvents()).toBe(500)
  })

  it('whose row changes while its event is made has it before the change', async () => {
    const raise = 'UPDATE transaction SET version = version + 2 WHERE account_id = $1'
    let reads = 0
    const query: Query = async (text, values) => {
      const rows = await service.world.db.query(text, values)
      if (text.includes('ORDER BY business_date, created_at, id') && reads++ === 0) {
        await client.query(raise, [accountId])
      }
      return rows
    }
    const world = { ...service.world, db: { ...service.world.db, query } }
    const item = { accountId, id, requestId: 'test' }
    await settleBatch(world, item, new AbortController().signal, () => {})
    const sql = `SELECT DISTINCT e.sequence, t.version FROM event e
      JOIN transaction t ON t.account_id = e.account_id AND t.id::text = e.resource_id
      WHERE e.account_id = $1 AND e.type LIKE '%settled'`
    expect(await service.world.db.query(sql, [accountId])).toEqual([{ sequence: 2, version: 3 }])
    expect(await settledEvents()).toBe(3)
  })

  it('writes the settled event of a row after a change that was read before the freeze', async () => {
    const [first] = await service.world.db.query(
      'SELECT id FROM transaction WHERE account_id = $1 ORDER BY id LIMIT 1',
      [accountId],
    )
    await service.world.db.commit('a receipt', async (query) => {
      const row = await lockTransaction(query, { accountId, id: first?.id })
      expect(row).toMatchObject({ version: 1, batchId: null })
      await settle()
      expect(await batch()).toMatchObject({ status: 'closed' })
      expect(await settledEvents()).toBe(0)
      await query('UPDATE transaction SET version = 3 WHERE account_id = $1 AND id = $2', [
        accountId,
        first?.id,
      ])
    })
    await settle()
    const sql = "SELECT sequence FROM event WHERE resource_id = $1 AND type LIKE '%settled'"
    expect(await service.world.db.query(sql, [first?.id])).toEqual([{ sequence: 4 }])
  })

  it('keeps its transactions, and takes no more, whatever tries', async () => {
    const [other = ''] = await writeDay(client, [accountId], NEXT_DAY, 1)
    await settle()
    const { query } = service.world.db
    const refused = (sql: string, day: string) =>
      expect(
        query(`UPDATE transaction SET ${sql} WHERE account_id = $1 AND business_date = $2`, [
          accountId,
          day,
        ]),
      ).rejects.toMatchObject({ constraint: 'transaction_batch_is_open' })
    await refused(`void_id = '${other}'`, DAY)
    await refused(`business_date = '${NEXT_DAY}'`, DAY)
    await refused(`business_date = '${DAY}'`, NEXT_DAY)
    expect(await batch()).toMatchObject({ status: 'closed', ...SUMS })
  })

  it('is not frozen while the commit of a success holds it, and takes that success', async () => {
    const late = `
      WITH held AS (SELECT FROM batch WHERE account_id = $1 FOR KEY SHARE)
      UPDATE transaction t SET business_date = '${DAY}' FROM held
      WHERE t.account_id = $1 AND t.business_date <> '${DAY}'`
    await client.query(
      `UPDATE transaction SET business_date = '2026-03-05' WHERE (account_id, id) =
        (SELECT account_id, id FROM transaction WHERE account_id = $1 LIMIT 1)`,
      [accountId],
    )
    const verdict = await held(late, async () => {
      const first = await settle()
      expect(await batch()).toMatchObject({ status: 'open' })
      return first
    })
    expect(soon(verdict)).toBe(true)
    await settle()
    expect(await batch()).toMatchObject({ status: 'closed', ...SUMS })
    expect(await unbatched()).toBe(0)
  })

  it('is not frozen while the commit of a void holds it, and leaves out the voided one', async () => {
    const [first] = await service.world.db.query(
      'SELECT id FROM transaction WHERE account_id = $1 ORDER BY id LIMIT 1',
      [accountId],
    )
    const verdict = await service.world.db.commit('a void', async (query) => {
      const row = await lockTransactionInBatch(query, { accountId, id: first?.id })
      expect(row).toMatchObject({ batchId: null, batchedAt: null })
      const early = await settle()
      expect(await batch()).toMatchObject({ status: 'open' })
      const sql = 'UPDATE transaction SET void_id = $2 WHERE account_id = $1 AND id = $2'
      await query(sql, [accountId, first?.id])
      return early
    })
    expect(soon(verdict)).toBe(true)
    await settle()
    expect(await batch()).toMatchObject({ status: 'closed', count: 2, sales: 2_05n })
  })

  it('waits for no other change of its transactions', async () => {
    const sql = 'SELECT id FROM transaction WHERE account_id = $1 LIMIT 1'
    const [first] = await service.world.db.query(sql, [accountId])
    await service.world.db.commit('a receipt', async (query) => {
      const row = await lockTransaction(query, { accountId, id: first?.id })
      expect(row).toMatchObject({ batchId: null, batchedAt: null })
      await settle()
      expect(await batch()).toMatchObject({ status: 'closed', ...SUMS })
    })
  })

  it('takes nothing of the day after its cutoff', async () => {
    const [next = ''] = await writeDay(client, [accountId], NEXT_DAY, 3)
    await settle()
    expect(await batch()).toMatchObject({ status: 'closed', ...SUMS })
    expect(await batch(next)).toMatchObject({ status: 'open' })
    expect(await unbatched()).toBe(3)
  })

  it('is closed once, and its sums and events stay', async () => {
    const item = { accountId, id, requestId: 'test' }
    const { query } = service.world.db
    const open = await findBatchWithAccount(query, item, undefined)
    if (open === undefined) throw new Error('it is open')
    await freezeBatch(service.world, open)
    const closing = await findBatchWithAccount(query, item, undefined)
    if (closing === undefined) throw new Error('it is closing')
    await settle()
    const closed = await batch()
    const events = await eventsOf()
    expect(events).toEqual(['create_batch', 'create_deposit'])
    await Promise.all([closeBatch(service.world, closing), closeBatch(service.world, closing)])
    expect([await batch(), await eventsOf()]).toEqual([closed, events])
    const sql = 'UPDATE batch SET sales = sales + 1 WHERE id = $1'
    await expect(query(sql, [id])).rejects.toThrow(/is closed/)
  })

  it.each([
    ['Thursday', '2026-03-05', '2026-03-06T09:00:00.000Z'],
    ['Friday', '2026-03-06', '2026-03-09T09:00:00.000Z'],
    ['Saturday', '2026-03-07', '2026-03-09T09:00:00.000Z'],
    ['Sunday', '2026-03-08', '2026-03-09T09:00:00.000Z'],
    ['Monday', '2026-03-09', '2026-03-10T09:00:00.000Z'],
  ])('of a %s has its deposit on the next weekday', async (_day, date, depositAt) => {
    const account = (await service.merchant('live')).accountId
    const [one = ''] = await writeDay(client, [account], date, 1)
    await settle(account, one)
    expect((await batch(one))?.depositAt?.toISOString()).toBe(depositAt)
  })

  it('that is large takes several turns, and has the same result', async () => {
    const account = (await service.merchant('live')).accountId
    const [large = ''] = await writeDay(client, [account], DAY, 1_600)
    const turn = () => settle(account, large, ({ done }) => clock.move(done > 0 ? MINUTE : 0))
    const verdict = await turn()
    expect(soon(verdict)).toBe(true)
    expect(await batch(large)).toMatchObject({ status: 'closed', count: 1_600 })
    expect(await settledEvents(account)).toBeGreaterThan(0)
    expect(await settledEvents(account)).toBeLessThan(1_600)
    for (let turns = 0; turns < 4; turns += 1) await turn()
    expect(await batch(large)).toMatchObject({ count: 1_600, eventsWritten: 1_600 })
    expect(await settledEvents(account)).toBe(1_600)
  })
})

describe('a batch that cannot be closed', () => {
  const FAIL = `
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'a bad row'; END $$;
    CREATE TRIGGER refuse_closing BEFORE UPDATE ON batch FOR EACH ROW
    WHEN (NEW.timezone = 'Europe/Malta' AND NEW.status = 'closed') EXECUTE FUNCTION refuse()`

  it('fails alone, shows as late, and is closed once its row is corrected', async () => {
    await client.query("UPDATE batch SET timezone = 'Europe/Malta' WHERE account_id = $1", [
      accountId,
    ])
    await client.query(FAIL)
    await expect(settle()).rejects.toThrow('a bad row')
    const other = (await service.merchant('live')).accountId
    const [others = ''] = await writeDay(client, [other], DAY, 3)
    await settle(other, others)
    expect(await batch(others)).toMatchObject({ status: 'closed', ...SUMS })
    expect(await openBatchLatenessMs(service.world)).toBeGreaterThan(5 * MINUTE)
    clock.move(MINUTE)
    const nudged = vi.fn(async () => {})
    const queues = { nudgeOverdue: nudged } as never
    await nudgeDueBatches({ ...service.world, queues })
    const overdue = [expect.objectContaining({ accountId, id })]
    expect(nudged).toHaveBeenCalledWith('settlement', expect.arrayContaining(overdue))
    await client.query("UPDATE batch SET timezone = 'UTC' WHERE account_id = $1", [accountId])
    await settle()
    expect(await batch()).toMatchObject({ status: 'closed', ...SUMS })
  })
})
