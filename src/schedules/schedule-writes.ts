// Writes a schedule with its event, in the commit of whoever holds it.

import type { Asking } from '../accounts/asking.ts'
import { columnsOf } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { Schedule } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { ScheduleRow } from './schedule-row.ts'
import { scheduleView } from './schedule-view.ts'

const schedules = columnsOf<Schedule>('Schedule', 's')

export async function insertSchedule(
  world: World,
  query: Query,
  asking: Asking,
  row: ScheduleRow,
): Promise<void> {
  await schedules.insert(query, row)
  const change = changeOf('create_scheduled_invoice', row, scheduleView(row), asking)
  await insertEvent(world, query, change)
}

/** The next version of a schedule that is held. */
export async function updateSchedule(
  world: World,
  query: Query,
  asking: Asking,
  type: 'update_scheduled_invoice' | 'delete_scheduled_invoice',
  next: ScheduleRow,
): Promise<void> {
  await schedules.update(query, next)
  await insertEvent(world, query, changeOf(type, next, scheduleView(next), asking))
}
