import { EVENTS } from '../../events/list-events.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { answerPage } from '../pages.ts'
import { spanOf } from '../read-date-range.ts'
import { answers, KEYED, security } from '../schema/answers.ts'
import { event, eventQuery } from '../schema/event.ts'
import { listOf } from '../schema/list.ts'
import type { RouteApp } from './route-app.ts'

export function eventRoutes(app: RouteApp, world: World): void {
  app.get(
    '/event',
    {
      onRequest: authenticate(world),
      schema: {
        summary: 'List events',
        description:
          'Every change of a resource, with a snapshot of the resource after the change.',
        tags: ['Account'],
        security,
        querystring: eventQuery,
        response: answers({ 200: listOf(event) }, KEYED),
      },
    },
    async (request) => {
      const { query } = request
      return answerPage(world, request, EVENTS, { ...query, ...spanOf(query) })
    },
  )
}
