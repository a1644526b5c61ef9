// Writes, for each transaction of a closed batch, the event that says it is settled. It does so in
// chunks after the closing, so that nothing waits for them. The batch's row records the progress.
//
//   wait     until the commits that may have read a transaction before the freeze have ended
//   read     the next chunk, and make each transaction's snapshot of it
//   write    one statement: the events and the batch's progress; meanwhile the next chunk is read
//              a crash here: the lease ends, the sweep nudges the batch, and the next chunk follows
//
// The event of a transaction that was read at version v has the sequence v + 1, which no change
// takes, and the transaction's row is not written. A change that is committed after the read has
// the sequence v + 2. It has read the transaction after the freeze, or the wait would not have
// ended, so its snapshot shows the settlement too. Whichever event arrives first, the one with the
// highest sequence is right.

import { setTimeout as delay } from 'node:timers/promises'
import type { Report } from '../core/progress.ts'
import { after, SECOND } from '../core/time-units.ts'
import { dateText } from '../core/whole-days.ts'
import { gatheredStatement, type InputOf, valuesOf } from '../db/gathered.ts'
import { INSERT_EVENTS } from '../events/insert-event.ts'
import { type AccountContext, accountContextOf } from '../payments/transaction/account-context.ts'
import { withFamilies } from '../payments/transaction/find-transaction.ts'
import {
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
} from '../payments/transaction/transaction-row.ts'
import { settledSequence } from '../payments/transaction/transaction-version.ts'
import { transactionView } from '../payments/transaction/transaction-view.ts'
import type { World } from '../world.ts'
import type { BatchRow } from './batch.ts'
import { type BatchWithAccount, HELD_MS } from './batch-with-account.ts'

/** A larger chunk costs the database as much a row, and occupies the processor longer at a time. */
const CHUNK = 500

/** Few batches are worked on at once. After this time another batch takes its turn. */
const TURN_MS = 2 * SECOND

/**
 * After each chunk this share of its time is left to other work. Without it, a receipt took three
 * times as long beside the events of a large batch.
 */
const OTHERS_SHARE = 0.2

/** Commits end within milliseconds. A batch that waits longer than a second gives up its turn. */
const POLL_MS = 10
const MOST_POLLS = 100

interface Chunk {
  /** The instant is read before the chunk is read: the events carry it. */
  readonly accountContext: AccountContext
  /** The last transaction before the chunk, and the last one in it. */
  readonly from: string | null
  readonly through: string | null
  /** How many events the batch has once this chunk is written. */
  readonly done: number
  readonly isLast: boolean
  readonly events: readonly SettledEvent[]
}

const SETTLED_EVENT = {
  id: 'uuid',
  transactionId: 'uuid',
  sequence: 'integer',
  snapshot: 'json',
} as const

type SettledEvent = InputOf<typeof SETTLED_EVENT>

/** True if some transactions of the batch have no settled event yet. */
export function areEventsPending({ count, eventsWritten }: BatchRow): boolean {
  return eventsWritten !== null && eventsWritten < count
}

/**
 * Returns when to continue, if a chunk was not written or the turn ended before the batch was done.
 */
export async function writeSettledEvents(
  world: World,
  batchWithAccount: BatchWithAccount,
  signal: AbortSignal,
  report: Report,
): Promise<Date | undefined> {
  const turnEnds = after(world.clock.now(), TURN_MS)
  const { eventsThrough, eventsWritten, count } = batchWithAccount.batch
  const written = eventsWritten ?? 0
  report({ done: written, of: count })
  const soon = () => after(world.clock.now(), HELD_MS)
  if (!(await earlierCommitsEnd(world))) return soon()
  let chunk = await readChunk(world, batchWithAccount, eventsThrough, written)
  for (;;) {
    signal.throwIfAborted()
    const beganMs = performance.now()
    const [isWritten, next] = await Promise.all([
      writeChunk(world, batchWithAccount, chunk),
      chunk.isLast ? chunk : readChunk(world, batchWithAccount, chunk.through, chunk.done),
    ])
    if (!isWritten) return soon()
    report({ done: chunk.done, of: count })
    if (chunk.isLast) return undefined
    if (world.clock.now() >= turnEnds) return world.clock.now()
    chunk = next
    await delay(OTHERS_SHARE * (performance.now() - beganMs))
  }
}

/**
 * Selects the database transactions that may have written or locked a row of `transaction`: all of
 * them, or those of $1 that have not ended.
 */
const WRITERS = `
  SELECT DISTINCT virtualtransaction FROM pg_locks
  WHERE locktype = 'relation' AND relation = 'transaction'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND mode IN ('RowShareLock', 'RowExclusiveLock')
    AND ($1::text[] IS NULL OR virtualtransaction = ANY($1))`

/**
 * A commit that changes a transaction locks its row before reading it. A commit that read it before
 * the freeze shows no settlement in its event. So the chunks are read only after such commits have
 * ended, and the settled event follows theirs. Later commits see the frozen batch. False if a
 * commit takes too long.
 */
async function earlierCommitsEnd({ db }: World): Promise<boolean> {
  let writers: readonly string[] | null = null
  for (let polls = 0; polls < MOST_POLLS; polls += 1) {
    const rows = await db.query(WRITERS, [writers])
    if (rows.length === 0) return true
    writers = rows.map((row) => row.virtualtransaction)
    await delay(POLL_MS)
  }
  return false
}

/**
 * The order is that of the index of a day's transactions, so that no other plan is cheaper. If the
 * previous version has written `batch_id`, it has written the event as well.
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
  { batch: { accountId, businessDate, count }, account }: BatchWithAccount,
  from: string | null,
  before: number,
): Promise<Chunk> {
  const { query } = world.db
  const accountContext = accountContextOf(world, account)
  const found = await query(READ, [accountId, dateText(businessDate), from])
  const read = await withFamilies(query, accountId, found.map(readTransaction))
  const events = read.map(({ row, family }) => ({
    id: world.newId(),
    transactionId: row.id,
    sequence: settledSequence(row.version),
    snapshot: JSON.stringify(transactionView(row, accountContext, family)),
  }))
  const through = read.at(-1)?.row.id ?? from
  const done = before + read.length
  const isLast = read.length < CHUNK || done >= count
  return { accountContext, from, through, done, isLast, events }
}

const WRITE = gatheredStatement({
  name: 'write-settled-events',
  columns: SETTLED_EVENT,
  // The parameters after the four of the input: account, batch, from, through, whether it is the
  // last chunk, the instant of the account, until when the batch is leased, the request, and
  // whether its deposit is due in real time.
  text: (input) => `
    WITH ${input},
    here AS (
      SELECT FROM batch
      WHERE account_id = $5 AND id = $6 AND events_written < count
        AND events_through IS NOT DISTINCT FROM $7::uuid
      FOR NO KEY UPDATE SKIP LOCKED
    ),
    moved AS (
      UPDATE batch SET events_through = $8,
        due_at = CASE WHEN NOT $9 THEN $11::timestamptz WHEN $13 THEN deposit_at END,
        events_written = CASE WHEN $9 THEN count
          ELSE events_written + (SELECT count(*) FROM input) END
      FROM here
      WHERE account_id = $5 AND id = $6
      RETURNING account_id, id
    ),
    events AS (
      ${INSERT_EVENTS}
      SELECT moved.account_id, i.id, 'update_transaction_settled', i.transaction_id::text,
        i.sequence, i.snapshot, $12, $10
      FROM moved CROSS JOIN input i
    )
    SELECT id FROM moved`,
  read: () => undefined,
})

/** False if another worker has written this chunk or is writing it. Then nothing is written. */
async function writeChunk(
  world: World,
  { batch, account, requestId }: BatchWithAccount,
  { accountContext, from, through, isLast, events }: Chunk,
): Promise<boolean> {
  const { accountId, id } = batch
  const leasedUntil = after(world.clock.now(), world.timings.leaseMs)
  const isInRealTime = account.clockAt === null
  const next = [accountContext.now, leasedUntil, requestId, isInRealTime]
  const values = [accountId, id, from, through, isLast, ...next]
  const arrays = valuesOf(WRITE, events)
  const written = await world.db.queryHot(WRITE.name, WRITE.text, [...arrays, ...values])
  return written.length > 0
}
