// Deliveries as rows in the database, without a process that made them.

import type { ParkedReason } from '../../src/core/delivery.ts'
import type { TestService } from './test-service.ts'

export interface DeliveryOptions {
  readonly channel?: 'email' | 'sms' | 'webhook'
  readonly status?: 'pending' | 'sent' | 'delivered' | 'parked'
  readonly reason?: ParkedReason
  /** When it was made and last changed. */
  readonly at?: Date
  /** For messages. */
  readonly recipient?: string
  /** For webhooks; an unknown endpoint by default. */
  readonly endpoint?: string
  /** The subjects of the deliveries; new ids by default. */
  readonly subjects?: readonly string[]
}

const INSERT = `
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
    status, tries, due_at, owed_at, reason, last_error, sent_at, history, request_id, created_at,
    updated_at)
  SELECT $1::uuid, new.id, $4::text::delivery_channel, CASE $4::text WHEN 'webhook' THEN $5::uuid
      ELSE $1::uuid END,
    (CASE $4::text WHEN 'webhook' THEN 'event' ELSE 'transaction' END)::delivery_subject,
    new.subject, CASE $4::text WHEN 'webhook' THEN $5::text ELSE $9::text END, 'test',
    $6::text::delivery_status, 14,
    CASE $6::text WHEN 'pending' THEN $8::timestamptz END, $8,
    CASE $6::text WHEN 'parked' THEN $7::text::parked_reason END, '451 come back later',
    CASE WHEN $6::text IN ('sent', 'delivered') OR $7::text = 'undelivered'
      THEN $8::timestamptz END,
    '[{"at": "2026-01-01T00:00:00.000Z", "ms": 12, "answer": "failed"}]', 'test', $8, $8
  FROM unnest($2::uuid[], $3::uuid[]) AS new(id, subject)`

/** Answers their ids. */
export async function insertDeliveries(
  { world }: TestService,
  accountId: string,
  count: number,
  options: DeliveryOptions = {},
): Promise<readonly string[]> {
  const { channel = 'email', status = 'sent', reason = 'out_of_tries', at = new Date() } = options
  const ids = Array.from({ length: count }, () => world.newId())
  const { recipient = 'ada@example.com' } = options
  const subjects = options.subjects ?? ids
  const lane = options.endpoint ?? world.newId()
  await world.db.query(INSERT, [
    accountId,
    ids,
    subjects,
    channel,
    lane,
    status,
    reason,
    at,
    recipient,
  ])
  return ids
}
