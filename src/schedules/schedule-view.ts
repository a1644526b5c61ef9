// The fields of a schedule, its columns, the list of them, and the writes that are events. The
// timing of a request is not read here, because it becomes several columns (timing.ts).

import { INVOICE_STATUSES } from '../core/invoice.ts'
import { isoText } from '../core/iso-text.ts'
import { MISSED_RUNS } from '../core/missed-runs.ts'
import { customerView } from '../customers/customer.ts'
import { paymentMethodView } from '../customers/payment-method.ts'
import { declareList } from '../db/declared-list.ts'
import { resourceOf } from '../events/resource.ts'
import { column } from '../resource/column-kinds.ts'
import { declareFields } from '../resource/declare-fields.ts'
import { Type } from '../resource/json-schema.ts'
import { answerField, nullable, webAddress } from '../resource/schemas.ts'
import {
  ownColumns,
  readSchedule,
  SCHEDULE_COLUMNS,
  SCHEDULE_JOINS,
  type ScheduleRow,
} from './schedule.ts'
import { type Outlook, SHOWN_OCCURRENCES, shownOutlook } from './schedule-outlook.ts'

export const SCHEDULE_STATUSES = ['active', 'paused', 'deleted'] as const

export const SCHEDULE = declareFields<ScheduleRow, Outlook>()({
  id: { shown: answerField.id },
  status: { shown: Type.Enum(SCHEDULE_STATUSES) },
  total: column.money('The total of each invoice.'),
  currency: { shown: answerField.text },
  rule: { shown: Type.String({ description: 'Without its start.' }) },
  start: {
    shown: Type.String({
      description:
        'Local time of `timezone`; or UTC with `Z`, if that local time comes twice and the second one is meant.',
    }),
    from: ({ anchor }) => anchor,
  },
  timezone: { shown: answerField.text },
  rule_text: {
    shown: Type.String({ description: 'The rule in words.' }),
    from: (_row, { ruleText }) => ruleText,
  },
  customer_id: { shown: answerField.id },
  payment_method_id: column.optionalId(
    'The customer’s payment method that pays each invoice automatically; without one, the customer pays.',
  ),
  email_notification: column.flag('Invoices are sent by e-mail; true when absent.', true),
  sms_notification: column.flag(
    'Invoices are sent by SMS, while it is enabled for the team; false when absent.',
    false,
  ),
  missed_runs: {
    sent: Type.Enum(MISSED_RUNS, {
      description:
        'Runs that could not be made in time: `all` are made later, `one` run is made for all of them, or `skip` them. `all` when absent.',
    }),
    initial: 'all',
    shown: Type.Enum(MISSED_RUNS),
  },
  url: column.textual(webAddress('An http or https address of yours.')),
  channel: column.text('The origin, passed on to its invoices and payments.'),
  meta: column.meta(),
  count: { shown: Type.Integer({ description: 'Runs so far.' }) },
  max_runs: {
    shown: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'COUNT of the rule. It counts all occurrences, also skipped ones.',
    }),
  },
  end_at: { shown: answerField.timeOrNull },
  last_run_at: { shown: answerField.timeOrNull },
  last_invoice_status: {
    shown: Type.Unsafe<ScheduleRow['lastInvoiceStatus']>({
      type: ['string', 'null'],
      enum: [...INVOICE_STATUSES, null],
    }),
  },
  next_run_at: { shown: answerField.timeOrNull },
  future_occurrences: {
    shown: Type.Array(answerField.time, {
      maxItems: SHOWN_OCCURRENCES,
      description: 'The next 12 runs.',
    }),
    from: ({ nextRunAt }, { later }) =>
      nextRunAt === null ? [] : [nextRunAt, ...later].slice(0, SHOWN_OCCURRENCES).map(isoText),
  },
  deleted_at: { shown: answerField.timeOrNull },
  created_at: { shown: answerField.time },
  updated_at: { shown: answerField.time },
  customer: {
    shown: Type.Unsafe<object>({ $ref: 'Customer#' }),
    from: ({ customer }) => customerView(customer),
  },
  payment_method: {
    shown: nullable(Type.Unsafe<object>({ $ref: 'PaymentMethod#' })),
    from: ({ paymentMethod }) => paymentMethod && paymentMethodView(paymentMethod),
  },
})

/** A schedule as the API shows it, in answers and in the snapshots of events. */
export const scheduleView = (row: ScheduleRow) => SCHEDULE.view(row, shownOutlook(row))

/** Sorts by name, because PostgreSQL sorts an enum in the order of its declaration. */
const BY_STATUS = "CASE s.status WHEN 'active' THEN 1 WHEN 'deleted' THEN 2 ELSE 3 END"

/** With deleted ones. The indexes schedule_by_… and schedule_of_… have these expressions. */
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

export const schedules = resourceOf(ownColumns, 'scheduled_invoice', scheduleView)
