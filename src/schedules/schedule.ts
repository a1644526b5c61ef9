// A schedule as statements find and read it: with its customer, its payment method, and the state
// of its last invoice.

import type { InvoiceStatus } from '../core/invoice.ts'
import { orNotFound } from '../core/or-not-found.ts'
import { type Recurrence, storedRecurrence } from '../core/recurrence.ts'
import { customerColumns } from '../customers/customer.ts'
import { methodColumns } from '../customers/payment-method.ts'
import { columnsOf, type RowKey } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { Row } from '../db/gathered.ts'
import type { Customer, PaymentMethod, Schedule } from '../generated/client.ts'

export interface ScheduleRow extends Schedule {
  readonly customer: Customer
  readonly paymentMethod: PaymentMethod | null
  readonly lastInvoiceStatus: InvoiceStatus | null
}

/** The columns of a schedule `s` alone. */
export const ownColumns = columnsOf<Schedule>('Schedule', 's', ['total'])

/** The columns of a schedule `s` with SCHEDULE_JOINS. */
export const SCHEDULE_COLUMNS = [
  ownColumns.list,
  customerColumns.list,
  methodColumns.list,
  'v.status AS last_invoice_status',
].join(', ')

/** OFFSET 0 makes each join a look-up by its key, whichever order the planner would choose. */
export const SCHEDULE_JOINS = `
  CROSS JOIN LATERAL (
    SELECT * FROM customer WHERE account_id = s.account_id AND id = s.customer_id OFFSET 0
  ) c
  LEFT JOIN LATERAL (
    SELECT * FROM payment_method
    WHERE account_id = s.account_id AND id = s.payment_method_id OFFSET 0
  ) m ON true
  LEFT JOIN LATERAL (
    SELECT status FROM invoice
    WHERE account_id = s.account_id AND id = s.last_invoice_id OFFSET 0
  ) v ON true`

export function readSchedule(row: Row): ScheduleRow {
  return Object.assign(ownColumns.read(row), {
    customer: customerColumns.read(row),
    paymentMethod: row.m_id === null ? null : methodColumns.read(row),
    lastInvoiceStatus: row.last_invoice_status,
  })
}

/** Changes of one schedule wait for each other. */
export function scheduleTurn({ accountId, id }: RowKey): string {
  return `schedule ${accountId} ${id}`
}

/** Many schedules have the same rule, and reading a rule with many dates takes time. */
const MOST_KNOWN = 2_000

const known = new Map<string, Recurrence>()

export type Timed = Pick<Schedule, 'rule' | 'anchor' | 'timezone' | 'endAt'>

/** Throws `rule_too_complex` for a rule that was accepted before there were limits. */
export function scheduleRecurrence({ rule, anchor, timezone, endAt }: Timed): Recurrence {
  const key = `${rule}\n${anchor}\n${timezone}\n${endAt?.getTime()}`
  const found = known.get(key)
  if (found !== undefined) return found
  const read = storedRecurrence(rule, anchor, timezone, endAt)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, read)
  return read
}

const FIND = `
  SELECT ${SCHEDULE_COLUMNS} FROM schedule s ${SCHEDULE_JOINS}
  WHERE s.account_id = $1 AND s.id = $2`

/** Also finds deleted schedules. Those of another account are not found. */
export async function findSchedule(query: Query, { accountId, id }: RowKey): Promise<ScheduleRow> {
  const [row] = await query(FIND, [accountId, id])
  return readSchedule(orNotFound(row))
}

const HOLD = 'SELECT id FROM schedule WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE'

/** Until the commit no other request changes it, and no run of it is made. */
export async function holdSchedule(query: Query, key: RowKey): Promise<ScheduleRow> {
  // Read after the lock, because a run that ended meanwhile may have made another invoice.
  await query(HOLD, [key.accountId, key.id])
  return findSchedule(query, key)
}
