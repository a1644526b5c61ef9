// A list of batches as CSV.

import { csvOf } from '../core/csv.ts'
import type { Page } from '../db/declared-list.ts'
import type { World } from '../world.ts'
import { BATCH, batchView, type FoundBatch } from './batch.ts'
import { allBatches, type BatchFilters, type BatchSort } from './list-batches.ts'

/** Large enough to be worth a chunk, small enough that other requests do not wait for it. */
const ROUND = 250

/** Yields chunks of whole lines. All rows are read at once, so the file shows one moment. */
export async function* exportBatches(
  world: World,
  accountId: string,
  order: Pick<Page<BatchSort>, 'sort' | 'order'>,
  filters: BatchFilters,
): AsyncGenerator<string> {
  const batches = await allBatches(world, accountId, order, filters)
  yield csvOf([[...BATCH.names]])
  for (let at = 0; at < batches.length; at += ROUND) {
    yield csvOf(batches.slice(at, at + ROUND).map(lineOf))
  }
}

function lineOf({ row, sums }: FoundBatch): unknown[] {
  const { sales, refunds } = sums
  const shown = { ...batchView(row, sums), sales, refunds, net: sales - refunds }
  return BATCH.names.map((field) => shown[field])
}
