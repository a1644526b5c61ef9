import { eventsOf } from '../../events/event-choice.ts'
import { createWebhook } from '../../webhooks/create-webhook.ts'
import { WEBHOOKS } from '../../webhooks/list-webhooks.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { answerListPage } from '../pages.ts'
import { requestContextOf } from '../requests.ts'
import { answers, BODY_ERRORS, KEYED_ERRORS, security } from '../schema/answers.ts'
import { idempotencyHeaders } from '../schema/headers.ts'
import { listSchema } from '../schema/list.ts'
import { ref } from '../schema/ref.ts'
import { newWebhook, webhook, webhookQuery, webhookSecretSchema } from '../schema/webhook.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'
import { oneWebhookRoutes } from './webhook-by-id.ts'
import { webhookDeliveryRoutes } from './webhook-delivery.ts'

const PATH = '/webhook'
const common = { tags: ['Webhooks'], security }

export function webhookRoutes(app: RouteApp, world: World): void {
  const onRequest = authenticate(world)

  app.get(
    PATH,
    {
      onRequest,
      schema: {
        ...common,
        summary: 'List webhooks',
        querystring: webhookQuery,
        response: answers({ 200: listSchema(webhook) }, KEYED_ERRORS),
      },
    },
    (request) => answerListPage(world, request, WEBHOOKS, request.query),
  )

  app.post(
    PATH,
    {
      onRequest,
      schema: {
        ...common,
        summary: 'Create a webhook',
        description:
          'Events that it names are posted to its address from now on, signed by the Standard Webhooks specification. The answer holds the `secret`, which is not shown again. An account has at most 20 webhooks.',
        headers: idempotencyHeaders,
        body: newWebhook,
        response: answers({ 200: ref(webhookSecretSchema) }, [
          ...BODY_ERRORS,
          'too_many_webhooks',
          'idempotency_conflict',
        ]),
      },
    },
    async (request, reply) => {
      const { target_url: targetUrl, event, idempotency_id: key } = request.body
      const asked = { targetUrl, events: eventsOf(event) }
      return answerOnce(reply, await createWebhook(world, requestContextOf(request, key), asked))
    },
  )

  oneWebhookRoutes(app, world)
  webhookDeliveryRoutes(app, world)
}
