// Gives an endpoint a new secret. Deliveries are signed with both until the merchant has changed
// over; of a secret that was before the one before, nobody knows any more.

import { after } from '../core/time-units.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'
import { newSigningSecret, openSecret, sealSecret } from './seal-secret.ts'
import { writeWebhook } from './write-webhook.ts'

export interface Rolled {
  readonly webhook: Webhook
  /** To be shown once. */
  readonly secret: string
}

/** `overlapMs`: how long the old one lives on. With none it stays in the row, and is dead. */
export async function rollSecret(
  world: World,
  accountId: string,
  id: string,
  overlapMs: number,
): Promise<Rolled> {
  const key = { accountId, id }
  const secret = newSigningSecret()
  const webhook = await writeWebhook(world, accountId, id, (held, now) => ({
    secret: sealSecret(world, key, secret),
    previousSecret: sealSecret(world, key, openSecret(world, key, held.secret)),
    previousSecretUntil: after(now, overlapMs),
  }))
  return { webhook, secret }
}
