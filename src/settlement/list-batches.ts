// Lists an account's batches. An unclosed batch shows the sums that it would close with now. There
// is one batch a day, so the few rows of an account are sorted for each request.

import { csvPieces } from '../core/csv.ts'
import { dateText } from '../core/whole-days.ts'
import { arraysOf } from '../db/arrays-of.ts'
import { declareList, type Page, type Paged, readAll, readPage } from '../db/declared-list.ts'
import type { FilterValues } from '../db/terms.ts'
import type { World } from '../world.ts'
import { BATCH, BATCH_COLUMNS, batchView, type FoundBatch, readBatch } from './batch.ts'
import { netAfterFees, readSums, type Sums, sumsOfDays } from './sums.ts'

const SALES = 'coalesce(live.sales, b.sales)'
const REFUNDS = 'coalesce(live.refunds, b.refunds)'
const COUNT = 'coalesce(live.count, b.count)'

/** Batches are sorted by the values that the API shows: an open batch shows no closed_at. */
export const BATCH_SORTS = {
  business_date: 'b.business_date',
  cutoff_at: 'b.cutoff_at',
  created_at: 'b.created_at',
  closed_at: { nullable: "CASE b.status WHEN 'closed' THEN b.closed_at END" },
  count: COUNT,
  sales: SALES,
  refunds: REFUNDS,
  net: `${SALES} - ${REFUNDS}`,
} as const

export type BatchSort = keyof typeof BATCH_SORTS

/** Business dates are YYYY-MM-DD, and the last one is included. */
const FILTERS = {
  status: 'b.status = $value',
  first: 'b.business_date >= $value',
  last: 'b.business_date <= $value',
} as const

export type BatchFilters = FilterValues<typeof FILTERS>

const NOT_CLOSED = `
  SELECT business_date FROM batch WHERE account_id = $1 AND status <> 'closed'`

export async function listBatches(
  world: World,
  accountId: string,
  page: Page<BatchSort>,
  filters: BatchFilters,
): Promise<Paged<ReturnType<typeof batchView>>> {
  const list = batchesWith(await liveOf(world, accountId))
  const { total, rows } = await readPage(world, list, accountId, page, filters)
  return { total, rows: rows.map(({ row, sums }) => batchView(row, sums)) }
}

/** All of them as CSV, in chunks of whole lines. */
export async function* exportBatches(
  world: World,
  accountId: string,
  order: Pick<Page<BatchSort>, 'sort' | 'order'>,
  filters: BatchFilters,
): AsyncGenerator<string> {
  const list = batchesWith(await liveOf(world, accountId))
  yield* csvPieces(BATCH.names, readAll(world, list, accountId, order, filters), lineOf)
}

function lineOf({ row, sums }: FoundBatch): unknown[] {
  const { sales, refunds } = sums
  const cents = { sales, refunds, net: sales - refunds, fees: row.fees }
  const shown = { ...batchView(row, sums), ...cents, net_after_fees: netAfterFees(row) }
  return BATCH.names.map((field) => shown[field])
}

/** The sums of every unclosed batch, by its date. There are only a few. */
async function liveOf({ db }: World, accountId: string): Promise<ReadonlyMap<string, Sums>> {
  const rows = await db.query(NOT_CLOSED, [accountId])
  const dates = rows.map((row) => dateText(row.business_date))
  return sumsOfDays(db.query, accountId, dates)
}

/** The list leaves out unclosed batches without transactions. */
export function batchesWith(live: ReadonlyMap<string, Sums>) {
  const [counts, sales, refunds] = arraysOf([...live.values()], 'count', 'sales', 'refunds')
  return declareList({
    table: 'batch',
    alias: 'b',
    beside: (put) => `
      LEFT JOIN unnest(${put([...live.keys()])}::date[], ${put(counts)}::integer[],
          ${put(sales)}::bigint[], ${put(refunds)}::bigint[])
        AS live(business_date, count, sales, refunds)
        ON live.business_date = b.business_date AND b.status <> 'closed'`,
    always: "(b.status = 'closed' OR live.count > 0)",
    filters: FILTERS,
    sorts: BATCH_SORTS,
    columns: `${BATCH_COLUMNS}, ${COUNT} AS count, ${SALES} AS sales, ${REFUNDS} AS refunds`,
    view: (row): FoundBatch => ({ row: readBatch(row), sums: readSums(row) }),
  })
}
