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

/** A batch that may have to be opened. */
export interface BatchToOpen {
  readonly businessDate: string
  readonly cutoffAt: Date
  readonly zone: string
  readonly batchId: string
  /** When its closing is due in real time. */
  readonly batchDueAt: Date | null
}

/** True for types that a batch contains once they have succeeded. */
export function joinsBatch({ type }: { readonly type: TransactionType }): boolean {
  return type === 'charge' || type === 'capture' || type === 'refund'
}

/**
 * `lastDate` is the date of the account's last batch, used if the day of the instant is not
 * possible.
 */
export function batchToOpen(
  world: World,
  account: TakenAccount,
  now: Date,
  lastDate: string | undefined,
): BatchToOpen {
  const { cutoff } = account
  const day = businessDayOf(now, cutoff)
  // If the cutoff was moved back, the day's batch may be closed already.
  const isOver = lastDate !== undefined && day.date <= lastDate
  const { date, cutoffAt } = isOver ? businessDayAfter(lastDate, cutoff) : day
  return {
    businessDate: date,
    cutoffAt,
    zone: cutoff.zone,
    batchId: world.newId(),
    batchDueAt: realDueAt(account, cutoffAt),
  }
}

const LAST_DATE = 'SELECT max(business_date) AS date FROM batch WHERE account_id = $1'

/** The date of the account's last batch. */
export async function lastDateOf(query: Query, accountId: string): Promise<string | undefined> {
  const [row] = await query(LAST_DATE, [accountId])
  return row?.date === null ? undefined : dateText(row?.date)
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
