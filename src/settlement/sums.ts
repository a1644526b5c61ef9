// The sums of batches. A transaction is in the batch of its business date, unless it is voided or a
// void of it is pending. The sums of a frozen batch are final. Those of an open batch are the ones
// that it would close with now.

import { inTurn } from '../core/turns.ts'
import type { Query } from '../db/database.ts'
import type { Row } from '../db/gathered.ts'

export interface Sums {
  /** Sales and refunds together. */
  readonly count: number
  /** Whole cents. */
  readonly sales: bigint
  readonly refunds: bigint
}

export const NOTHING: Sums = { count: 0, sales: 0n, refunds: 0n }

/** What a closed batch brings to the bank account. Null while its fees are unknown. */
export function netAfterFees({
  fees,
  refunds,
  sales,
}: Pick<Sums, 'refunds' | 'sales'> & { readonly fees: bigint | null }): bigint | null {
  return fees === null ? null : sales - refunds - fees
}

const takeTurns = inTurn()

/** Adding up large batches side by side would take the connections of all other work. */
export function addUpInTurn<T>(addUp: () => Promise<T>): Promise<T> {
  return takeTurns('sums', addUp)
}

/** The columns for transactions `t`, to be read by `readSums`. */
const SUMS = `
  count(*)::integer AS count,
  coalesce(sum(t.total) FILTER (WHERE t.type <> 'refund'), 0)::bigint AS sales,
  coalesce(sum(t.total) FILTER (WHERE t.type = 'refund'), 0)::bigint AS refunds`

export function readSums(row: Row): Sums {
  return { count: row.count, sales: BigInt(row.sales), refunds: BigInt(row.refunds) }
}

const SUMS_OF_DAYS = `
  SELECT t.business_date::text AS date, ${SUMS}
  FROM transaction t
  WHERE t.account_id = $1 AND t.business_date = ANY($2::date[]) AND t.void_id IS NULL
  GROUP BY t.business_date`

/** By business date, YYYY-MM-DD. A day whose batch would be empty is left out. */
export async function sumsOfDays(
  query: Query,
  accountId: string,
  businessDates: readonly string[],
): Promise<ReadonlyMap<string, Sums>> {
  if (businessDates.length === 0) return new Map()
  const rows = await query(SUMS_OF_DAYS, [accountId, businessDates])
  return new Map(rows.map((row) => [row.date, readSums(row)]))
}

export async function sumsOfDay(
  query: Query,
  accountId: string,
  businessDate: string,
): Promise<Sums> {
  return (await sumsOfDays(query, accountId, [businessDate])).get(businessDate) ?? NOTHING
}
