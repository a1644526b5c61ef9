// Gives an endpoint a new secret. Deliveries are signed with both until the merchant has changed
// over; of a secret that was before the one before, nobody knows any more.

import { after } from '../core/time-units.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'
import { newSecret } from './secret.ts'
import { writeWebhook } from './write-webhook.ts'

/** `overlapMs`: how long the old one lives on. With none it stays in the row, and is dead. */
export function rollSecret(
  world: World,
  accountId: string,
  id: string,
  overlapMs: number,
): Promise<Webhook> {
  return writeWebhook(world, accountId, id, ({ secret }, now) => ({
    secret: newSecret(),
    previousSecret: secret,
    previousSecretUntil: after(now, overlapMs),
  }))
}
