// How a worker records what the gateway decided of a charge or a pre_auth.

import { gatheredStatement } from '../db/gathered.ts'
import { DELIVERY_RECORD, INSERT_DELIVERIES } from '../deliveries/write-deliveries.ts'
import { holdOpenBatch, type Opening } from './join-batch.ts'
import type { RowKey } from './row-key.ts'

/** What becomes of a transaction. */
export interface Outcome {
  readonly status: 'SUCCESS' | 'FAILED'
  readonly message: string
  readonly authId: string | null
  readonly captured: bigint
}

export interface Recorded extends RowKey, Outcome, NullableOpening {
  /** The take that asked; the answer of an earlier one is refused. */
  readonly attempt: number
  readonly at: Date
  readonly eventId: string
  /** JSON: the transaction as it is from now on. */
  readonly snapshot: string
  readonly receiptEmailAt: Date | null
  readonly receiptSmsAt: Date | null
  /** JSON: what its customer is to hear of it; null for nothing. */
  readonly messages: string | null
  /** Since when that is owed, in real time. */
  readonly owedAt: Date
}

/** Of what no batch takes, null throughout. */
type NullableOpening = { readonly [property in keyof Opening]: Opening[property] | null }

export const NO_OPENING = {
  businessDate: null,
  cutoffAt: null,
  zone: null,
  batchId: null,
  batchDueAt: null,
}

/** `no batch`: none was open, and none could be opened on that day; nothing is recorded. */
export type Recording = 'recorded' | 'no batch'

export const OUTCOME_COLUMNS = {
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
  businessDate: 'date',
  cutoffAt: 'timestamptz',
  zone: 'text',
  batchId: 'uuid',
  batchDueAt: 'timestamptz',
  receiptEmailAt: 'timestamptz',
  receiptSmsAt: 'timestamptz',
  messages: 'jsonb',
  owedAt: 'timestamptz',
} as const

/**
 * The batches that the successes of this round join: `day` has the date for each that was wanted.
 * Batches are opened in one order, so that two rounds cannot wait for each other.
 */
export const DAYS = `
    wanted AS (
      SELECT account_id, business_date, min(cutoff_at) AS cutoff_at, min(zone) AS zone,
        min(batch_id::text)::uuid AS batch_id, min(batch_due_at) AS due_at, max(at) AS at
      FROM input WHERE business_date IS NOT NULL
      GROUP BY account_id, business_date
    ),
    held AS (
      SELECT w.account_id, w.business_date AS wanted_date, b.business_date
      FROM wanted w CROSS JOIN LATERAL (${holdOpenBatch('w.account_id', 'w.at')}) b
    ),
    opened AS (
      INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, created_at, due_at)
      SELECT account_id, batch_id, business_date, cutoff_at, zone, at, due_at
      FROM wanted w
      WHERE NOT EXISTS (
        SELECT FROM held h
        WHERE h.account_id = w.account_id AND h.wanted_date = w.business_date
      )
      ORDER BY account_id, business_date
      ON CONFLICT DO NOTHING
      RETURNING account_id, business_date
    ),
    day AS (
      SELECT account_id, wanted_date, business_date FROM held
      UNION ALL
      SELECT account_id, business_date, business_date FROM opened
    )`

/** Of an input `i`, with its `day`: it has the batch that it needs. */
export const HAS_DAY = '(i.business_date IS NULL OR d.business_date IS NOT NULL)'
export const JOIN_DAY =
  'LEFT JOIN day d ON d.account_id = i.account_id AND d.wanted_date = i.business_date'

/** To set of a transaction `t`. */
export const SET_OUTCOME = `status = i.status, message = i.message, auth_id = i.auth_id,
        captured = i.captured, owed = NULL, due_at = NULL, version = t.version + 1,
        outcome_sequence = t.version + 1, updated_at = i.at, business_date = d.business_date,
        receipt_email_at = i.receipt_email_at, receipt_sms_at = i.receipt_sms_at`

/** What those who tell of it need to know. */
export const OF_RECORDED = `i.ord, i.event_id, i.snapshot, i.at, i.messages, i.owed_at,
        t.account_id, t.id, t.version, t.request_id, t.payment_link_id, t.captured`

/** What follows from what was `recorded`: event, messages, what its payment link is credited with. */
export const TOLD_AND_COUNTED = `
    told AS (
      INSERT INTO event
        (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
      SELECT account_id, event_id,
        CASE version WHEN 1 THEN 'create_transaction' ELSE 'update_transaction' END,
        id::text, version, snapshot, request_id, at
      FROM recorded
    ),
    owed AS (${INSERT_DELIVERIES}
      FROM recorded o CROSS JOIN LATERAL jsonb_to_recordset(o.messages) AS ${DELIVERY_RECORD}
      ON CONFLICT DO NOTHING
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
    )`

/**
 * Records the outcome, puts it in a batch, tells of it by an event and counts it for its payment
 * link, in one commit. That event is also what repeats of the request are answered. Links are
 * counted for in one order, so that two rounds cannot wait for each other.
 *
 * Answers nothing where a later take asked as well.
 */
export const recordOutcome = gatheredStatement<Recorded, Recording>({
  name: 'record-outcome',
  columns: OUTCOME_COLUMNS,
  text: (input) => `
    WITH ${input}, ${DAYS},
    recorded AS (
      UPDATE transaction t SET ${SET_OUTCOME}
      FROM input i ${JOIN_DAY}
      WHERE t.account_id = i.account_id AND t.id = i.id
        AND t.status = 'PENDING' AND t.attempt = i.attempt AND ${HAS_DAY}
      RETURNING ${OF_RECORDED}
    ), ${TOLD_AND_COUNTED}
    SELECT i.ord, ${HAS_DAY} AS has_day
    FROM input i ${JOIN_DAY}
    WHERE NOT ${HAS_DAY} OR EXISTS (SELECT FROM recorded r WHERE r.ord = i.ord)`,
  read: (row) => (row.has_day ? 'recorded' : 'no batch'),
})
