// Finds the messages that at least one recipient gets. A message that is known to reach nobody is
// no sending: its deliveries are written and say why, but its invoice stays a draft.

import type { MessageChannel } from '../core/delivery.ts'
import { addressKey } from '../core/mail-address.ts'
import { arraysOf } from '../db/arrays-of.ts'
import type { Query } from '../db/database.ts'

export interface Addressed {
  readonly accountId: string
  readonly channel: MessageChannel
  readonly recipients: readonly string[]
  /** A schedule sends it: recipients that opted out of scheduled bills do not get it. */
  readonly isScheduled: boolean
}

/** OFFSET 0 makes each a look-up by key. */
const REACHED = `
  SELECT DISTINCT i.message
  FROM unnest($1::integer[], $2::uuid[], $3::delivery_channel[], $4::text[], $5::text[],
    $6::boolean[]) AS i(message, account_id, channel, recipient, address, is_scheduled)
  WHERE NOT EXISTS (
    SELECT FROM stopped_address s
    WHERE s.account_id = i.account_id AND s.channel = i.channel AND s.address = i.address
      AND (s.reason = 'no_such_address' OR i.is_scheduled)
    OFFSET 0
  ) AND NOT (i.channel = 'sms' AND EXISTS (
    SELECT FROM sms_opt_out o WHERE o.phone = i.recipient OFFSET 0
  ))`

/** Returns those of the messages that at least one recipient gets. */
export async function reachable<M extends Addressed>(
  query: Query,
  messages: readonly M[],
): Promise<ReadonlySet<M>> {
  const each = messages.flatMap((message, at) =>
    message.recipients.map((recipient) => {
      return { ...message, at, recipient, address: addressKey(recipient) }
    }),
  )
  if (each.length === 0) return new Set()
  const properties = ['at', 'accountId', 'channel', 'recipient', 'address', 'isScheduled'] as const
  const rows = await query(REACHED, arraysOf(each, ...properties))
  return new Set(rows.flatMap(({ message }) => messages[message] ?? []))
}
