// In which batch a success belongs: in the account's open one, until its cutoff; else in a new one.
//
// Whoever records a success holds the batch from then until his commit, and only an open one will
// do. Whoever closes it waits for all who hold it, and from his freeze on nobody joins: so what has
// the batch's date is all that it will ever take.

import { dueIn } from '../../accounts/scope.ts'
import { businessDayAfter, businessDayOf } from '../../core/business-day.ts'
import type { TransactionType } from '../../core/transaction.ts'
import { dateText } from '../../core/whole-days.ts'
import type { Query } from '../../db/database.ts'
import type { World } from '../../world.ts'
import type { TakenAccount } from '../make/take-payment.ts'

/** A batch that may have to be opened. */
export interface Opening {
  readonly businessDate: string
  readonly cutoffAt: Date
  readonly zone: string
  readonly batchId: string
  /** When its closing is due in real time. */
  readonly batchDueAt: Date | null
}

/** As often the day of the instant is tried: somebody else may have opened its batch just then. */
const SAME_DAY_TRIES = 2

/** What a batch takes, once it succeeded. */
export function joinsBatch({ type }: { readonly type: TransactionType }): boolean {
  return type === 'charge' || type === 'capture' || type === 'refund'
}

/** `lastDate`: of the account's last batch, where the day of the instant would not do. */
export function openingOf(
  world: World,
  account: TakenAccount,
  now: Date,
  lastDate: string | undefined,
): Opening {
  const { cutoff } = account
  const day = businessDayOf(now, cutoff)
  // A cutoff that was moved back may have closed the day's batch already.
  const isOver = lastDate !== undefined && day.date <= lastDate
  const { date, cutoffAt } = isOver ? businessDayAfter(lastDate, cutoff) : day
  return {
    businessDate: date,
    cutoffAt,
    zone: cutoff.zone,
    batchId: world.newId(),
    batchDueAt: dueIn(account, cutoffAt),
  }
}

const LAST_DATE = 'SELECT max(business_date) AS date FROM batch WHERE account_id = $1'

/** Asked for once the day itself has failed. */
export async function lastDateOf(
  query: Query,
  accountId: string,
  tries: number,
): Promise<string | undefined> {
  if (tries < SAME_DAY_TRIES) return undefined
  const [row] = await query(LAST_DATE, [accountId])
  return row?.date === null ? undefined : dateText(row?.date)
}

/**
 * The batches that the successes of this round join: `day` has the date for each that was wanted.
 * Batches are opened in one order, so that two rounds cannot wait for each other.
 */
export const BATCH_DAYS = `
    wanted AS (
      SELECT account_id, business_date, min(cutoff_at) AS cutoff_at, min(zone) AS zone,
        min(batch_id::text)::uuid AS batch_id, min(batch_due_at) AS due_at, max(at) AS at
      FROM current WHERE business_date IS NOT NULL
      GROUP BY account_id, business_date
    ),
    held AS (
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
        SELECT FROM held h
        WHERE h.account_id = w.account_id AND h.wanted_date = w.business_date
      )
      ORDER BY account_id, business_date
      ON CONFLICT DO NOTHING
      RETURNING account_id, business_date
    ),
    day AS (
      SELECT account_id, wanted_date, business_date FROM held
      UNION ALL
      SELECT account_id, business_date, business_date FROM opened
    )`

/** Of an input `i`, with its `day`: it has the batch that it needs. */
export const HAS_DAY = '(i.business_date IS NULL OR d.business_date IS NOT NULL)'
export const JOIN_DAY =
  'LEFT JOIN day d ON d.account_id = i.account_id AND d.wanted_date = i.business_date'
