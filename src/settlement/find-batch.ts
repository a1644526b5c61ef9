// One batch, with what it would take as things stand, or has taken.

import { dateText } from '../core/whole-days.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, readBatch } from './batch.ts'
import { type Sums, sumsOfDays } from './sums.ts'

export interface FoundBatch {
  readonly row: BatchRow
  readonly sums: Sums
}

const FIND = `SELECT ${BATCH_COLUMNS} FROM batch b WHERE b.account_id = $1 AND b.id = $2`

/** Undefined as well where it has nothing to take: at its closing it will be gone. */
export async function findBatch(
  world: World,
  accountId: string,
  id: string,
): Promise<FoundBatch | undefined> {
  const { query } = world.db
  const [found] = await query(FIND, [accountId, id])
  if (found === undefined) return undefined
  const row = readBatch(found)
  if (row.status === 'closed') return { row, sums: row }
  const date = dateText(row.businessDate)
  const sums = (await sumsOfDays(query, accountId, [date])).get(date)
  return sums === undefined || sums.count === 0 ? undefined : { row, sums }
}
