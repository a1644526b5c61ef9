// Lists an account's schedules, including deleted ones. The indexes schedule_by_… and schedule_of_…
// have exactly these expressions.

import { declareList } from '../db/declared-list.ts'
import { readSchedule, SCHEDULE_COLUMNS, SCHEDULE_JOINS } from './schedule.ts'
import { scheduleView } from './schedule-view.ts'

/** Sorts by name, because PostgreSQL sorts an enum in the order of its declaration. */
const BY_STATUS = "CASE s.status WHEN 'active' THEN 1 WHEN 'deleted' THEN 2 ELSE 3 END"

export const SCHEDULES = declareList({
  table: 'schedule',
  alias: 's',
  filters: {
    status: 's.status = $value',
    customer_id: 's.customer_id = $value',
    payment_method_id: 's.payment_method_id = $value',
  },
  sorts: {
    last_run_at: { nullable: 's.last_run_at' },
    next_run_at: { nullable: 's.next_run_at' },
    count: 's.count',
    created_at: 's.created_at',
    updated_at: 's.updated_at',
    status: BY_STATUS,
  },
  columns: SCHEDULE_COLUMNS,
  joins: SCHEDULE_JOINS,
  view: (row) => scheduleView(readSchedule(row)),
})
