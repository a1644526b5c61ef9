// The sums of batches. A transaction is in the batch of its business date, unless it is voided or a
// void of it is pending. A frozen batch neither gains nor loses any: its sums are those it closes
// with. Until then they are what it would close with as things stand.

import type { Query } from '../db/database.ts'
import type { Row } from '../db/gathered.ts'

export interface Sums {
  /** Of sales and refunds. */
  readonly count: number
  /** Whole cents. */
  readonly sales: bigint
  readonly refunds: bigint
}

export const NOTHING: Sums = { count: 0, sales: 0n, refunds: 0n }

/** Of transactions `t`: to select, and to read by `readSums`. */
export const SUMS = `
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

/** By business date, YYYY-MM-DD; a day whose batch would be empty is not in it. */
export async function sumsOfDays(
  query: Query,
  accountId: string,
  businessDates: readonly string[],
): Promise<ReadonlyMap<string, Sums>> {
  if (businessDates.length === 0) return new Map()
  const rows = await query(SUMS_OF_DAYS, [accountId, businessDates])
  return new Map(rows.map((row) => [row.date, readSums(row)]))
}
