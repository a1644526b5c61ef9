// Lists events: every change of a resource, with the resource as it was then.

import { EVENTS } from '../../events/list-events.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { event, eventQuery } from '../schema/event.ts'
import { listSchema } from '../schema/list.ts'
import type { RouteApp } from './route-app.ts'

export function eventRoutes(app: RouteApp, world: World): void {
  app.get(
    '/event',
    {
      schema: {
        summary: 'List events',
        operationId: 'listEvents',
        description:
          'Every change of a resource, with a snapshot of the resource after the change.',
        tags: ['Account'],
        querystring: eventQuery,
        response: { 200: listSchema(event) },
      },
    },
    (request) => answerListPage(world, request, EVENTS, request.query),
  )
}
