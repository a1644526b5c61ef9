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
}

/**
 * Records the outcome, and tells of it by an event in the same commit. That event is also what
 * repeats of the request are answered.
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
  },
  text: (input) => `
    WITH ${input},
    recorded AS (
      UPDATE transaction t SET status = i.status, message = i.message, auth_id = i.auth_id,
        captured = i.captured, owed = NULL, due_at = NULL, version = t.version + 1,
        outcome_sequence = t.version + 1, updated_at = i.at
      FROM input i
      WHERE t.account_id = i.account_id AND t.id = i.id
        AND t.status = 'PENDING' AND t.attempt = i.attempt
      RETURNING i.ord, i.event_id, i.snapshot, i.at, t.account_id, t.id, t.version, t.request_id
    ),
    told AS (
      INSERT INTO event
        (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
      SELECT account_id, event_id,
        CASE version WHEN 1 THEN 'create_transaction' ELSE 'update_transaction' END,
        id::text, version, snapshot, request_id, at
      FROM recorded
    )
    SELECT ord FROM recorded`,
  read: () => true,
})
