// Decides which batch a success joins: the account's open one until its cutoff, and otherwise a new
// one.
//
// A commit that records a success locks an open batch until it ends. The closing waits for all such
// locks, and after its freeze nothing joins the batch. So the transactions with the batch's date
// are all that it will ever contain.

import { realDueAt } from '../../accounts/scope.ts'
import { businessDayAfter, businessDayOf } from '../../core/business-day.ts'
import type { TransactionType } from '../../core/transaction.ts'
import { dateText } from '../../core/whole-days.ts'
import type { Query } from '../../db/database.ts'
import type { World } from '../../world.ts'
import type { TakenAccount } from '../take/take-payment.ts'

/** True for types that a batch contains once they have succeeded. */
export function joinsBatch({ type }: { readonly type: TransactionType }): boolean {
  return type === 'charge' || type === 'capture' || type === 'refund'
}

/**
 * A batch that may have to be opened. `lastDate`: if the day of the instant was not possible, the
 * last one that was not.
 */
export function batchToOpen(
  world: World,
  account: TakenAccount,
  now: Date,
  lastDate: string | undefined,
) {
  const { cutoff } = account
  const { date, cutoffAt } =
    lastDate === undefined ? businessDayOf(now, cutoff) : businessDayAfter(lastDate, cutoff)
  return {
    businessDate: date,
    cutoffAt,
    zone: cutoff.zone,
    batchId: world.newId(),
    // In real time.
    batchDueAt: realDueAt(account, cutoffAt),
  }
}

/** The end of the unbroken run of dates with a batch that begins on this one. No row without one. */
const LAST_DATE = `
  SELECT b.business_date AS date FROM batch b
  WHERE b.account_id = $1 AND b.business_date >= $2
    AND EXISTS (SELECT FROM batch WHERE account_id = $1 AND business_date = $2)
    AND NOT EXISTS (
      SELECT FROM batch WHERE account_id = $1 AND business_date = b.business_date + 1
    )
  ORDER BY b.business_date LIMIT 1`

/**
 * If the cutoff was moved, the batch of the day may be closed already, and of the next one too. A
 * sandbox clock that was ahead may have closed the days of years. Returns the last such date before
 * the first free one. Undefined if the day of the instant is free.
 */
export async function lastDateOf(
  query: Query,
  accountId: string,
  { cutoff }: TakenAccount,
  now: Date,
): Promise<string | undefined> {
  let last: string | undefined
  let { date } = businessDayOf(now, cutoff)
  // A run of dates is broken, and goes on, where the zone has skipped a day.
  for (;;) {
    const [row] = await query(LAST_DATE, [accountId, date])
    if (row === undefined) return last
    last = dateText(row.date)
    date = businessDayAfter(last, cutoff).date
  }
}

/**
 * The batches that the successes of this round join: `day` has the date for each wanted batch.
 * Batches are opened in one order, so that two rounds never deadlock.
 */
export const BATCH_DAYS = `
    wanted AS (
      SELECT account_id, business_date, min(cutoff_at) AS cutoff_at, min(zone) AS zone,
        min(batch_id::text)::uuid AS batch_id, min(batch_due_at) AS due_at, max(at) AS at
      FROM current WHERE business_date IS NOT NULL
      GROUP BY account_id, business_date
    ),
    held_batch AS (
      SELECT w.account_id, w.business_date AS wanted_date, b.business_date
      FROM wanted w CROSS JOIN LATERAL (
        SELECT business_date FROM batch
        WHERE account_id = w.account_id AND status = 'open' AND cutoff_at > w.at
        ORDER BY cutoff_at LIMIT 1
        FOR KEY SHARE
      ) b
    ),
    opened AS (
      INSERT INTO batch (
        account_id, id, business_date, cutoff_at, timezone, created_at, due_at
      )
      SELECT account_id, batch_id, business_date, cutoff_at, zone, at, due_at
      FROM wanted w
      WHERE NOT EXISTS (
        SELECT FROM held_batch h
        WHERE h.account_id = w.account_id AND h.wanted_date = w.business_date
      )
      ORDER BY account_id, business_date
      ON CONFLICT DO NOTHING
      RETURNING account_id, business_date
    ),
    day AS (
      SELECT account_id, wanted_date, business_date FROM held_batch
      UNION ALL
      SELECT account_id, business_date, business_date FROM opened
    )`

/** The condition for an input `i` with its `day`: true if it has the batch that it needs. */
export const HAS_DAY = '(i.business_date IS NULL OR d.business_date IS NOT NULL)'
export const JOIN_DAY =
  'LEFT JOIN day d ON d.account_id = i.account_id AND d.wanted_date = i.business_date'
