// Deletes an endpoint: it is told of nothing any more. Its row stays, for the deliveries that it
// was sent.

import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'
import { holdWebhook, NO_REPLAY, updateHeld } from './write-webhook.ts'

/** Answers it as it was. */
export function deleteWebhook(world: World, accountId: string, id: string): Promise<Webhook> {
  return holdWebhook(world, accountId, id, async (query, webhook) => {
    const now = world.clock.now()
    await updateHeld(query, webhook, { ...NO_REPLAY, deletedAt: now, updatedAt: now })
    return webhook
  })
}
