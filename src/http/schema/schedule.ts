// The schemas of scheduled invoices: what creates and changes one, their list, and the answer.

import { Type } from '../../resource/json-schema.ts'
import {
  currency,
  EXAMPLE_ID,
  fixed,
  flag,
  id,
  idempotencyId,
  instant,
  KEPT,
  text,
} from '../../resource/schemas.ts'
import { SCHEDULE, SCHEDULE_STATUSES, SCHEDULES } from '../../schedules/schedule-view.ts'
import { OF_TIMING } from '../../schedules/timing.ts'
import { resourceSchema } from './answers.ts'
import { IGNORED, listQuery, statusFilter } from './list.ts'
import { removal } from './removal.ts'

const rule = Type.Unsafe<string>({
  'x-kind': 'text',
  type: 'string',
  minLength: 1,
  description:
    'When it runs: a recurrence rule after RFC 5545, with or without `RRULE:`. `DTSTART`, `EXDATE` and `RDATE` may stand beside it, each in a line of its own. The times that it names are at least 15 minutes apart, and so are its RDATEs from each other. HOURLY and MINUTELY count elapsed time, and have no BYSETPOS; with BYHOUR they are the daily rule of the same times, and INTERVAL must divide 24 or 60. BYSECOND can only be 0, COUNT is at most 10,000, and there are at most 1,000 dates. In a month without the day, its last day is used.',
  examples: ['FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0'],
})

const start = text(
  'The first possible run, as `DTSTART` inside the rule: local time of `timezone`, or an exact instant with `Z` or an offset. The next full minute if absent at creation. From 1900 to 2099: with a sandbox clock beyond them it must be sent.',
)

const timezone = text(
  'The zone of its wall clock. When absent at creation: the TZID of the DTSTART, else America/New_York.',
)

/** Schedules are billed by their rule alone: a limit beside it must not be lost in silence. */
const ofTiming = (field: keyof typeof OF_TIMING) =>
  Type.Optional(fixed(OF_TIMING[field], `Only null: it ${OF_TIMING[field]}.`))

const active = Type.Optional(flag('The same as status, active or paused.'))

export const newSchedule = Type.Object(
  {
    ...SCHEDULE.creation,
    rule,
    customer_id: id('The billed customer.'),
    start: Type.Optional(start),
    timezone: Type.Optional(timezone),
    currency: Type.Optional(currency),
    status: Type.Optional(
      Type.Enum(['active', 'paused'], {
        description: 'A paused schedule makes no run until it is resumed; active when absent.',
      }),
    ),
    active,
    max_runs: ofTiming('max_runs'),
    end_at: ofTiming('end_at'),
    next_run_at: ofTiming('next_run_at'),
    idempotency_id: idempotencyId,
  },
  {
    examples: [
      {
        total: 12.5,
        rule: 'FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0',
        customer_id: EXAMPLE_ID,
        meta: { memo: 'Coffee, each month' },
      },
    ],
  },
)

export const scheduleChange = Type.Object(
  {
    ...SCHEDULE.change,
    rule: Type.Optional(rule),
    start: Type.Optional(start),
    timezone: Type.Optional(timezone),
    remove: removal(['payment_method_id', 'url', 'channel']),
    status: Type.Optional(
      Type.Enum(['active', 'paused'], {
        description: 'Runs that fall due while the schedule is paused are not made.',
      }),
    ),
    active,
    customer_id: Type.Optional(id(KEPT)),
    currency: Type.Optional(currency),
    max_runs: Type.Optional(Type.Integer({ description: `${KEPT} It is COUNT of the rule.` })),
    end_at: Type.Optional(instant(`${KEPT} UNTIL or COUNT of the rule say it.`)),
    next_run_at: Type.Optional(
      instant(
        `${KEPT} So is an instant that has passed, as in a copy that was read before a run. The rule and \`start\` say it.`,
      ),
    ),
  },
  {
    description:
      'Absent fields keep their value; `meta` is replaced as a whole. The change applies to future runs. A rule without a start keeps the current start.',
    examples: [{ total: 15, status: 'paused' }],
  },
)

export const scheduleParams = Type.Object({ id: id('The scheduled invoice.') })

export const scheduleQuery = listQuery(SCHEDULES.sorts, {
  status: statusFilter(SCHEDULE_STATUSES),
  customer_id: Type.Optional(id('The billed customer.')),
  payment_method_id: Type.Optional(id('The payment method that pays.')),
  ...IGNORED,
})

export const schedule = resourceSchema('ScheduledInvoice', SCHEDULE.answer)
