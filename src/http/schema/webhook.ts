// The schemas of webhooks: what creates, changes and tests one, their lists, and the answers.

import { DELIVERY, DELIVERY_STATUSES } from '../../deliveries/delivery-view.ts'
import { EVENT_CHOICES, type EventChoice } from '../../events/event-names.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField, id, idempotencyId, instant } from '../../resource/schemas.ts'
import { WEBHOOK_DELIVERIES } from '../../webhooks/list-webhook-deliveries.ts'
import { ENDPOINT_STATUSES, WEBHOOK, WEBHOOKS } from '../../webhooks/webhook.ts'
import { resourceSchema } from './answers.ts'
import { dateRange, listQuery, statusFilter } from './list.ts'

const ADDRESS_CHARACTERS = 2_048
const MOST_NAMES = 100

const DAY_S = 86_400
const LONGEST_OVERLAP_S = 7 * DAY_S

export const DEFAULT_OVERLAP_S = DAY_S

const EXAMPLE = {
  target_url: 'https://shop.example.com/events',
  event: ['create_transaction', 'update_transaction'],
}

const targetUrl = Type.Unsafe<string>({
  'x-kind': 'endpoint',
  type: 'string',
  maxLength: ADDRESS_CHARACTERS,
  description:
    'Where events are posted to: an https address of the public internet, without a user, a password or a fragment.',
  examples: [EXAMPLE.target_url],
})

const event = Type.Unsafe<EventChoice | EventChoice[]>({
  'x-kind': 'event_choice',
  type: ['string', 'array'],
  items: { type: 'string', enum: EVENT_CHOICES },
  minItems: 1,
  maxItems: MOST_NAMES,
  description: 'The events that it gets: `*` for all, one name, or a list of names.',
  examples: [EXAMPLE.event],
})

export const newWebhook = Type.Object(
  { target_url: targetUrl, event, idempotency_id: idempotencyId },
  { examples: [EXAMPLE] },
)

export const changedWebhook = Type.Object(
  {
    target_url: Type.Optional(targetUrl),
    event: Type.Optional(event),
    status: Type.Optional(
      Type.Enum(ENDPOINT_STATUSES, {
        description: 'A disabled webhook gets no events; disabling it ends a replay.',
      }),
    ),
  },
  { description: 'Absent fields keep their value.', examples: [{ event: '*' }] },
)

export const rolledSecret = Type.Object(
  {
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_OVERLAP_S,
        description: `How many seconds the old secret still signs beside the new one; ${DEFAULT_OVERLAP_S}, a day, when absent.`,
      }),
    ),
  },
  { examples: [{ expires_in: 3_600 }] },
)

export const replayedSince = Type.Object(
  {
    since: instant(
      'Events written at this real time or later, at most 30 days ago. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset.',
      '2026-03-06T15:00:00Z',
    ),
  },
  { examples: [{ since: '2026-03-06T15:00:00Z' }] },
)

export const webhookParams = Type.Object({ id: id('The webhook.') })

export const webhookQuery = listQuery(WEBHOOKS.sorts, {
  status: statusFilter(ENDPOINT_STATUSES),
  event: Type.Optional(
    Type.Enum(EVENT_CHOICES, {
      description: 'Only webhooks that get this event, by its name or by `*`.',
    }),
  ),
})

export const webhookDeliveryQuery = listQuery(WEBHOOK_DELIVERIES.sorts, {
  status: statusFilter(DELIVERY_STATUSES),
  ...dateRange,
})

// ------------------------------------------------------------------------------------- answers

export const webhook = resourceSchema(
  'Webhook',
  WEBHOOK.answer,
  'Its times are real time, even if the account has a clock of its own.',
)

export const webhookSecretSchema = resourceSchema('WebhookWithSecret', {
  ...WEBHOOK.answer,
  secret: {
    ...answerField.textOrNull,
    description:
      'Signs its deliveries. Shown only once; null if a creation is repeated after the secret was rolled.',
  },
})

export const webhookDelivery = resourceSchema('WebhookDelivery', {
  ...DELIVERY.answer,
  event_id: { ...answerField.id, description: 'The `webhook-id` of its requests.' },
  event: {
    ...answerField.textOrNull,
    description: 'The name of the event; null once the event is deleted, after 30 days.',
  },
})
