// In which batch a success belongs: in the account's open one, until its cutoff; else in a new one.
//
// Whoever records a success holds the batch from then until his commit, and only an open one will
// do. Whoever closes it waits for all who hold it, and from his freeze on nobody joins: so what has
// the batch's date is all that it will ever take.

import assert from 'node:assert'
import { dueIn } from '../accounts/scope.ts'
import { businessDayAfter, businessDayOf } from '../core/business-day.ts'
import type { TransactionType } from '../core/transaction.ts'
import { dateText } from '../core/whole-days.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import type { TakenAccount } from './take-payment.ts'

/** A batch that may have to be opened. */
export interface Opening {
  readonly businessDate: string
  readonly cutoffAt: Date
  readonly zone: string
  readonly batchId: string
  /** When its closing is due in real time. */
  readonly batchDueAt: Date | null
}

/** Batches of an account are opened and closed at its cutoffs: few at the same moment. */
export const MOST_OPENINGS = 6

/** As often the day of the instant is tried: somebody else may have opened its batch just then. */
const SAME_DAY_TRIES = 2

/** What a batch takes, once it succeeded. */
export function isSettled({ type }: { readonly type: TransactionType }): boolean {
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

/** Of an account and an instant, as parameters or columns: its open batch, held. */
export const holdOpenBatch = (accountId: string, at: string) => `
  SELECT business_date FROM batch
  WHERE account_id = ${accountId} AND status = 'open' AND cutoff_at > ${at}
  ORDER BY cutoff_at LIMIT 1
  FOR KEY SHARE`

const HOLD = holdOpenBatch('$1', '$2')

/** A SELECT or VALUES of these follows, in this order. */
export const INSERT_BATCHES = `
  INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, created_at, due_at)`

const OPEN = `${INSERT_BATCHES}
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT DO NOTHING
  RETURNING business_date`

const KEEP = `
  SELECT business_date FROM batch
  WHERE account_id = $1 AND business_date = $2 AND status = 'open'
  FOR KEY SHARE`

/** Answers the date of the batch, held until the commit that this is a part of. */
export async function joinBatch(
  world: World,
  query: Query,
  account: TakenAccount,
  now: Date,
): Promise<string> {
  const { accountId } = account
  for (let tries = 0; tries < MOST_OPENINGS; tries += 1) {
    const [held] = await query(HOLD, [accountId, now])
    if (held !== undefined) return dateText(held.business_date)
    const opening = openingOf(world, account, now, await lastDateOf(query, accountId, tries))
    if (await open(query, accountId, now, opening)) return opening.businessDate
  }
  throw new Error('no batch could be opened')
}

async function open(
  query: Query,
  accountId: string,
  now: Date,
  { batchId, businessDate, cutoffAt, zone, batchDueAt }: Opening,
): Promise<boolean> {
  const values = [accountId, batchId, businessDate, cutoffAt, zone, now, batchDueAt]
  return (await query(OPEN, values)).length > 0
}

/** For one that a void left out of its batch, and failed: there, or where it belongs by now. */
export async function joinBatchAgain(
  world: World,
  query: Query,
  account: TakenAccount,
  now: Date,
  businessDate: Date | null,
): Promise<string> {
  assert(businessDate !== null, 'what may be voided and is no pre_auth has a day of business')
  const date = dateText(businessDate)
  const [kept] = await query(KEEP, [account.accountId, date])
  return kept === undefined ? joinBatch(world, query, account, now) : date
}
