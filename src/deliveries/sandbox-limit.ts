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

/**
 * The answer to a message of a sandbox account that has sent enough within a day. Undefined if it
 * may be sent; then this attempt is counted, so a retry counts too.
 */
export async function refusalOfSandbox(
  { clock, config, db }: World,
  { accountId, channel }: ClaimedDelivery,
): Promise<SendAnswer | undefined> {
  const most = config.sandboxMessagesPerDay
  const endsAt = after(clock.now(), DAY)
  const counted = await db.ask(countMessages, { accountId, channel, endsAt })
  if (counted === undefined) throw new Error('a message was not counted')
  if (counted.used <= most) return undefined
  const what = channel === 'sms' ? 'text messages' : 'e-mails'
  return {
    kind: 'refused',
    reason: 'sandbox_limit',
    detail: `a sandbox account sends at most ${most.toLocaleString('en-US')} ${what} within a day`,
  }
}
