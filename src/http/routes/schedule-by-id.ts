import { changeSchedule } from '../../schedules/change-schedule.ts'
import { deleteSchedule } from '../../schedules/delete-schedule.ts'
import { findSchedule } from '../../schedules/find-schedule.ts'
import { scheduleView } from '../../schedules/schedule-view.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { callerOf, requestContextOf } from '../requests.ts'
import { answers, BODY_ERRORS, CHANGE_ERRORS, KEYED_ERRORS, security } from '../schema/answers.ts'
import { ref } from '../schema/ref.ts'
import { schedule, scheduleChange, scheduleParams } from '../schema/schedule.ts'
import type { RouteApp } from './route-app.ts'
import { readScheduleChange } from './schedule-fields.ts'

const PATH = '/invoice/schedule/:id'

const common = { tags: ['Invoices'], security, params: scheduleParams }

/** Ids are shown in lower case, and found in any. */
const idOf = ({ params }: { readonly params: { readonly id: string } }) => params.id.toLowerCase()

export function oneScheduleRoutes(app: RouteApp, world: World): void {
  const onRequest = authenticate(world)

  app.get(
    PATH,
    {
      onRequest,
      schema: {
        ...common,
        summary: 'Get a scheduled invoice',
        response: answers({ 200: ref(schedule) }, [...KEYED_ERRORS, 'invalid_id', 'not_found']),
      },
    },
    async (request) =>
      scheduleView(await findSchedule(world, callerOf(request).accountId, idOf(request))),
  )

  app.put(
    PATH,
    {
      onRequest,
      schema: {
        ...common,
        summary: 'Change, pause or resume a scheduled invoice',
        description:
          'Changes future runs only. Pausing clears `next_run_at`; resuming computes it anew from now. A deleted schedule cannot be changed.',
        body: scheduleChange,
        response: answers({ 200: ref(schedule) }, [
          ...BODY_ERRORS,
          'invalid_id',
          'rule_too_complex',
          'not_found',
          'wrong_state',
        ]),
      },
    },
    async (request) => {
      const change = readScheduleChange(request.body)
      return scheduleView(
        await changeSchedule(world, requestContextOf(request), idOf(request), change),
      )
    },
  )

  app.delete(
    PATH,
    {
      onRequest,
      schema: {
        ...common,
        summary: 'Delete a scheduled invoice',
        description:
          'Deletion is final: after the answer the schedule makes no invoice, and failed payments of its invoices are not retried. It stays in lists. Deleting it again returns the same.',
        response: answers({ 200: ref(schedule) }, [...CHANGE_ERRORS, 'invalid_id', 'not_found']),
      },
    },
    async (request) =>
      scheduleView(await deleteSchedule(world, requestContextOf(request), idOf(request))),
  )
}
