import { columnsOf } from '../db/columns.ts'
import { resourceOf } from '../events/resource.ts'
import type { Schedule } from '../generated/client.ts'
import { scheduleView } from './schedule-view.ts'

export const scheduleColumns = columnsOf<Schedule>('Schedule', 's', ['total'])

export const schedules = resourceOf(scheduleColumns, 'scheduled_invoice', scheduleView)
