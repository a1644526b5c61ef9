// Accounts whose sandbox clock differs from real time: the instants of their rows are sandbox time.

import { isId } from '../core/id.ts'
import type { World } from '../world.ts'

const CLOCKS = `
  SELECT id, clock_at FROM account WHERE id = ANY($1::uuid[]) AND clock_at IS NOT NULL`

/** The time of each account that has a clock of its own. */
export async function accountClocks(
  { db }: World,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const ids = [...new Set(accountIds)].filter(isId)
  if (ids.length === 0) return new Map()
  const rows = await db.query(CLOCKS, [ids])
  return new Map(rows.map(({ id, clock_at }) => [id, clock_at]))
}
