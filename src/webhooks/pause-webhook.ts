// Pauses an endpoint for operators: its events are still written to it, and their deliveries wait
// until it is resumed. A disabled endpoint, in contrast, misses the events of that time.

import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'
import { FAILURES_FORGOTTEN, writeWebhook } from './write-webhook.ts'

/** Deliveries that are being sent at this moment still arrive. */
export function pauseWebhook(world: World, accountId: string, id: string): Promise<Webhook> {
  return writeWebhook(world, accountId, id, ({ pausedAt }, now) =>
    pausedAt === null ? { pausedAt: now } : {},
  )
}

/** Failures before the pause do not count against the endpoint afterwards. */
export async function resumeWebhook(world: World, accountId: string, id: string): Promise<Webhook> {
  const webhook = await writeWebhook(world, accountId, id, ({ pausedAt }) =>
    pausedAt === null ? {} : { pausedAt: null, ...FAILURES_FORGOTTEN },
  )
  world.queues.startRound('webhook')
  return webhook
}
