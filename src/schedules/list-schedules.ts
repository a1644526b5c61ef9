// A page of an account's schedules, deleted ones among them. Its conditions and orders are those of
// the indexes schedule_by_… and schedule_of_…: an expression here is one there.

import { askPage, type Page, type Paged } from '../db/page.ts'
import type { ScheduleStatus } from '../generated/client.ts'
import type { World } from '../world.ts'
import { readSchedule, SCHEDULE_COLUMNS, SCHEDULE_JOINS } from './schedule-row.ts'
import { type ScheduleView, scheduleView } from './schedule-view.ts'

/** By their names, not by the order in which they come. */
const BY_STATUS = "CASE s.status WHEN 'active' THEN 1 WHEN 'deleted' THEN 2 ELSE 3 END"

export const SCHEDULE_SORTS = {
  last_run_at: 's.last_run_at',
  next_run_at: 's.next_run_at',
  count: 's.count',
  created_at: 's.created_at',
  updated_at: 's.updated_at',
  status: BY_STATUS,
} as const

export type ScheduleSort = keyof typeof SCHEDULE_SORTS

const MAY_BE_NULL: ReadonlySet<ScheduleSort> = new Set(['last_run_at', 'next_run_at'])

/** Undefined is any. */
export interface ScheduleQuery {
  readonly page: Page<ScheduleSort>
  readonly status: ScheduleStatus | undefined
  readonly customerId: string | undefined
  readonly paymentMethodId: string | undefined
}

export function listSchedules(
  world: World,
  accountId: string,
  query: ScheduleQuery,
): Promise<Paged<ScheduleView>> {
  const statements = scheduleStatements(accountId, query)
  return askPage(world.db.query, statements, (row) => scheduleView(readSchedule(row)))
}

/** What the list asks of the database. */
export function scheduleStatements(accountId: string, query: ScheduleQuery) {
  const { page, status, customerId, paymentMethodId } = query
  const values: unknown[] = [accountId]
  const term = (condition: string, value: unknown) =>
    value === undefined ? [] : [`${condition} $${values.push(value)}`]
  const terms = [
    's.account_id = $1',
    ...term('s.status =', status),
    ...term('s.customer_id =', customerId),
    ...term('s.payment_method_id =', paymentMethodId),
  ]
  const from = `FROM schedule s WHERE ${terms.join(' AND ')}`
  const order = orderOf(page)
  // Numbers of ours, so that both statements take the same values.
  const paged = `SELECT s.* ${from} ORDER BY ${order} LIMIT ${page.take} OFFSET ${page.skip}`
  return {
    values,
    count: `SELECT count(*)::integer AS total ${from}`,
    page: `SELECT ${SCHEDULE_COLUMNS} FROM (${paged}) s ${SCHEDULE_JOINS} ORDER BY ${order}`,
  }
}

/** Of what is never null nothing may be said of it, or the index would not be seen to fit. */
function orderOf({ sort, order }: Page<ScheduleSort>): string {
  const nulls = MAY_BE_NULL.has(sort) ? ' NULLS LAST' : ''
  return `${SCHEDULE_SORTS[sort]} ${order}${nulls}, s.id ${order}`
}
