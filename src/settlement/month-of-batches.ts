// The batches of a span of days, for operators: one line for each day, and the batches of each day.
// Sandbox money and real money are never added up.

import type { Mode } from '../accounts/key.ts'
import { chunksOf } from '../core/chunks.ts'
import { nextDay } from '../core/month.ts'
import { after, MINUTE } from '../core/time-units.ts'
import type { Row } from '../db/gathered.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, readBatch, sumsOfBatch } from './batch.ts'
import { NOTHING, type Sums, sumsOfDay } from './sums.ts'

/** Batches close within moments of their cutoff, so this is late. */
const LATE_MS = 5 * MINUTE

/**
 * The sums of open batches are added up transaction by transaction, so only for a few at a time.
 */
const MOST_LIVE = 25

export interface Wanted {
  /** The first day, and the day after the last, as YYYY-MM-DD. */
  readonly first: string
  readonly next: string
  /** Undefined for all accounts. */
  readonly accountIds: readonly string[] | undefined
}

export interface DayOfBatches extends Sums {
  readonly mode: Mode
  readonly date: string
  readonly closed: number
  readonly closing: number
  readonly open: number
  /** Batches that are still open after their cutoff, or that closed late. */
  readonly late: number
  readonly closedLate: number
  /** False if the sums lack those of unclosed batches, because there are too many. */
  readonly isWhole: boolean
}

export interface OperatorsBatch {
  readonly row: BatchRow
  readonly sums: Sums
  readonly teamId: string
  readonly teamName: string
  readonly mode: Mode
  /** The current instant in the account's own time. */
  readonly now: Date
}

/** The condition for a batch `b` and its account `a`. $3 is the current instant in real time. */
const IS_LATE = `b.status <> 'closed' AND b.cutoff_at <= coalesce(a.clock_at, $3)
  - interval '${LATE_MS} milliseconds'`
const IS_CLOSED_LATE = `b.status = 'closed' AND b.closed_at >= b.cutoff_at
  + interval '${LATE_MS} milliseconds'`

const OF_SPAN = `
  FROM batch b JOIN account a ON a.id = b.account_id
  WHERE b.business_date >= $1 AND b.business_date < $2
    AND ($4::uuid[] IS NULL OR b.account_id = ANY($4))`

const DAYS = `
  SELECT a.mode, b.business_date::text AS date,
    count(*) FILTER (WHERE b.status = 'closed')::integer AS closed,
    count(*) FILTER (WHERE b.status = 'closing')::integer AS closing,
    count(*) FILTER (WHERE b.status = 'open')::integer AS open,
    count(*) FILTER (WHERE ${IS_LATE})::integer AS late,
    count(*) FILTER (WHERE ${IS_CLOSED_LATE})::integer AS closed_late,
    sum(b.count)::integer AS count, sum(b.sales)::bigint AS sales,
    sum(b.refunds)::bigint AS refunds
  ${OF_SPAN}
  GROUP BY 1, 2
  ORDER BY 1, 2`

/** Reads one more than it adds up, to know whether there are more. */
const NOT_CLOSED = `
  SELECT a.mode, b.business_date::text AS date, b.account_id
  ${OF_SPAN} AND b.status <> 'closed' AND $3::timestamptz IS NOT NULL
  LIMIT ${MOST_LIVE + 1}`

/** The days of both modes that have a batch. */
export async function daysOfBatches(
  world: World,
  wanted: Wanted,
): Promise<readonly DayOfBatches[]> {
  const values = valuesOf(world, wanted)
  const [days, notClosed] = await Promise.all([
    world.db.query(DAYS, values),
    world.db.query(NOT_CLOSED, values),
  ])
  if (notClosed.length > MOST_LIVE) {
    return days.map((row) => dayOf(row, NOTHING, row.open + row.closing === 0))
  }
  const live: { readonly mode: Mode; readonly date: string; readonly sums: Sums }[] = []
  // One after the other: each takes a connection to add up a day, and other work needs connections
  // too.
  for (const { mode, date, account_id: accountId } of notClosed) {
    live.push({ mode, date, sums: await sumsOfDay(world.db.query, accountId, date) })
  }
  return days.map((row) => {
    const own = live.filter(({ mode, date }) => mode === row.mode && date === row.date)
    return dayOf(row, own.map(({ sums }) => sums).reduce(plus, NOTHING), true)
  })
}

const OF_DAY = `
  SELECT ${BATCH_COLUMNS}, a.mode, a.clock_at, t.id AS team_id, t.name AS team_name
  FROM batch b JOIN account a ON a.id = b.account_id JOIN team t ON t.id = a.team_id
  WHERE b.business_date >= $1 AND b.business_date < $2 AND a.mode = $3
    AND ($4::uuid[] IS NULL OR b.account_id = ANY($4))
  ORDER BY b.business_date DESC, t.name, b.account_id
  LIMIT $5 OFFSET $6`

/** The newest day first, then by team. Returns one more than `most` if there are more. */
export async function listBatchesOfDays(
  world: World,
  { first, next, accountIds }: Wanted,
  { mode, most, skip }: { readonly mode: Mode; readonly most: number; readonly skip: number },
): Promise<readonly OperatorsBatch[]> {
  const values = [first, next, mode, accountIds ?? null, most + 1, skip]
  return withSums(world, await world.db.query(OF_DAY, values))
}

/**
 * All batches of these days, in the order of the days: some at a time, since open ones are added
 * up. A day is one statement, so that no part sorts the ones before it again.
 */
export async function* everyBatchOf(
  world: World,
  days: readonly string[],
  { mode, accountIds }: { readonly mode: Mode } & Pick<Wanted, 'accountIds'>,
): AsyncGenerator<readonly OperatorsBatch[]> {
  for (const day of days) {
    const values = [day, nextDay(day), mode, accountIds ?? null, null, 0]
    const rows = await world.db.query(OF_DAY, values)
    for (const some of chunksOf(rows, MOST_LIVE)) yield await withSums(world, some)
  }
}

async function withSums(world: World, rows: readonly Row[]): Promise<readonly OperatorsBatch[]> {
  const batches: OperatorsBatch[] = []
  for (const found of rows) {
    const row = readBatch(found)
    batches.push({
      row,
      sums: await sumsOfBatch(world.db.query, row),
      teamId: found.team_id,
      teamName: found.team_name,
      mode: found.mode,
      now: world.accountNow({ clockAt: found.clock_at }),
    })
  }
  return batches
}

/** How late the batch closed, or how late it is now. Undefined if it is in time. */
export function latenessMs({ row, now }: Pick<OperatorsBatch, 'row' | 'now'>): number | undefined {
  const { status, closedAt, cutoffAt } = row
  const seenAt = status === 'closed' && closedAt !== null ? closedAt : now
  const ms = seenAt.getTime() - cutoffAt.getTime()
  return seenAt >= after(cutoffAt, LATE_MS) ? ms : undefined
}

function valuesOf(world: World, { first, next, accountIds }: Wanted): readonly unknown[] {
  return [first, next, world.clock.now(), accountIds ?? null]
}

function dayOf(row: Row, live: Sums, isWhole: boolean): DayOfBatches {
  const { mode, date, closed, closing, open, late } = row
  const own = { count: row.count, sales: BigInt(row.sales), refunds: BigInt(row.refunds) }
  const sums = plus(own, live)
  return { mode, date, closed, closing, open, late, closedLate: row.closed_late, ...sums, isWhole }
}

function plus(one: Sums, other: Sums): Sums {
  return {
    count: one.count + other.count,
    sales: one.sales + other.sales,
    refunds: one.refunds + other.refunds,
  }
}
