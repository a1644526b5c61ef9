// How a worker records what the gateway decided of a charge or a pre_auth.

import { gatheredStatement } from '../db/gathered.ts'
import type { RowKey } from './row-key.ts'

/** What becomes of a transaction. */
export interface Outcome {
  readonly status: 'SUCCESS' | 'FAILED'
  readonly message: string
  readonly authId: string | null
  readonly captured: bigint
}

export interface Recorded extends RowKey, Outcome {
  /** The take that asked; the answer of an earlier one is refused. */
  readonly attempt: number
  readonly at: Date
  readonly eventId: string
  /** JSON: the transaction as it is from now on. */
  readonly snapshot: string
}

/**
 * Records the outcome, tells of it by an event and counts it for its payment link, in one commit.
 * That event is also what repeats of the request are answered. Links are counted for in one order,
 * so that two rounds cannot wait for each other.
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
      RETURNING i.ord, i.event_id, i.snapshot, i.at, t.account_id, t.id, t.version, t.request_id,
        t.payment_link_id, t.captured
    ),
    told AS (
      INSERT INTO event
        (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
      SELECT account_id, event_id,
        CASE version WHEN 1 THEN 'create_transaction' ELSE 'update_transaction' END,
        id::text, version, snapshot, request_id, at
      FROM recorded
    ),
    sold AS (
      SELECT account_id, payment_link_id, sum(captured) AS sales, count(*) AS transactions
      FROM recorded WHERE payment_link_id IS NOT NULL AND captured > 0
      GROUP BY account_id, payment_link_id
      ORDER BY account_id, payment_link_id
    ),
    link AS (
      SELECT sold.*
      FROM sold
      CROSS JOIN LATERAL (
        SELECT FROM payment_link
        WHERE account_id = sold.account_id AND id = sold.payment_link_id
        FOR NO KEY UPDATE
      ) l
    ),
    counted AS (
      UPDATE payment_link l SET total_sales = l.total_sales + link.sales,
        total_transactions = l.total_transactions + link.transactions
      FROM link WHERE l.account_id = link.account_id AND l.id = link.payment_link_id
    )
    SELECT ord FROM recorded`,
  read: () => true,
})
