// Lists events: every change of a resource, with the resource as it was then.

import { EVENT_NAMES, WEBHOOK_TEST } from '../../events/event-names.ts'
import { EVENTS } from '../../events/list-events.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { resourceSchema } from '../schema/answers.ts'
import { dateRange, listQuery, listSchema } from '../schema/list.ts'
import type { RouteApp } from './route-app.ts'

const resourceId = Type.Unsafe<string>({
  'x-kind': 'resource_id',
  type: 'string',
  description: 'The changed resource.',
  examples: ['01941f29-7c00-7000-8000-000000000001'],
})

const eventQuery = listQuery(EVENTS.sorts, {
  type: Type.Optional(
    Type.Enum([...EVENT_NAMES, WEBHOOK_TEST], { description: 'The name of the event.' }),
  ),
  resource_id: Type.Optional(resourceId),
  ...dateRange,
})

export const event = resourceSchema('Event', {
  id: answerField.id,
  type: Type.String({ examples: ['create_transaction'] }),
  resource_id: answerField.text,
  sequence: Type.Integer({
    description: 'Rises with every change of the resource, from 1; numbers may be skipped.',
  }),
  created_at: answerField.time,
  data: Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    description: 'The resource as its GET returned it after the change.',
  }),
})

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
