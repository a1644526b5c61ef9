import { Refusal } from '../core/errors.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import { readSchedule, SCHEDULE_COLUMNS, SCHEDULE_JOINS, type ScheduleRow } from './schedule-row.ts'

const FIND = `
  SELECT ${SCHEDULE_COLUMNS} FROM schedule s ${SCHEDULE_JOINS}
  WHERE s.account_id = $1 AND s.id = $2`

/** Deleted ones too. What is unknown or another account's is not found. */
export function findSchedule(world: World, accountId: string, id: string): Promise<ScheduleRow> {
  return only(world.db.query, FIND, accountId, id)
}

const HOLD = 'SELECT id FROM schedule WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE'

/** Until the commit is done nobody else changes it, and no run of it is made. */
export async function holdSchedule(
  query: Query,
  accountId: string,
  id: string,
): Promise<ScheduleRow> {
  // What stands beside it is read once it is held: it may be another invoice's by then.
  await query(HOLD, [accountId, id])
  return only(query, FIND, accountId, id)
}

async function only(
  query: Query,
  text: string,
  accountId: string,
  id: string,
): Promise<ScheduleRow> {
  const [row] = await query(text, [accountId, id])
  if (row === undefined) throw new Refusal('not_found')
  return readSchedule(row)
}
