// Starts a replay: an endpoint gets all events since an instant again. The row records the
// remaining work; queue-replays.ts does it in chunks.

import { Refusal } from '../core/errors.ts'
import { firstIdAt } from '../core/id.ts'
import { after, DAY, SECOND } from '../core/time-units.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'
import { refuseChanged, refuseDisabled } from './webhook.ts'
import { holdWebhook, updateHeld } from './write-webhook.ts'

/** As long as events are kept. */
const LONGEST_BACK_MS = 30 * DAY

/**
 * An event gets its id before it is committed. After this time no commit is left that began before
 * the replay and may have seen the endpoint as disabled.
 */
const SETTLED_AFTER_MS = 5 * SECOND

/** `seenVersion`: the endpoint as it was shown. If it has changed since, nothing is done. */
export async function replayEvents(
  world: World,
  accountId: string,
  id: string,
  since: Date,
  seenVersion?: number,
): Promise<Webhook> {
  const webhook = await holdWebhook(world, accountId, id, async (query, held) => {
    const now = world.clock.now()
    refuseSince(since, now)
    refuseDisabled(held)
    refuseChanged(held, seenVersion)
    if (held.dueAt !== null) throw new Refusal('replay_under_way')
    return updateHeld(query, held, {
      replayId: world.newId(),
      replayAfter: since,
      replayAfterId: firstIdAt(since),
      replayUntil: now,
      dueAt: after(now, SETTLED_AFTER_MS),
    })
  })
  if (webhook.dueAt !== null) world.queues.startRoundAt('webhook', webhook.dueAt)
  return webhook
}

function refuseSince(since: Date, now: Date): void {
  const fault = faultOf(since, now)
  if (fault !== undefined) throw new Refusal('invalid_request', { faults: { since: [fault] } })
}

function faultOf(since: Date, now: Date): string | undefined {
  if (since > now) return 'must not be in the future'
  if (since < after(now, -LONGEST_BACK_MS)) return 'must be at most 30 days ago'
  return undefined
}
