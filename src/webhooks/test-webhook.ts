// Sends a test event to an endpoint. Event and delivery are one commit, and no other endpoint gets
// the event.

import assert from 'node:assert'
import type { RequestContext } from '../accounts/acting-account.ts'
import type { Query } from '../db/database.ts'
import { deliveryColumns } from '../deliveries/delivery-view.ts'
import { WEBHOOK_TEST } from '../events/event-names.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { type WebhookDeliveryView, webhookDeliveryView } from './list-webhook-deliveries.ts'
import { refuseDisabled, webhookView } from './webhook.ts'
import { heldWebhook, updateHeld } from './write-webhook.ts'

const OPERATION = 'test_webhook'

/** The event is identified by its resource and by the version of that resource. */
const INSERT = `
  INSERT INTO delivery AS d (account_id, id, channel, lane, subject, subject_id, recipient, request,
    due_at, owed_at, request_id, created_at, updated_at)
  SELECT e.account_id, $4, 'webhook', $2::text::uuid, 'event', e.id, $2, 'test',
    $5, $5, e.request_id, $5, $5
  FROM event e WHERE e.account_id = $1 AND e.resource_id = $2 AND e.sequence = $3
  RETURNING ${deliveryColumns.list}`

export function testWebhook(world: World, context: RequestContext, id: string): Promise<Done> {
  const deliveryId = world.newId()
  const request = { webhook_id: id }
  const claim = { operation: OPERATION, request, resourceId: deliveryId, locks: id }
  return once(world, context, claim, (query) =>
    writeTest(world, query, context, { id, deliveryId }),
  )
}

async function writeTest(
  world: World,
  query: Query,
  context: RequestContext,
  { id, deliveryId }: { readonly id: string; readonly deliveryId: string },
): Promise<WebhookDeliveryView> {
  const { accountId } = context
  const webhook = await heldWebhook(query, { accountId, id })
  refuseDisabled(webhook)
  // The new version changes nothing that GET returns.
  const next = await updateHeld(query, webhook, { updatedAt: webhook.updatedAt })
  const tested = { ...next, updatedAt: world.accountNow(context) }
  const change = changeOf(WEBHOOK_TEST, tested, webhookView(webhook), context)
  await insertEvent(world, query, change)
  const values = [accountId, id, next.version, deliveryId, world.clock.now()]
  const [queued] = await query(INSERT, values)
  assert(queued !== undefined, 'its event was written a moment ago')
  return webhookDeliveryView(deliveryColumns.read(queued), WEBHOOK_TEST)
}
