// Creates, lists, shows, changes and deletes scheduled invoices.

import { wrongField } from '../../core/errors.ts'
import { parseInstant } from '../../core/instant.ts'
import { zoneNamedIn } from '../../core/recurrence.ts'
import { refusePageMethod } from '../../customers/refuse-page-method.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { ifSent, isFlagSet, onlySent } from '../../resource/read-values.ts'
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
import { changeSchedule, type ScheduleChange } from '../../schedules/change-schedule.ts'
import { createSchedule, type NewSchedule } from '../../schedules/create-schedule.ts'
import { deleteSchedule } from '../../schedules/delete-schedule.ts'
import { findSchedule } from '../../schedules/schedule.ts'
import {
  SCHEDULE,
  SCHEDULE_STATUSES,
  SCHEDULES,
  scheduleView,
} from '../../schedules/schedule-view.ts'
import { OF_TIMING } from '../../schedules/timing.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { callerOf, pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { IGNORED, listQuery, listSchema, statusFilter } from '../schema/list.ts'
import { removal, withRemoved } from '../schema/removal.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

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

const newSchedule = Type.Object(
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

const scheduleChange = Type.Object(
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

const scheduleParams = Type.Object({ id: id('The scheduled invoice.') })

const scheduleQuery = listQuery(SCHEDULES.sorts, {
  status: statusFilter(SCHEDULE_STATUSES),
  customer_id: Type.Optional(id('The billed customer.')),
  payment_method_id: Type.Optional(id('The payment method that pays.')),
  ...IGNORED,
})

export const schedule = resourceSchema('ScheduledInvoice', SCHEDULE.answer)

const common = { tags: ['Scheduled invoices'] }

export function scheduleRoutes(app: RouteApp, world: World): void {
  app.get(
    '/invoice/schedule',
    {
      schema: {
        ...common,
        summary: 'List scheduled invoices',
        operationId: 'listSchedules',
        description: 'Deleted schedules are listed too; filter them with `status=deleted`.',
        querystring: scheduleQuery,
        response: { 200: listSchema(schedule) },
      },
    },
    (request) => answerListPage(world, request, SCHEDULES, request.query),
  )

  app.post(
    '/invoice/schedule',
    {
      config: { refusals: ['rule_too_complex', 'not_found'] },
      schema: {
        ...common,
        summary: 'Create a scheduled invoice',
        operationId: 'createSchedule',
        description:
          'Each run makes an invoice, and a payment of it if the schedule has a payment method. A rule that never comes due, or whose first run would be in the past, is refused. A schedule that is made `paused` runs from its resumption on.',
        body: newSchedule,
        response: { 200: ref(schedule) },
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      const input = readNewSchedule(request.body)
      await refusePageMethod(world, callerOf(request), input.fields.paymentMethodId)
      return answerOnce(reply, await createSchedule(world, context, input))
    },
  )

  oneScheduleRoutes(app, world)
}

type Creation = Static<typeof newSchedule>
type Change = Static<typeof scheduleChange>

const DEFAULT_ZONE = 'America/New_York'

function readNewSchedule(body: Creation): NewSchedule {
  return {
    fields: SCHEDULE.readCreation(body),
    rule: body.rule,
    start: body.start,
    timezone: body.timezone ?? zoneNamedIn(body.rule) ?? DEFAULT_ZONE,
    currency: body.currency ?? 'USD',
    customerId: body.customer_id.toLowerCase(),
    status: statusOf(body) ?? 'active',
  }
}

function readScheduleChange(body: Change): ScheduleChange {
  const { rule, start, timezone, max_runs: maxRuns, end_at: endAt, next_run_at: nextRunAt } = body
  return {
    fields: SCHEDULE.readChange(withRemoved(body)),
    timing: onlySent({ rule, start, timezone }),
    status: statusOf(body),
    fixed: {
      customerId: body.customer_id?.toLowerCase(),
      maxRuns,
      endAt: ifSent(endAt, parseInstant),
      nextRunAt: ifSent(nextRunAt, parseInstant),
    },
  }
}

function statusOf({ status, active }: Pick<Change, 'status' | 'active'>): ScheduleChange['status'] {
  if (active === undefined) return status
  const flagged = isFlagSet(active) ? 'active' : 'paused'
  if (status === undefined || status === flagged) return flagged
  throw wrongField('active', `says ${flagged}, and status ${status}`)
}

const ONE_PATH = '/invoice/schedule/:id'

const oneSchedule = { tags: ['Scheduled invoices'], params: scheduleParams }

function oneScheduleRoutes(app: RouteApp, world: World): void {
  app.get(
    ONE_PATH,
    {
      schema: {
        ...oneSchedule,
        summary: 'Get a scheduled invoice',
        operationId: 'getSchedule',
        description: 'A deleted scheduled invoice is returned too, with the status deleted.',
        response: { 200: ref(schedule) },
      },
    },
    async (request) => scheduleView(await findSchedule(world.db.query, pathKey(request))),
  )

  app.put(
    ONE_PATH,
    {
      config: { refusals: ['rule_too_complex', 'wrong_state'] },
      schema: {
        ...oneSchedule,
        summary: 'Change, pause or resume a scheduled invoice',
        operationId: 'updateSchedule',
        description:
          'Changes future runs only: an invoice that a run has made keeps its total and its payment method. A day that has run has no second run, whatever hour, zone or `start` the change names, and a change that would put the run of today in the past is refused. So is a change of the timing or of `total` while a run is overdue by five minutes. COUNT counts from the start, so it includes the runs before the change; from a new `start` it counts anew. Pausing clears `next_run_at`; resuming computes it again from now. A deleted schedule cannot be changed.',
        body: scheduleChange,
        response: { 200: ref(schedule) },
      },
    },
    async (request) => {
      const change = readScheduleChange(request.body)
      await refusePageMethod(world, callerOf(request), change.fields.paymentMethodId)
      return scheduleView(
        await changeSchedule(world, requestContextOf(request), pathId(request), change),
      )
    },
  )

  app.delete(
    ONE_PATH,
    {
      schema: {
        ...oneSchedule,
        summary: 'Delete a scheduled invoice',
        operationId: 'deleteSchedule',
        description:
          'Deletion is final: after the answer the schedule makes no invoice, and failed payments of its invoices are not retried. It stays in lists. Deleting it again returns the same.',
        response: { 200: ref(schedule) },
      },
    },
    async (request) =>
      scheduleView(await deleteSchedule(world, requestContextOf(request), pathId(request))),
  )
}
