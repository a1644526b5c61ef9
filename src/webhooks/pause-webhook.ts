// Pauses an endpoint for operators: its events are still written to it, and their deliveries wait
// until it is resumed. A disabled endpoint, in contrast, misses the events of that time.

import { after, earlier } from '../core/time-units.ts'
import type { RowKey } from '../db/columns.ts'
import type { InCommit } from '../db/queries.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'
import { writeWebhook } from './write-webhook.ts'

/** Deliveries that are being sent at this moment still arrive. */
export function pauseWebhook(world: World, key: RowKey, record?: InCommit): Promise<Webhook> {
  const changeOf = ({ pausedAt }: Webhook, now: Date) =>
    pausedAt === null ? { pausedAt: now } : {}
  return writeWebhook(world, key, changeOf, record)
}

/**
 * The time of the pause does not count as failing: nothing could succeed. An endpoint that failed
 * before it is shown so until a success.
 */
export async function resumeWebhook(
  world: World,
  key: RowKey,
  record?: InCommit,
): Promise<Webhook> {
  const changeOf = ({ pausedAt, failingSince }: Webhook, now: Date) => {
    if (pausedAt === null) return {}
    const pausedMs = now.getTime() - pausedAt.getTime()
    // A delivery that was under way at the pause may have been the first to fail.
    const since = failingSince === null ? null : earlier(after(failingSince, pausedMs), now)
    return { pausedAt: null, failingSince: since, silences: 0, restingUntil: null }
  }
  const webhook = await writeWebhook(world, key, changeOf, record)
  world.queues.startRound('webhook')
  return webhook
}
