// Lists an account's deposits: the closed batches whose money has arrived, or arrives at an instant
// that is known. There is one batch a day, so the few rows of an account are sorted each time.

import { csvPieces } from '../core/csv.ts'
import type { RowKey } from '../db/columns.ts'
import { declareList, type Page, readAll } from '../db/declared-list.ts'
import type { FilterValues } from '../db/terms.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, findBatch, readBatch } from './batch.ts'
import { averageOf, DEPOSIT } from './deposit.ts'
import { netAfterFees } from './sums.ts'

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

export const DEPOSITS = declareList({ ...DECLARED, view: (row) => DEPOSIT.view(readBatch(row)) })

const DEPOSIT_ROWS = declareList({ ...DECLARED, view: (row) => readBatch(row) })

export type DepositSort = keyof typeof DECLARED.sorts

export async function findDeposit(world: World, key: RowKey): Promise<BatchRow | undefined> {
  const found = await findBatch(world, key)
  const isDeposit = found?.row.status === 'closed' && found.row.depositAt !== null
  return isDeposit ? found.row : undefined
}

/** All of them as CSV. */
export async function* exportDeposits(
  world: World,
  accountId: string,
  order: Pick<Page<DepositSort>, 'sort' | 'order'>,
  filters: FilterValues<typeof DECLARED.filters>,
): AsyncGenerator<string> {
  const rounds = readAll(world, DEPOSIT_ROWS, accountId, order, filters)
  yield* csvPieces(DEPOSIT.names, rounds, lineOf)
}

function lineOf(row: BatchRow): unknown[] {
  const { fees, refunds, sales } = row
  const sums = { sales, refunds, sum: sales - refunds, avg: averageOf(row) }
  const cents = { ...sums, fees, net_after_fees: netAfterFees(row) }
  const shown = { ...DEPOSIT.view(row), ...cents }
  return DEPOSIT.names.map((field) => shown[field])
}
