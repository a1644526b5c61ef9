import { SECOND } from '../../core/time-units.ts'
import { eventsOf } from '../../events/event-choice.ts'
import type { Static } from '../../resource/json-schema.ts'
import { changeWebhook, type SentWebhook } from '../../webhooks/change-webhook.ts'
import { deleteWebhook } from '../../webhooks/delete-webhook.ts'
import { findWebhook } from '../../webhooks/find-webhook.ts'
import { rollSecret } from '../../webhooks/roll-secret.ts'
import { webhookView, webhookViewWithSecret } from '../../webhooks/webhook-view.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { callerOf } from '../requests.ts'
import { answers, BODY_ERRORS, CHANGE_ERRORS, KEYED_ERRORS, security } from '../schema/answers.ts'
import { ref } from '../schema/ref.ts'
import {
  changedWebhook,
  DEFAULT_OVERLAP_S,
  rolledSecret,
  webhookSecretSchema as shownSecret,
  webhook,
  webhookParams,
} from '../schema/webhook.ts'
import type { RouteApp } from './route-app.ts'

const PATH = '/webhook/:id'

const common = { tags: ['Webhooks'], security, params: webhookParams }

/** Ids are shown in lower case, and found in any. */
export const idOf = ({ params }: { readonly params: { readonly id: string } }) =>
  params.id.toLowerCase()

export function oneWebhookRoutes(app: RouteApp, world: World): void {
  reading(app, world)
  change(app, world)
  deletion(app, world)
  rolling(app, world)
}

function reading(app: RouteApp, world: World): void {
  app.get(
    PATH,
    {
      onRequest: authenticate(world),
      schema: {
        ...common,
        summary: 'Get a webhook',
        response: answers({ 200: ref(webhook) }, [...KEYED_ERRORS, 'invalid_id', 'not_found']),
      },
    },
    async (request) =>
      webhookView(await findWebhook(world, callerOf(request).accountId, idOf(request))),
  )
}

function change(app: RouteApp, world: World): void {
  app.put(
    PATH,
    {
      onRequest: authenticate(world),
      schema: {
        ...common,
        summary: 'Change, disable or enable a webhook',
        description:
          'An enabled webhook gets events from then on; a replay sends those that it missed.',
        body: changedWebhook,
        response: answers({ 200: ref(webhook) }, [...BODY_ERRORS, 'invalid_id', 'not_found']),
      },
    },
    async (request) => {
      const { accountId } = callerOf(request)
      return webhookView(await changeWebhook(world, accountId, idOf(request), read(request.body)))
    },
  )
}

/** Without what was not sent. */
function read({ target_url, event, status }: Static<typeof changedWebhook>): SentWebhook {
  return {
    ...(target_url === undefined ? {} : { targetUrl: target_url }),
    ...(event === undefined ? {} : { events: eventsOf(event) }),
    ...(status === undefined ? {} : { status }),
  }
}

function deletion(app: RouteApp, world: World): void {
  app.delete(
    PATH,
    {
      onRequest: authenticate(world),
      schema: {
        ...common,
        summary: 'Delete a webhook',
        description: 'It gets no more events. Returns the webhook as it was.',
        response: answers({ 200: ref(webhook) }, [...CHANGE_ERRORS, 'invalid_id', 'not_found']),
      },
    },
    async (request) =>
      webhookView(await deleteWebhook(world, callerOf(request).accountId, idOf(request))),
  )
}

function rolling(app: RouteApp, world: World): void {
  app.post(
    `${PATH}/roll-secret`,
    {
      onRequest: authenticate(world),
      schema: {
        ...common,
        summary: "Roll a webhook's secret",
        description:
          'Returns the new secret, which is not shown again. Until the old one expires, deliveries are signed with both. Rolling again meanwhile ends the older of the two.',
        body: rolledSecret,
        response: answers({ 200: ref(shownSecret) }, [...BODY_ERRORS, 'invalid_id', 'not_found']),
      },
    },
    async (request) => {
      const { expires_in: overlap = DEFAULT_OVERLAP_S } = request.body
      const { accountId } = callerOf(request)
      const rolled = await rollSecret(world, accountId, idOf(request), overlap * SECOND)
      return webhookViewWithSecret(rolled.webhook, rolled.secret)
    },
  )
}
