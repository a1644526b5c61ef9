// Refuses a text message of a team without that feature, and to send again what was sent enough
// within a day.

import { Refusal } from '../core/errors.ts'
import { after, DAY } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import type { NewDeliveries } from './write-deliveries.ts'

/**
 * The limit of each channel for one invoice or receipt, so that a loop in a merchant's code fills
 * no mailbox and texts do not cost without end. It is more than a person sends on purpose. What a
 * schedule or a setting sends by itself counts too.
 */
const MOST_A_DAY = 5

/** Each request may have several recipients. */
const MAY_SEND = `
  SELECT t.sms_enabled, (
    SELECT count(DISTINCT request)::integer FROM delivery
    WHERE account_id = a.id AND subject_id = $2 AND channel = $3 AND created_at > $4
  ) AS sent
  FROM account a JOIN team t ON t.id = a.team_id WHERE a.id = $1`

/**
 * The caller holds the subject's lock, so that requests at the same time are counted. The day is in
 * real time, because the messages are.
 */
export async function refuseSending(
  { clock }: World,
  query: Query,
  { accountId, subjectId, channel }: Pick<NewDeliveries, 'accountId' | 'subjectId' | 'channel'>,
): Promise<void> {
  const since = after(clock.now(), -DAY)
  const [may] = await query(MAY_SEND, [accountId, subjectId, channel, since])
  if (channel === 'sms' && !may?.sms_enabled) throw new Refusal('sms_not_enabled')
  if (may?.sent < MOST_A_DAY) return
  const message = `it was sent ${MOST_A_DAY} times within 24 hours`
  throw new Refusal('sent_too_often', { message })
}
