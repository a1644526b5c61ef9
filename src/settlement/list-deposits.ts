// Lists an account's deposits: the closed batches whose money has arrived, or arrives at an instant
// that is known. There is one batch a day, so the few rows of an account are sorted each time.

import { csvOf } from '../core/csv.ts'
import { toDecimal } from '../core/money.ts'
import { dateText } from '../core/whole-days.ts'
import { declareList, type Page, readAll } from '../db/declared-list.ts'
import type { FilterValues } from '../db/terms.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, findBatch, readBatch } from './batch.ts'

const NET = 'b.sales - b.refunds'

/**
 * The instants of the filters are those of the cutoff. A batch is closed shortly after it, or days
 * after it if no worker ran, and must not be in another month for that.
 */
const DECLARED = {
  table: 'batch',
  alias: 'b',
  always: "b.status = 'closed' AND b.deposit_at IS NOT NULL",
  filters: { from: 'b.cutoff_at >= $value', before: 'b.cutoff_at < $value' },
  sorts: {
    created_at: 'b.created_at',
    batched_at: 'b.closed_at',
    deposit_at: 'b.deposit_at',
    count: 'b.count',
    sum: NET,
  },
  columns: BATCH_COLUMNS,
} as const

export const DEPOSITS = declareList({ ...DECLARED, view: (row) => depositView(readBatch(row)) })

const DEPOSIT_ROWS = declareList({ ...DECLARED, view: (row) => readBatch(row) })

export type DepositSort = keyof typeof DECLARED.sorts

/** A batch as its deposit is shown; the events of deposits show it as a batch. */
function depositView(b: BatchRow) {
  const net = b.sales - b.refunds
  return {
    id: b.id,
    batch_id: b.id,
    business_date: dateText(b.businessDate),
    batched_at: b.closedAt,
    deposit_at: b.depositAt,
    count: b.count,
    sum: toDecimal(net),
    sales: toDecimal(b.sales),
    refunds: toDecimal(b.refunds),
    avg: toDecimal(averageOf(net, b.count)),
  }
}

/** In whole cents. */
function averageOf(net: bigint, count: number): bigint {
  return BigInt(Math.round(Number(net) / Math.max(1, count)))
}

export async function findDeposit(
  world: World,
  accountId: string,
  id: string,
): Promise<BatchRow | undefined> {
  const found = await findBatch(world, accountId, id)
  const isDeposit = found?.row.status === 'closed' && found.row.depositAt !== null
  return isDeposit ? found.row : undefined
}

const FIELDS = [
  'id',
  'batch_id',
  'business_date',
  'batched_at',
  'deposit_at',
  'count',
  'sum',
  'sales',
  'refunds',
  'avg',
] as const satisfies readonly (keyof ReturnType<typeof depositView>)[]

/** All of them as CSV: an account has some hundreds a year. */
export async function* exportDeposits(
  world: World,
  accountId: string,
  order: Pick<Page<DepositSort>, 'sort' | 'order'>,
  filters: FilterValues<typeof DECLARED.filters>,
): AsyncGenerator<string> {
  const rows = await readAll(world, DEPOSIT_ROWS, accountId, order, filters)
  yield csvOf([[...FIELDS]])
  yield csvOf(rows.map(lineOf))
}

function lineOf(row: BatchRow): unknown[] {
  const { sales, refunds, count } = row
  const sum = sales - refunds
  const shown = { ...depositView(row), sales, refunds, sum, avg: averageOf(sum, count) }
  return FIELDS.map((field) => shown[field])
}
