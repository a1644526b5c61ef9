import { createSchedule } from '../../schedules/create-schedule.ts'
import { SCHEDULES } from '../../schedules/list-schedules.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { answerListPage } from '../pages.ts'
import { requestContextOf } from '../requests.ts'
import { answers, BODY_ERRORS, KEYED_ERRORS, security } from '../schema/answers.ts'
import { idempotencyHeaders } from '../schema/headers.ts'
import { listSchema } from '../schema/list.ts'
import { ref } from '../schema/ref.ts'
import { newSchedule, schedule, scheduleQuery } from '../schema/schedule.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'
import { oneScheduleRoutes } from './schedule-by-id.ts'
import { readNewSchedule } from './schedule-fields.ts'

const common = { tags: ['Invoices'], security }

export function scheduleRoutes(app: RouteApp, world: World): void {
  const onRequest = authenticate(world)

  app.get(
    '/invoice/schedule',
    {
      onRequest,
      schema: {
        ...common,
        summary: 'List scheduled invoices',
        description: 'Deleted schedules are listed too; filter them with `status=deleted`.',
        querystring: scheduleQuery,
        response: answers({ 200: listSchema(schedule) }, [...KEYED_ERRORS, 'invalid_id']),
      },
    },
    (request) => answerListPage(world, request, SCHEDULES, request.query),
  )

  app.post(
    '/invoice/schedule',
    {
      onRequest,
      schema: {
        ...common,
        summary: 'Create a scheduled invoice',
        description:
          'Each run makes an invoice, and a payment of it if the schedule has a payment method. A rule that never comes due, or whose first run would be in the past, is refused.',
        headers: idempotencyHeaders,
        body: newSchedule,
        response: answers({ 200: ref(schedule) }, [
          ...BODY_ERRORS,
          'invalid_id',
          'rule_too_complex',
          'not_found',
          'idempotency_conflict',
        ]),
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      return answerOnce(reply, await createSchedule(world, context, readNewSchedule(request.body)))
    },
  )

  oneScheduleRoutes(app, world)
}
