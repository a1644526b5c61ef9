import { Type } from '../../resource/json-schema.ts'
import {
  answerField,
  flag,
  id,
  idempotencyId,
  meta,
  money,
  nullable,
  text,
} from '../../resource/schemas.ts'
import { SCHEDULES } from '../../schedules/list-schedules.ts'
import { ref } from './answers.ts'
import { customer } from './customer.ts'
import { exampleSchedule } from './examples.ts'
import { IGNORED, listQuery, statusFilter } from './list.ts'
import { paymentMethod } from './payment-method.ts'

const ADDRESS_CHARACTERS = 2_048

const rule = Type.Unsafe<string>({
  'x-kind': 'text',
  type: 'string',
  minLength: 1,
  description:
    'When it runs: a recurrence rule after RFC 5545, with or without `RRULE:`. `DTSTART`, `EXDATE` and `RDATE` may stand beside it, each in a line of its own. Not finer than 15 minutes; COUNT at most 10,000, and 1,000 dates. In a month without the day, its last day is used.',
  examples: ['FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0'],
})

const start = text(
  'The first possible run, as `DTSTART` inside the rule: local time of `timezone`, or an exact instant with `Z` or an offset. The next full minute if absent at creation.',
)

const MISSED = ['all', 'one', 'skip'] as const

const paymentMethodId = id(
  'The customer’s payment method that pays each invoice automatically; without one, the customer pays.',
)

const changeable = {
  timezone: Type.Optional(
    text('The zone of its wall clock; America/New_York when absent at creation.'),
  ),
  email_notification: Type.Optional(flag('Invoices are sent by e-mail; true when absent.')),
  sms_notification: Type.Optional(flag('Invoices are sent by SMS; false when absent.')),
  missed_runs: Type.Optional(
    Type.Enum(MISSED, {
      description:
        'Runs that could not be made in time: `all` are made later, `one` run stands for all of them, or `skip` them. `all` when absent.',
    }),
  ),
  url: Type.Optional(
    Type.Unsafe<string>({
      'x-kind': 'web_address',
      type: 'string',
      maxLength: ADDRESS_CHARACTERS,
      description: 'An http or https address of yours.',
    }),
  ),
  channel: Type.Optional(text('The origin, passed on to its invoices and payments.')),
  meta: Type.Optional(meta),
}

export const newSchedule = Type.Object(
  {
    total: money('Of each invoice.'),
    rule,
    customer_id: id('The billed customer.'),
    payment_method_id: Type.Optional(paymentMethodId),
    start: Type.Optional(start),
    ...changeable,
    currency: Type.Optional(Type.Enum(['USD'])),
    idempotency_id: Type.Optional(idempotencyId),
  },
  {
    examples: [
      {
        total: 12.5,
        rule: 'FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0',
        customer_id: exampleSchedule.customer_id,
        meta: { memo: 'Coffee, each month' },
      },
    ],
  },
)

export const scheduleChange = Type.Object(
  {
    total: Type.Optional(money('The total of each future invoice.')),
    rule: Type.Optional(rule),
    start: Type.Optional(start),
    payment_method_id: Type.Optional(
      Type.Unsafe<string | null>({
        ...paymentMethodId,
        type: ['string', 'null'],
        'x-null': 'none',
        description: `${paymentMethodId.description} Null removes it.`,
      }),
    ),
    ...changeable,
    status: Type.Optional(
      Type.Enum(['active', 'paused'], {
        description: 'Runs that fall due while the schedule is paused are not made.',
      }),
    ),
    active: Type.Optional(flag('The same as status, active or paused.')),
    customer_id: Type.Optional(id('Cannot be changed; the current value is accepted.')),
  },
  {
    description:
      'Absent fields keep their value; `meta` is replaced as a whole. The change applies to future runs. A rule without a start keeps the current start.',
    examples: [{ total: 15, status: 'paused' }],
  },
)

export const scheduleParams = Type.Object({ id: id('The scheduled invoice.') })

const STATUSES = ['active', 'paused', 'deleted'] as const

export const scheduleQuery = listQuery(SCHEDULES.sorts, {
  status: statusFilter(STATUSES),
  customer_id: Type.Optional(id('The billed customer.')),
  payment_method_id: Type.Optional(id('The payment method that pays.')),
  ...IGNORED,
})

const INVOICE_STATUSES = [
  'DRAFT',
  'SENT',
  'VIEWED',
  'PAID',
  'PARTIALLY APPLIED',
  'ATTEMPTED',
  'VOID',
  'DELETED',
] as const

export const schedule = Type.Object(
  {
    id: answerField.id,
    status: Type.Enum(STATUSES),
    total: answerField.amount,
    currency: answerField.text,
    rule: Type.String({ description: 'Without its start.' }),
    start: Type.String({
      description:
        'Local time of `timezone`; or UTC with `Z`, if that local time comes twice and the second one is meant.',
    }),
    timezone: answerField.text,
    rule_text: Type.String({ description: 'The rule in words.' }),
    customer_id: answerField.id,
    payment_method_id: answerField.idOrNull,
    email_notification: answerField.flag,
    sms_notification: answerField.flag,
    missed_runs: Type.Enum(MISSED),
    url: answerField.textOrNull,
    channel: answerField.textOrNull,
    meta: answerField.meta,
    count: Type.Integer({ description: 'Runs so far.' }),
    max_runs: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'COUNT of the rule. It counts all occurrences, also skipped ones.',
    }),
    end_at: answerField.timeOrNull,
    last_run_at: answerField.timeOrNull,
    last_invoice_status: Type.Unsafe<(typeof INVOICE_STATUSES)[number] | null>({
      type: ['string', 'null'],
      enum: [...INVOICE_STATUSES, null],
    }),
    next_run_at: answerField.timeOrNull,
    future_occurrences: Type.Array(answerField.time, {
      maxItems: 12,
      description: 'The next 12 runs.',
    }),
    deleted_at: answerField.timeOrNull,
    created_at: answerField.time,
    updated_at: answerField.time,
    customer: ref(customer),
    payment_method: nullable(ref(paymentMethod)),
  },
  { $id: 'ScheduledInvoice', additionalProperties: false, examples: [exampleSchedule] },
)
