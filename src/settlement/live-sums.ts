// What batches that are not closed would take, or have taken so far.

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

/** One that is closing has stamped some of it already; what is being voided it will not take. */
const LIVE_SUMS = `
  SELECT t.business_date::text AS date, ${SUMS}
  FROM (
    SELECT business_date, type, total FROM transaction
    WHERE account_id = $1 AND business_date = ANY($2::date[])
      AND batch_id IS NULL AND NOT is_voided AND void_id IS NULL
    UNION ALL
    SELECT t.business_date, t.type, t.total
    FROM batch b
    JOIN transaction t
      ON t.account_id = b.account_id AND t.batch_id = b.id
    WHERE b.account_id = $1 AND b.business_date = ANY($2::date[])
  ) t
  GROUP BY t.business_date`

/** By business date, YYYY-MM-DD; a day of which nothing would be taken is not in it. */
export async function liveSums(
  query: Query,
  accountId: string,
  businessDates: readonly string[],
): Promise<ReadonlyMap<string, Sums>> {
  if (businessDates.length === 0) return new Map()
  const rows = await query(LIVE_SUMS, [accountId, businessDates])
  return new Map(rows.map((row) => [row.date, readSums(row)]))
}
