// How a worker records what the gateway decided.

import { gatheredStatement } from '../db/gathered.ts'
import type { RowKey } from './row-key.ts'

export interface Recorded extends RowKey {
  /** The take that asked; the answer of an earlier one is refused. */
  readonly attempt: number
  readonly status: 'SUCCESS' | 'FAILED'
  readonly message: string
  readonly authId: string | null
  readonly captured: bigint
  readonly at: Date
  readonly eventId: string
  /** JSON: the transaction as it is from now on. */
  readonly snapshot: string
  readonly answerStatus: number
}

/**
 * Records the outcome with all that follows from it: the event, and the answer that repeats of the
 * request will get.
 */
export const recordOutcome = gatheredStatement<Recorded, true>({
  name: 'record-outcome',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    attempt: 'integer',
    status: 'transaction_status',
    message: 'text',
    authId: 'text',
    captured: 'bigint',
    at: 'timestamptz',
    eventId: 'uuid',
    snapshot: 'json',
    answerStatus: 'integer',
  },
  text: (input) => `
    WITH ${input},
    recorded AS (
      UPDATE transaction t SET status = i.status, message = i.message, auth_id = i.auth_id,
        captured = i.captured, owed = NULL, due_at = NULL, version = t.version + 1,
        updated_at = i.at
      FROM input i
      WHERE t.account_id = i.account_id AND t.id = i.id
        AND t.status = 'PENDING' AND t.attempt = i.attempt
      RETURNING i.ord, t.account_id, t.id, t.version, t.idempotency_id, t.request_id
    ),
    told AS (
      INSERT INTO event
        (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
      SELECT r.account_id, i.event_id,
        CASE r.version WHEN 1 THEN 'create_transaction' ELSE 'update_transaction' END,
        r.id::text, r.version, i.snapshot, r.request_id, i.at
      FROM recorded r JOIN input i ON i.ord = r.ord
    ),
    answered AS (
      UPDATE idempotency k SET answer_status = i.answer_status, answer = i.snapshot
      FROM recorded r JOIN input i ON i.ord = r.ord
      WHERE k.account_id = r.account_id AND k.key = r.idempotency_id AND k.resource_id = r.id::text
    )
    SELECT ord FROM recorded`,
  read: () => true,
})
