// Creates, lists, shows, changes and deletes webhooks, and replaces their secrets.

import { LONGEST_WEB_ADDRESS } from '../../core/text.ts'
import { SECOND } from '../../core/time-units.ts'
import { EVENT_CHOICES, type EventChoice, eventsOf } from '../../events/event-names.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { ifSent, onlySent } from '../../resource/read-values.ts'
import { answerField, id, idempotencyId } from '../../resource/schemas.ts'
import {
  changeWebhook,
  deleteWebhook,
  rollSecret,
  type SentWebhook,
} from '../../webhooks/change-webhook.ts'
import { createWebhook } from '../../webhooks/create-webhook.ts'
import {
  ENDPOINT_STATUSES,
  findWebhook,
  WEBHOOK,
  WEBHOOKS,
  webhookView,
} from '../../webhooks/webhook.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { callerOf, pathKey, requestContextOf } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { listQuery, listSchema, statusFilter } from '../schema/list.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

const MOST_NAMES = 100

const DAY_S = 86_400
const LONGEST_OVERLAP_S = 7 * DAY_S

const DEFAULT_OVERLAP_S = DAY_S

const EXAMPLE = {
  target_url: 'https://shop.example.com/events',
  event: ['create_transaction', 'update_transaction'],
}

const targetUrl = Type.Unsafe<string>({
  'x-kind': 'endpoint',
  type: 'string',
  maxLength: LONGEST_WEB_ADDRESS,
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

const newWebhook = Type.Object(
  { target_url: targetUrl, event, idempotency_id: idempotencyId },
  { examples: [EXAMPLE] },
)

const changedWebhook = Type.Object(
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

const rolledSecret = Type.Object(
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

export const webhookParams = Type.Object({ id: id('The webhook.') })

const webhookQuery = listQuery(WEBHOOKS.sorts, {
  status: statusFilter(ENDPOINT_STATUSES),
  event: Type.Optional(
    Type.Enum(EVENT_CHOICES, {
      description: 'Only webhooks that get this event, by its name or by `*`.',
    }),
  ),
})

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
