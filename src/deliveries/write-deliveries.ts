// Writes deliveries of messages to people, in the commit that accepts them. Those of events are
// written by a trigger (src/events/insert-event.ts).

import type { MessageChannel } from '../core/delivery.ts'
import { addressKey } from '../core/mail-address.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'

export interface NewDeliveries {
  readonly accountId: string
  readonly channel: MessageChannel
  readonly subject: 'transaction' | 'invoice' | 'webhook'
  readonly subjectId: string
  /** E-mail addresses, or numbers in E.164. A recipient that is named twice gets one message. */
  readonly recipients: readonly string[]
  /** The cause: a recipient gets one message for each request. */
  readonly request: string
  readonly requestId: string
  /** A schedule causes it, and no person. False by default. */
  readonly isScheduled?: boolean
}

/** Inserts from a record `m` of `deliveryRecords`, due since the `owed_at` of `o`. */
export const INSERT_DELIVERIES = `
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
    due_at, owed_at, request_id, is_scheduled, created_at, updated_at)
  SELECT m.account_id, m.id, m.channel, m.account_id, m.subject, m.subject_id, m.recipient,
    m.request, o.owed_at, o.owed_at, m.request_id, coalesce(m.is_scheduled, false), o.owed_at,
    o.owed_at`

export const DELIVERY_RECORD = `m(account_id uuid, id uuid, channel delivery_channel,
    subject delivery_subject, subject_id uuid, recipient text, request text, request_id text,
    is_scheduled boolean)`

const INSERT = `${INSERT_DELIVERIES}
  FROM (SELECT $1::timestamptz AS owed_at) o, jsonb_to_recordset($2::jsonb) AS ${DELIVERY_RECORD}
  ON CONFLICT (account_id, subject_id, channel, recipient, request) DO NOTHING`

export async function writeDeliveries(
  world: World,
  query: Query,
  ...all: readonly NewDeliveries[]
): Promise<void> {
  const records = deliveryRecords(world, all)
  if (records.length > 0) await query(INSERT, [world.clock.now(), JSON.stringify(records)])
}

/** Ids sort in the order in which they are made: the first recipient comes first in every list. */
export function deliveryRecords(
  { newId }: World,
  all: readonly NewDeliveries[],
): readonly Readonly<Record<string, string | boolean>>[] {
  return all.flatMap(({ recipients, accountId, channel, subject, subjectId, request, ...more }) =>
    oneOfEach(recipients).map((recipient) => ({
      account_id: accountId,
      id: newId(),
      channel,
      subject,
      subject_id: subjectId,
      recipient,
      request,
      request_id: more.requestId,
      is_scheduled: more.isScheduled ?? false,
    })),
  )
}

/** All spellings of an address are one recipient; the first one is used. */
function oneOfEach(recipients: readonly string[]): readonly string[] {
  const seen = new Map<string, string>()
  for (const recipient of recipients) {
    const key = addressKey(recipient)
    if (!seen.has(key)) seen.set(key, recipient)
  }
  return [...seen.values()]
}
