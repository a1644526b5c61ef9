// A list of batches as CSV.

import { csvPieces } from '../core/csv.ts'
import type { Page } from '../db/declared-list.ts'
import type { World } from '../world.ts'
import { BATCH, batchView, type FoundBatch } from './batch.ts'
import { allBatches, type BatchFilters, type BatchSort } from './list-batches.ts'

/** Yields chunks of whole lines. */
export async function* exportBatches(
  world: World,
  accountId: string,
  order: Pick<Page<BatchSort>, 'sort' | 'order'>,
  filters: BatchFilters,
): AsyncGenerator<string> {
  yield* csvPieces(BATCH.names, allBatches(world, accountId, order, filters), lineOf)
}

function lineOf({ row, sums }: FoundBatch): unknown[] {
  const { sales, refunds } = sums
  const shown = { ...batchView(row, sums), sales, refunds, net: sales - refunds }
  return BATCH.names.map((field) => shown[field])
}
