// How a worker records what the gateway decided of a charge or a pre_auth, and what it makes of the
// invoice that it pays.

import { HELD_CLOCKS } from '../accounts/hold-clock.ts'
import type { InvoiceStatus } from '../core/invoice.ts'
import { gatheredStatement } from '../db/gathered.ts'
import { DELIVERY_RECORD, INSERT_DELIVERIES } from '../deliveries/write-deliveries.ts'
import { INSERT_EVENTS } from '../events/insert-event.ts'
import { holdOpenBatch, INSERT_BATCHES, type Opening } from './join-batch.ts'
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
  /** The account's own clock as `at` was read from it; of another nothing is recorded. */
  readonly clockAt: Date | null
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
  /** JSON: the `Bill`; null for what pays no invoice. */
  readonly bill: string | null
}

/** Of what no batch takes, null throughout. */
type NullableOpening = { readonly [property in keyof Opening]: Opening[property] | null }

/** What becomes of the invoice that it pays, by the names that the statement reads. */
export interface Bill {
  readonly invoice_id: string
  /** The one that was read: of another nothing is recorded. */
  readonly invoice_version: number
  readonly status: InvoiceStatus
  /** Cents, as text. */
  readonly total_paid: string
  readonly paid_at: string | null
  readonly payment_id: string | null
  readonly retry_at: string | null
  readonly due_at: string | null
  readonly event_id: string
  /** JSON: the invoice as it is from now on. */
  readonly snapshot: string
}

const BILL_COLUMNS = `invoice_id uuid, invoice_version integer, status invoice_status,
        total_paid bigint, paid_at timestamptz, payment_id uuid, retry_at timestamptz,
        due_at timestamptz, event_id uuid, snapshot text`

export const NO_OPENING = {
  businessDate: null,
  cutoffAt: null,
  zone: null,
  batchId: null,
  batchDueAt: null,
}

/**
 * `outdated`: nothing is recorded, since what it was thought out from is another by now: the
 * account's clock, its invoice, or its batch, of which none could be opened on that day.
 */
export type Recording = 'recorded' | 'outdated'

const OUTCOME_COLUMNS = {
  accountId: 'uuid',
  id: 'uuid',
  attempt: 'integer',
  clockAt: 'timestamptz',
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
  bill: 'jsonb',
} as const

/** The inputs whose accounts still have the clock that they were thought out by, held. */
const CURRENT = `${HELD_CLOCKS},
    current AS (
      SELECT i.* FROM input i LEFT JOIN clock c ON c.account_id = i.account_id
      WHERE c.clock_at IS NOT DISTINCT FROM i.clock_at
    )`

/**
 * The batches that the successes of this round join: `day` has the date for each that was wanted.
 * Batches are opened in one order, so that two rounds cannot wait for each other.
 */
const DAYS = `
    wanted AS (
      SELECT account_id, business_date, min(cutoff_at) AS cutoff_at, min(zone) AS zone,
        min(batch_id::text)::uuid AS batch_id, min(batch_due_at) AS due_at, max(at) AS at
      FROM current WHERE business_date IS NOT NULL
      GROUP BY account_id, business_date
    ),
    held AS (
      SELECT w.account_id, w.business_date AS wanted_date, b.business_date
      FROM wanted w CROSS JOIN LATERAL (${holdOpenBatch('w.account_id', 'w.at')}) b
    ),
    opened AS (
      ${INSERT_BATCHES}
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
const HAS_DAY = '(i.business_date IS NULL OR d.business_date IS NOT NULL)'
const JOIN_DAY =
  'LEFT JOIN day d ON d.account_id = i.account_id AND d.wanted_date = i.business_date'

/**
 * Those that pay an invoice, and what they make of it. The take is held before: so either both are
 * written, or neither is.
 */
const BILLED = `
    paying AS (
      SELECT i.ord, i.account_id, i.at, b.*
      FROM current i ${JOIN_DAY}
      CROSS JOIN LATERAL jsonb_to_record(i.bill) AS b(${BILL_COLUMNS})
      CROSS JOIN LATERAL (
        SELECT FROM transaction t
        WHERE t.account_id = i.account_id AND t.id = i.id
          AND t.status = 'PENDING' AND t.attempt = i.attempt
        FOR NO KEY UPDATE
      ) t
      WHERE i.bill IS NOT NULL AND ${HAS_DAY}
    ),
    billed AS (
      UPDATE invoice v SET status = p.status, total_paid = p.total_paid, paid_at = p.paid_at,
        payment_id = p.payment_id, retry_at = p.retry_at, due_at = p.due_at,
        version = v.version + 1, updated_at = p.at
      FROM paying p
      WHERE v.account_id = p.account_id AND v.id = p.invoice_id AND v.version = p.invoice_version
      RETURNING p.ord, p.event_id, p.snapshot, p.at, v.account_id, v.id, v.version, v.request_id
    ),
    told_of_invoice AS (
      ${INSERT_EVENTS}
      SELECT account_id, event_id, 'update_invoice', id::text, version, snapshot::json,
        request_id, at
      FROM billed
    )`

/** What follows from what was `recorded`: event, messages, what its payment link is credited with. */
const TOLD_AND_COUNTED = `
    told AS (
      ${INSERT_EVENTS}
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
 * Records the outcome, puts it in a batch, settles its invoice, tells of both by events and counts
 * it for its payment link, in one commit. Its event is also what repeats of the request are
 * answered. Links are counted for in one order, so that two rounds cannot wait for each other.
 *
 * Answers nothing where a later take asked as well.
 */
export const recordOutcome = gatheredStatement<Recorded, Recording>({
  name: 'record-outcome',
  columns: OUTCOME_COLUMNS,
  text: (input) => `
    WITH ${input}, ${CURRENT}, ${DAYS}, ${BILLED},
    recorded AS (
      UPDATE transaction t SET status = i.status, message = i.message, auth_id = i.auth_id,
        captured = i.captured, owed = NULL, due_at = NULL, version = t.version + 1,
        outcome_sequence = t.version + 1, updated_at = i.at, business_date = d.business_date,
        receipt_email_at = i.receipt_email_at, receipt_sms_at = i.receipt_sms_at
      FROM current i ${JOIN_DAY} LEFT JOIN billed ON billed.ord = i.ord
      WHERE t.account_id = i.account_id AND t.id = i.id
        AND t.status = 'PENDING' AND t.attempt = i.attempt AND ${HAS_DAY}
        AND (i.bill IS NULL OR billed.ord IS NOT NULL)
      RETURNING i.ord, i.event_id, i.snapshot, i.at, i.messages, i.owed_at,
        t.account_id, t.id, t.version, t.request_id, t.payment_link_id, t.captured
    ), ${TOLD_AND_COUNTED}
    SELECT i.ord, r.ord IS NOT NULL AS is_recorded
    FROM input i ${JOIN_DAY}
    LEFT JOIN current k ON k.ord = i.ord
    LEFT JOIN recorded r ON r.ord = i.ord
    LEFT JOIN paying ON paying.ord = i.ord
    WHERE r.ord IS NOT NULL OR k.ord IS NULL OR NOT ${HAS_DAY} OR paying.ord IS NOT NULL`,
  read: ({ is_recorded }) => (is_recorded ? 'recorded' : 'outdated'),
})
