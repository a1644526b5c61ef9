// An operator's search over all accounts uses indexes, however many transactions there are: no
// table is scanned, and the work grows with the number of accounts and the size of the page, not
// with the rows. LIST_ROWS makes more rows.

import { describe, expect, it } from 'vitest'
import { firstIdAt, msOfId } from '../../src/core/id.ts'
import type { Statement } from '../../src/db/terms.ts'
import { PRINTED, TRANSACTIONS_OF_REQUEST } from '../../src/operators/find-printed.ts'
import type { AnywhereFilter } from '../../src/payments/anywhere/anywhere-filter.ts'
import { customersStatement, foundStatement } from '../../src/payments/anywhere/found.ts'
import { newestTransactions } from '../../src/payments/anywhere/newest.ts'
import { ROWS as ROWS_STATEMENT } from '../../src/payments/anywhere/transactions-anywhere.ts'
import { runExplained } from '../support/explained.ts'
import { filledDatabase } from '../support/filled-database.ts'
import { CROWDED, fillCrowd } from '../support/transaction-crowd.ts'

const ROWS = Number(process.env.LIST_ROWS ?? 4_000)

const ANY: AnywhereFilter = {
  accountIds: undefined,
  mode: undefined,
  type: undefined,
  status: undefined,
  method: undefined,
  total: undefined,
  lastFour: undefined,
  accepted: { from: undefined, before: undefined },
  before: undefined,
  direction: 'desc',
  most: 51,
}

const ACCOUNTS = 200

const database = filledDatabase(async (client) => {
  await fillCrowd(client, ROWS, 5 * ROWS)
  await client.query(`
    INSERT INTO team (id, name, created_at, updated_at)
    SELECT gen_random_uuid(), 'Shop ' || n, now(), now() FROM generate_series(1, ${ACCOUNTS / 2}) AS n;
    INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
    SELECT gen_random_uuid(), id, mode, 600, now()
    FROM team CROSS JOIN unnest(enum_range(NULL::account_mode)) AS mode;
    WITH crowd AS (SELECT DISTINCT account_id FROM transaction), made AS (
      INSERT INTO team (id, name, created_at, updated_at)
      SELECT account_id, 'Crowd', now(), now() FROM crowd RETURNING id
    )
    INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
    SELECT id, id, 'live', 600, now() FROM made;
    ANALYZE account;
  `)
})

const asked = (statement: Statement) => runExplained(database.client, statement)

describe('over all accounts', () => {
  it.each<readonly [string, Partial<AnywhereFilter>]>([
    ['the newest', {}],
    ['the oldest', { direction: 'asc' }],
    ['the oldest refunds', { type: 'refund', direction: 'asc' }],
    ['the newest before one', { before: '01938000-0000-7000-8000-000000000000' }],
    [
      'those of a month',
      { accepted: { from: new Date('2026-01-01'), before: new Date('2026-02-01') } },
    ],
    ['of live accounts', { mode: 'live' }],
    ['what FAILED', { status: 'FAILED' }],
    ['what is PENDING', { status: 'PENDING' }],
    ['refunds', { type: 'refund' }],
    ['refunds that FAILED by bank', { type: 'refund', status: 'FAILED', method: 'bank' }],
    ['credits, of which there are none', { type: 'credit' }],
    ['an amount', { total: 4_321n }],
    ['the last digits', { lastFour: '0042' }],
    ['both', { total: 4_321n, lastFour: '0042' }],
  ])('%s', async (_, filters) => {
    const { rows, read, buffers } = await asked(newestTransactions({ ...ANY, ...filters }))
    expect(read).toEqual([])
    expect(buffers).toBeLessThan(20_000)
    await asked({
      text: ROWS_STATEMENT,
      values: [rows.map((r) => r.account_id), rows.map((r) => r.id)],
    })
  })
})

describe('by a word', () => {
  it.each([
    'id',
    'customer_id',
    'invoice_id',
    'batch_id',
    'auth_id',
    'idempotency_id',
    "meta->>'reference'",
    "meta->>'poNumber'",
  ])('%s', async (column) => {
    const {
      rows: [row],
    } = await database.client.query(
      column === 'batch_id'
        ? `SELECT id::text AS word FROM batch WHERE status = 'closed' AND account_id = $1 LIMIT 1`
        : `SELECT ${column}::text AS word FROM transaction WHERE ${column} IS NOT NULL AND account_id = $1 LIMIT 1`,
      [CROWDED],
    )
    const { rows, read } = await asked(foundStatement(row.word, [], ANY))
    expect(rows.length).toBeGreaterThan(0)
    expect(read).toEqual([])
  })
  it.each(['a reference', 'a request'])('that is %s, in each account by its key', async (what) => {
    const [row] = (
      await database.client.query(
        'SELECT id::text FROM transaction WHERE account_id = $1 ORDER BY id DESC LIMIT 1',
        [CROWDED],
      )
    ).rows
    const until = firstIdAt(new Date(msOfId(row.id) + 120_000))
    const { read, buffers } = await asked(
      what === 'a request'
        ? { text: TRANSACTIONS_OF_REQUEST, values: [row.id, until, row.id] }
        : { text: PRINTED, values: [row.id, until] },
    )
    expect(read).toEqual([])
    expect(buffers).toBeLessThan(20_000)
  })

  it.each([
    ['zzzqqq', 100],
    ['ghij', 100],
    // A word that everyone has: the page is full after few rows.
    ['example.com', 1_000],
  ])('a customer named %s', async (word, pages) => {
    const { rows, buffers } = await asked(customersStatement(word, ANY))
    expect(buffers).toBeLessThan(pages)
    await asked(
      foundStatement(
        word,
        rows.slice(0, 200).map((r) => ({ accountId: r.account_id, id: r.id })),
        ANY,
      ),
    )
  })
})
