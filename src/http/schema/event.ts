// The schemas of events: the query of their list, and the answer.

import { EVENT_NAMES, WEBHOOK_TEST } from '../../events/event-names.ts'
import { EVENTS } from '../../events/list-events.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField } from '../../resource/schemas.ts'
import { resourceSchema } from './answers.ts'
import { dateRange, listQuery } from './list.ts'

const resourceId = Type.Unsafe<string>({
  'x-kind': 'resource_id',
  type: 'string',
  description: 'The changed resource.',
  examples: ['01941f29-7c00-7000-8000-000000000001'],
})

export const eventQuery = listQuery(EVENTS.sorts, {
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
