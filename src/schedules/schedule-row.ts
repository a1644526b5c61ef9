// A schedule as statements read it: with its customer, its payment method, and what became of its
// last invoice.

import type { InvoiceStatus } from '../core/invoice.ts'
import { type Recurrence, storedRecurrence } from '../core/recurrence.ts'
import { columnsOf } from '../db/columns.ts'
import type { Row } from '../db/gathered.ts'
import type { Customer, PaymentMethod, Schedule } from '../generated/client.ts'

export interface ScheduleRow extends Schedule {
  readonly customer: Customer
  readonly paymentMethod: PaymentMethod | null
  readonly lastInvoiceStatus: InvoiceStatus | null
}

const schedule = columnsOf<Schedule>('Schedule', 's', ['total'])
const customer = columnsOf<Customer>('Customer', 'c')
const paymentMethod = columnsOf<PaymentMethod>('PaymentMethod', 'm')

/** To select of a schedule `s` and SCHEDULE_JOINS. */
export const SCHEDULE_COLUMNS = [
  schedule.list,
  customer.list,
  paymentMethod.list,
  'v.status AS last_invoice_status',
].join(', ')

/** OFFSET 0 keeps each a look-up by its own key, in whatever order the planner would join them. */
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
  return {
    ...schedule.read(row),
    customer: customer.read(row),
    paymentMethod: row.m_id === null ? null : paymentMethod.read(row),
    lastInvoiceStatus: row.last_invoice_status,
  }
}

/** Changes of one schedule take turns. */
export function scheduleTurn({ accountId, id }: Pick<Schedule, 'accountId' | 'id'>): string {
  return `schedule ${accountId} ${id}`
}

/** Many schedules say the same, and a rule with many dates is not read in no time. */
const MOST_KNOWN = 2_000

const known = new Map<string, Recurrence>()

export type Timed = Pick<Schedule, 'rule' | 'anchor' | 'timezone' | 'endAt'>

/** Throws `rule_too_complex` of one that was taken before there were bounds. */
export function scheduleRecurrence({ rule, anchor, timezone, endAt }: Timed): Recurrence {
  const key = `${rule}\n${anchor}\n${timezone}\n${endAt?.getTime()}`
  const found = known.get(key)
  if (found !== undefined) return found
  const read = storedRecurrence(rule, anchor, timezone, endAt)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, read)
  return read
}
