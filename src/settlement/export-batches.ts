// A list of batches as CSV.

import { csvOf } from '../core/csv.ts'
import type { Page } from '../db/declared-list.ts'
import type { World } from '../world.ts'
import { batchView, type FoundBatch } from './batch.ts'
import { allBatches, type BatchFilters, type BatchSort } from './list-batches.ts'

/** Enough to be worth a piece, few enough to be written between two answers to others. */
const ROUND = 250

/** As the API names them. */
const FIELDS = [
  'id',
  'business_date',
  'cutoff_at',
  'status',
  'count',
  'sales',
  'refunds',
  'net',
  'created_at',
  'closed_at',
  'deposit_at',
] as const satisfies readonly (keyof ReturnType<typeof batchView>)[]

/** Pieces of the file, each of whole lines. They are read at once: as they all were in one moment. */
export async function* exportBatches(
  world: World,
  accountId: string,
  order: Pick<Page<BatchSort>, 'sort' | 'order'>,
  filters: BatchFilters,
): AsyncGenerator<string> {
  const batches = await allBatches(world, accountId, order, filters)
  yield csvOf([[...FIELDS]])
  for (let at = 0; at < batches.length; at += ROUND) {
    yield csvOf(batches.slice(at, at + ROUND).map(lineOf))
  }
}

function lineOf({ row, sums }: FoundBatch): unknown[] {
  const { sales, refunds } = sums
  const shown = { ...batchView(row, sums), sales, refunds, net: sales - refunds }
  return FIELDS.map((field) => shown[field])
}
