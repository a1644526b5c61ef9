// Stamps some of what a batch takes: each transaction gets the batch, its closing and a new
// version, and an event that tells it as it is from then on. One commit, in which they are held;
// what somebody else holds at the moment, another worker or a void, is passed over, not waited for.

import { dateText } from '../core/whole-days.ts'
import type { Query } from '../db/database.ts'
import { gatheredStatement, valuesOf } from '../db/gathered.ts'
import { INSERT_EVENTS } from '../events/insert-event.ts'
import { type Books, booksOf } from '../payments/books.ts'
import { familyOf } from '../payments/family.ts'
import {
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from '../payments/transaction-row.ts'
import { transactionView } from '../payments/transaction-view.ts'
import type { World } from '../world.ts'
import { onlyByIndex } from './by-index.ts'
import type { Closing } from './closing.ts'

export interface Chunk {
  /** The id after which it begins. */
  readonly after: string
  readonly most: number
  /** One is stamped at a time in each. */
  readonly lane: number
}

export interface Stamped {
  readonly count: number
  /** The id of the last one. */
  readonly last: string
}

/** Undefined where nothing is left after that id that could be had at once. */
export function stampChunk(
  world: World,
  closing: Closing,
  chunk: Chunk,
): Promise<Stamped | undefined> {
  const { accountId, id } = closing.batch
  return world.db.commit(`batch ${accountId} ${id} ${chunk.lane}`, async (query) => {
    await onlyByIndex(query)
    const books = booksOf(world, closing.account)
    const rows = await stamp(query, closing, books, chunk)
    if (rows.length === 0) return undefined
    await tell(world, query, closing, books, rows)
    return { count: rows.length, last: rows.reduce((last, { id }) => later(last, id), '') }
  })
}

/**
 * Told by (day, id), so that nothing but the index of what is not batched has that order: a day's
 * rows are few among an account's.
 */
const STAMP = `
  WITH free AS MATERIALIZED (
    SELECT account_id, id FROM transaction
    WHERE account_id = $1 AND (business_date, id) > ($2::date, $3::uuid)
      AND business_date <= $2::date
      AND batch_id IS NULL AND NOT is_voided AND void_id IS NULL
    ORDER BY business_date, id
    LIMIT $4
    FOR NO KEY UPDATE SKIP LOCKED
  ),
  t AS (
    UPDATE transaction u SET batch_id = $5, batched_at = $6, updated_at = $7,
      version = u.version + 1
    FROM free WHERE u.account_id = free.account_id AND u.id = free.id
    RETURNING u.*
  )
  SELECT ${TRANSACTION_COLUMNS} FROM t ${TRANSACTION_JOINS}`

async function stamp(
  query: Query,
  { batch }: Closing,
  books: Books,
  { after, most }: Chunk,
): Promise<readonly TransactionRow[]> {
  const { accountId, id, businessDate, closedAt } = batch
  const values = [accountId, dateText(businessDate), after, most, id, closedAt, books.now]
  return (await query(STAMP, values)).map(readTransaction)
}

interface Told {
  readonly accountId: string
  readonly id: string
  readonly resourceId: string
  readonly sequence: number
  readonly snapshot: string
  readonly requestId: string
  readonly createdAt: Date
}

const TELL = gatheredStatement<Told, undefined>({
  name: 'tell-settled',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    resourceId: 'text',
    sequence: 'integer',
    snapshot: 'json',
    requestId: 'text',
    createdAt: 'timestamptz',
  },
  text: (input) => `
    WITH ${input}
    ${INSERT_EVENTS}
    SELECT account_id, id, 'update_transaction_settled', resource_id, sequence, snapshot,
      request_id, created_at
    FROM input`,
  read: () => undefined,
})

async function tell(
  world: World,
  query: Query,
  { requestId }: Closing,
  books: Books,
  rows: readonly TransactionRow[],
): Promise<void> {
  const { accountId, now } = books
  const family = await familyOf(query, accountId, rows)
  const events = rows.map((row) => ({
    accountId,
    id: world.newId(),
    resourceId: row.id,
    sequence: row.version,
    snapshot: JSON.stringify(transactionView(row, books, family)),
    requestId,
    createdAt: now,
  }))
  await query(TELL.text, valuesOf(TELL, events))
}

/** Of two ids, as PostgreSQL orders them. */
function later(one: string, other: string): string {
  return one < other ? other : one
}
