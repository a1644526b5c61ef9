// When the money of a batch arrives, as far as its gateways report their payouts: with the last of
// the paid payouts that together hold all its transactions at those gateways.

import type { Cents } from '../core/money.ts'
import type { RowKey } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import type { BatchRow } from './batch.ts'
import { addUpInTurn } from './sums.ts'

const REPORTED = `
  SELECT count(*)::integer AS count FROM transaction
  WHERE account_id = $1 AND business_date = $2::date AND void_id IS NULL
    AND gateway_name = ANY($3)`

/**
 * How many transactions of a frozen batch are at gateways that report their payouts. A day may have
 * some at others, since a team can change its gateway. The number is final.
 */
export async function countReported(
  { db, gateways }: World,
  accountId: string,
  businessDate: string,
): Promise<number> {
  const names = gateways.reportingPayouts
  if (names.length === 0) return 0
  const count = () => db.query(REPORTED, [accountId, businessDate, names])
  const [row] = await addUpInTurn(count)
  return row?.count ?? 0
}

const ARRIVES_AT = `
  SELECT CASE WHEN sum(p.count) >= $3 THEN max(p.arrives_at) END AS arrives_at
  FROM batch_payout p
  WHERE p.account_id = $1 AND p.batch_id = $2 AND p.status = 'paid'`

/** Null until payouts hold them all. */
export async function depositByPayouts(
  query: Query,
  { accountId, id }: RowKey,
  reported: number,
): Promise<Date | null> {
  const [row] = await query(ARRIVES_AT, [accountId, id, reported])
  return row?.arrives_at ?? null
}

const PAID_OUT = `
  SELECT sum(p.amount)::bigint AS amount
  FROM batch_payout p
  WHERE p.account_id = $1 AND p.batch_id = $2 AND p.status = 'paid'`

/** Before fees. Null while payouts do not hold all transactions of the batch, as its fees are. */
export async function paidOutOf(
  query: Query,
  { accountId, id, fees }: RowKey & Pick<BatchRow, 'fees'>,
): Promise<Cents | null> {
  if (fees === null) return null
  const [row] = await query(PAID_OUT, [accountId, id])
  return BigInt(row?.amount ?? 0)
}
