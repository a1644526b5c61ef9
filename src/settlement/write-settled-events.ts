// Writes the event of each transaction of a closed batch that it is settled, in chunks, behind the
// closing: nothing waits for them. The batch's row says through which transaction they are written.
//
//   read     the next chunk, and make each transaction's snapshot of it
//   write    one statement: events, the versions that they count, and how far the batch has come,
//            all or nothing; meanwhile the next chunk is read
//              died here: the lease ends, the sweep nudges the batch, and the next chunk follows
//
// A chunk is written only where no other worker wrote it, and where none of its transactions is held
// by another commit or has changed since it was read; otherwise it is read again soon after.

import { dueIn } from '../accounts/scope.ts'
import type { Report } from '../core/progress.ts'
import { after, SECOND } from '../core/time-units.ts'
import { dateText } from '../core/whole-days.ts'
import { gatheredStatement, valuesOf } from '../db/gathered.ts'
import { INSERT_EVENTS } from '../events/insert-event.ts'
import { booksOf } from '../payments/books.ts'
import { familyOf } from '../payments/family.ts'
import {
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
} from '../payments/transaction-row.ts'
import { transactionView } from '../payments/transaction-view.ts'
import type { World } from '../world.ts'
import type { BatchRow } from './batch-row.ts'
import { type Closing, HELD_MS } from './closing.ts'

/** More costs the database no less a row, and keeps others from a processor for longer. */
const CHUNK = 500

/** Few batches are worked on at once: after this long it is another one's turn. */
const TURN_MS = 2 * SECOND

interface SettledEvent {
  readonly id: string
  readonly transactionId: string
  /** Of the transaction as it was read. A void, a refund and a capture raise one of them. */
  readonly version: number
  readonly children: number
  readonly snapshot: string
}

interface Chunk {
  /** The instant of its events, in the account's time: it was read after that. */
  readonly at: Date
  /** The transaction before the first one. */
  readonly from: string | null
  readonly through: string | null
  readonly events: readonly SettledEvent[]
}

/** Of a batch whose transactions are not all told of as settled. */
export function areEventsPending({ count, eventsWritten }: BatchRow): boolean {
  return eventsWritten !== null && eventsWritten < count
}

/** Answers when to go on, where a chunk was not written or the turn is over before the batch is. */
export async function writeSettledEvents(
  world: World,
  closing: Closing,
  signal: AbortSignal,
  report: Report,
): Promise<Date | undefined> {
  const turnEnds = after(world.clock.now(), TURN_MS)
  const progress = { done: closing.batch.eventsWritten ?? 0, of: closing.batch.count }
  report({ ...progress })
  let chunk = await readChunk(world, closing, closing.batch.eventsThrough)
  for (;;) {
    signal.throwIfAborted()
    const isLast = chunk.events.length < CHUNK
    const [isWritten, next] = await Promise.all([
      writeChunk(world, closing, chunk, isLast),
      isLast ? chunk : readChunk(world, closing, chunk.through),
    ])
    if (!isWritten) return after(world.clock.now(), HELD_MS)
    progress.done += chunk.events.length
    report({ ...progress })
    if (isLast) return undefined
    if (world.clock.now() >= turnEnds) return world.clock.now()
    chunk = next
  }
}

/**
 * Sorted as the index of a day's transactions is, which therefore no other plan can beat. Where the
 * version before has written `batch_id`, it has written the event as well.
 */
const READ = `
  SELECT ${TRANSACTION_COLUMNS}
  FROM (
    SELECT * FROM transaction
    WHERE account_id = $1 AND business_date = $2::date AND void_id IS NULL AND batch_id IS NULL
      AND ($3::uuid IS NULL OR (created_at, id) > (
        (SELECT created_at FROM transaction WHERE account_id = $1 AND id = $3), $3::uuid))
    ORDER BY business_date, created_at, id
    LIMIT ${CHUNK}
  ) t ${TRANSACTION_JOINS}
  ORDER BY t.created_at, t.id`

async function readChunk(
  world: World,
  { batch: { accountId, businessDate }, account }: Closing,
  from: string | null,
): Promise<Chunk> {
  const { query } = world.db
  const books = booksOf(world, account)
  const found = await query(READ, [accountId, dateText(businessDate), from])
  const rows = found.map(readTransaction)
  const family = await familyOf(query, accountId, rows)
  const events = rows.map((row) => ({
    id: world.newId(),
    transactionId: row.id,
    version: row.version,
    children: row.children,
    snapshot: JSON.stringify(transactionView({ ...row, updatedAt: books.now }, books, family)),
  }))
  return { at: books.now, from, through: rows.at(-1)?.id ?? from, events }
}

const WRITE = gatheredStatement<SettledEvent, undefined>({
  name: 'write-settled-events',
  columns: {
    id: 'uuid',
    transactionId: 'uuid',
    version: 'integer',
    children: 'integer',
    snapshot: 'json',
  },
  // After the five of the input: account, batch, from, through, whether it is the last chunk, the
  // instant of the account, when the batch is due next, and the request.
  text: (input) => `
    WITH ${input},
    batch_here AS (
      SELECT FROM batch
      WHERE account_id = $6 AND id = $7 AND events_written < count
        AND events_through IS NOT DISTINCT FROM $8::uuid
      FOR NO KEY UPDATE SKIP LOCKED
    ),
    unchanged AS MATERIALIZED (
      SELECT i.*
      FROM input i CROSS JOIN batch_here CROSS JOIN LATERAL (
        SELECT FROM transaction
        WHERE account_id = $6 AND id = i.transaction_id
          AND version = i.version AND children = i.children
        FOR NO KEY UPDATE SKIP LOCKED
      ) t
    ),
    here AS (
      SELECT FROM batch_here
      WHERE (SELECT count(*) FROM unchanged) = (SELECT count(*) FROM input)
    ),
    settled AS (
      UPDATE transaction t SET version = t.version + 1, updated_at = $11
      FROM unchanged i, here
      WHERE t.account_id = $6 AND t.id = i.transaction_id
      RETURNING t.account_id, i.id AS event_id, t.id, t.version, i.snapshot
    ),
    told AS (
      ${INSERT_EVENTS}
      SELECT account_id, event_id, 'update_transaction_settled', id::text, version, snapshot,
        $13, $11
      FROM settled
    )
    UPDATE batch SET events_through = $9, due_at = $12,
      events_written = CASE WHEN $10 THEN count
        ELSE events_written + (SELECT count(*) FROM input) END
    FROM here
    WHERE account_id = $6 AND id = $7
    RETURNING id`,
  read: () => undefined,
})

/** False where nothing is written. */
async function writeChunk(
  world: World,
  { batch, account, requestId }: Closing,
  { at, from, through, events }: Chunk,
  isLast: boolean,
): Promise<boolean> {
  const { accountId, id, depositAt } = batch
  const leasedUntil = after(world.clock.now(), world.timings.leaseMs)
  const dueAt = isLast && depositAt !== null ? dueIn(account, depositAt) : leasedUntil
  const values = [accountId, id, from, through, isLast, at, dueAt, requestId]
  const arrays = valuesOf(WRITE, events)
  const written = await world.db.queryHot(WRITE.name, WRITE.text, [...arrays, ...values])
  return written.length > 0
}
