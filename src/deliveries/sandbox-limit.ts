// Limits how many messages a sandbox account sends within a day. They reach people and cost money,
// although nobody pays in the sandbox; and a clock that passes ten days in a minute runs a schedule
// of every 15 minutes a thousand times.

import type { SendAnswer } from '../core/delivery.ts'
import { after, DAY, HOUR } from '../core/time-units.ts'
import { windowCount } from '../db/window-count.ts'
import type { World } from '../world.ts'
import type { ClaimedDelivery } from './claim-due-deliveries.ts'

const countMessages = windowCount({
  name: 'count-sandbox-messages',
  table: 'sandbox_message_count',
  key: { accountId: 'uuid', channel: 'delivery_channel' },
  windowMs: DAY,
  toleranceMs: HOUR,
})

const GIVE_BACK = `
  UPDATE sandbox_message_count SET count = count - 1
  WHERE account_id = $1 AND channel = $2 AND count > 0`

/**
 * Sends a message of a sandbox account, unless that has sent enough within a day. Each attempt
 * counts, and so does a retry, but not one that the provider surely did not take: an outage of the
 * provider would use up the day.
 */
export async function sendWithinLimit(
  world: World,
  { accountId, channel }: ClaimedDelivery,
  send: () => Promise<SendAnswer>,
): Promise<SendAnswer> {
  const { clock, config, db } = world
  const most = config.sandboxMessagesPerDay
  const endsAt = after(clock.now(), DAY)
  const counted = await db.ask(countMessages, { accountId, channel, endsAt })
  if (counted === undefined) throw new Error('a message was not counted')
  if (counted.used > most) return limitReached(channel, most)
  const answer = await send()
  const isUntaken = answer.kind === 'away' || answer.kind === 'throttled'
  if (isUntaken) await db.query(GIVE_BACK, [accountId, channel])
  return answer
}

function limitReached(channel: ClaimedDelivery['channel'], most: number): SendAnswer {
  const what = channel === 'sms' ? 'text messages' : 'e-mails'
  return {
    kind: 'refused',
    reason: 'sandbox_limit',
    detail: `a sandbox account sends at most ${most.toLocaleString('en-US')} ${what} within a day`,
  }
}
