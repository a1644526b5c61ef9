// The deliveries of a webhook, and requests for more of them: a test, or a replay.

import assert from 'node:assert'
import { parseInstant } from '../../core/instant.ts'
import { DELIVERY, DELIVERY_STATUSES } from '../../deliveries/delivery-view.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField, instant, onlyOnce } from '../../resource/schemas.ts'
import { WEBHOOK_DELIVERIES } from '../../webhooks/list-webhook-deliveries.ts'
import { replayEvents } from '../../webhooks/replay-events.ts'
import { testWebhook } from '../../webhooks/test-webhook.ts'
import { findWebhook, webhookView } from '../../webhooks/webhook.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { dateRange, listQuery, listSchema, statusFilter } from '../schema/list.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'
import { webhook, webhookParams } from './webhook.ts'

const replayedSince = Type.Object(
  {
    since: instant(
      'Events written at this real time or later, at most 30 days ago. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset.',
      '2026-03-06T15:00:00Z',
    ),
  },
  { examples: [{ since: '2026-03-06T15:00:00Z' }] },
)

const webhookDeliveryQuery = listQuery(WEBHOOK_DELIVERIES.sorts, {
  status: statusFilter(DELIVERY_STATUSES),
  ...dateRange,
})

export const webhookDelivery = resourceSchema('WebhookDelivery', {
  ...DELIVERY.answer,
  event_id: { ...answerField.id, description: 'The `webhook-id` of its requests.' },
  event: {
    ...answerField.textOrNull,
    description: 'The name of the event; null once the event is deleted, after 30 days.',
  },
})

const common = { tags: ['Webhooks'], params: webhookParams }

export function webhookDeliveryRoutes(app: RouteApp, world: World): void {
  app.get(
    '/webhook/:id/delivery',
    {
      schema: {
        ...common,
        summary: 'List the deliveries of a webhook',
        operationId: 'listWebhookDeliveries',
        description: 'Deliveries, sent and pending, with the result of each attempt.',
        querystring: webhookDeliveryQuery,
        response: { 200: listSchema(webhookDelivery) },
      },
    },
    async (request) => {
      const { id } = await findWebhook(world, pathKey(request))
      const asked = { ...request.query, webhook_id: id }
      return answerListPage(world, request, WEBHOOK_DELIVERIES, asked)
    },
  )

  app.post(
    '/webhook/:id/test',
    {
      config: { refusals: ['wrong_state'] },
      schema: {
        ...common,
        summary: 'Test a webhook',
        operationId: 'testWebhook',
        description:
          'Sends an event `webhook_test` that contains the webhook, whichever events it subscribes to. Returns the delivery; the list of deliveries shows its result.',
        body: onlyOnce,
        response: { 200: ref(webhookDelivery) },
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      return answerOnce(reply, await testWebhook(world, context, pathId(request)))
    },
  )

  app.post(
    '/webhook/:id/replay',
    {
      config: { refusals: ['wrong_state', 'replay_under_way'] },
      schema: {
        ...common,
        summary: 'Replay events to a webhook',
        operationId: 'replayWebhook',
        description:
          'Sends all events since an instant to which it subscribes, each under its first `webhook-id`, also those that it has received already and those that are older than the webhook. It begins within seconds; the webhook is `replaying` until all are queued. It leaves out events that went out 100 times within 24 hours or 500 times in all, to all webhooks together. Deleting or disabling the webhook ends the replay.',
        body: replayedSince,
        response: { 200: ref(webhook) },
      },
    },
    async (request) => {
      const since = parseInstant(request.body.since)
      assert(since !== undefined, 'the schema holds it to be an instant')
      return webhookView(await replayEvents(world, pathKey(request), since))
    },
  )
}
