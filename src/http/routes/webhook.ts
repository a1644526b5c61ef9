// Creates, lists, shows, changes and deletes webhooks, and replaces their secrets.

import { SECOND } from '../../core/time-units.ts'
import { eventsOf } from '../../events/event-names.ts'
import type { Static } from '../../resource/json-schema.ts'
import { ifSent, onlySent } from '../../resource/read-values.ts'
import {
  changeWebhook,
  deleteWebhook,
  rollSecret,
  type SentWebhook,
} from '../../webhooks/change-webhook.ts'
import { createWebhook } from '../../webhooks/create-webhook.ts'
import { findWebhook, WEBHOOKS, webhookView } from '../../webhooks/webhook.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { callerOf, pathKey, requestContextOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { listSchema } from '../schema/list.ts'
import {
  changedWebhook,
  DEFAULT_OVERLAP_S,
  newWebhook,
  rolledSecret,
  webhook,
  webhookParams,
  webhookQuery,
  webhookSecretSchema,
} from '../schema/webhook.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'
import { webhookDeliveryRoutes } from './webhook-delivery.ts'

const PATH = '/webhook'
const common = { tags: ['Webhooks'] }

export function webhookRoutes(app: RouteApp, world: World): void {
  app.get(
    PATH,
    {
      schema: {
        ...common,
        summary: 'List webhooks',
        operationId: 'listWebhooks',
        description: 'Active and disabled webhooks, without their secrets.',
        querystring: webhookQuery,
        response: { 200: listSchema(webhook) },
      },
    },
    (request) => answerListPage(world, request, WEBHOOKS, request.query),
  )

  app.post(
    PATH,
    {
      config: { refusals: ['too_many_webhooks'] },
      schema: {
        ...common,
        summary: 'Create a webhook',
        operationId: 'createWebhook',
        description:
          'From now on the named events are posted to its address, signed by the Standard Webhooks specification. The answer contains the `secret`, which is not shown again. An account has at most 20 webhooks.',
        body: newWebhook,
        response: { 200: ref(webhookSecretSchema) },
      },
    },
    async (request, reply) => {
      const { target_url: targetUrl, event, idempotency_id: key } = request.body
      const { dialect } = callerOf(request).key
      const asked = { targetUrl, events: eventsOf(event), dialect }
      return answerOnce(reply, await createWebhook(world, requestContextOf(request, key), asked))
    },
  )

  oneWebhookRoutes(app, world)
  webhookDeliveryRoutes(app, world)
}

const ONE_PATH = '/webhook/:id'

const oneWebhook = { tags: ['Webhooks'], params: webhookParams }

function oneWebhookRoutes(app: RouteApp, world: World): void {
  app.get(
    ONE_PATH,
    {
      schema: {
        ...oneWebhook,
        summary: 'Get a webhook',
        operationId: 'getWebhook',
        description:
          'Returns the webhook without its secret, which is shown at creation and when it is rolled.',
        response: { 200: ref(webhook) },
      },
    },
    async (request) => webhookView(await findWebhook(world, pathKey(request))),
  )

  app.put(
    ONE_PATH,
    {
      schema: {
        ...oneWebhook,
        summary: 'Change, disable or enable a webhook',
        operationId: 'updateWebhook',
        description:
          'An enabled webhook gets the events that follow; a replay sends those that it missed.',
        body: changedWebhook,
        response: { 200: ref(webhook) },
      },
    },
    async (request) =>
      webhookView(await changeWebhook(world, pathKey(request), read(request.body))),
  )

  app.delete(
    ONE_PATH,
    {
      schema: {
        ...oneWebhook,
        summary: 'Delete a webhook',
        operationId: 'deleteWebhook',
        description: 'It gets no more events. Returns the webhook as it was.',
        response: { 200: ref(webhook) },
      },
    },
    async (request) => webhookView(await deleteWebhook(world, pathKey(request))),
  )

  app.post(
    `${ONE_PATH}/roll-secret`,
    {
      schema: {
        ...oneWebhook,
        summary: "Roll a webhook's secret",
        operationId: 'rollWebhookSecret',
        description:
          'Returns the new secret, which is not shown again. Until the old one expires, deliveries are signed with both. Rolling again meanwhile ends the older of the two. An old one that the service has lost the key of ends at once.',
        body: rolledSecret,
        response: { 200: ref(webhookSecretSchema) },
      },
    },
    async (request) => {
      const { expires_in: overlap = DEFAULT_OVERLAP_S } = request.body
      const { webhook, secret } = await rollSecret(world, pathKey(request), overlap * SECOND)
      return { ...webhookView(webhook), secret }
    },
  )
}

function read({ target_url, event, status }: Static<typeof changedWebhook>): SentWebhook {
  return onlySent({ targetUrl: target_url, events: ifSent(event, eventsOf), status })
}
