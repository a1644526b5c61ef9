// The one statement that records the gateway's decision about a payment, with everything that
// follows from it: the state of its parent and its invoice, its batch, the totals of its payment
// link, and the events and messages about it.
//
// First it checks that the rows from which the outcome was computed are unchanged, and locks them,
// in one order for all; then it writes:
//
//   clock, held_parent, current     the inputs whose account and parent are unchanged
//   held_batch, opened, day         their batches (join-batch.ts)
//   held_invoice, changed_invoice   their invoices
//   recorded                        the payments
//   changed_parent, changed_link    their parents and links
//   events, deliveries              their events and messages

import { HELD_CLOCKS } from '../../accounts/hold-clock.ts'
import type { DeclineCode, RetryAdvice } from '../../core/decline.ts'
import type { InvoiceStatus } from '../../core/invoice.ts'
import { gatheredStatement, type InputOf } from '../../db/gathered.ts'
import { DELIVERY_RECORD, INSERT_DELIVERIES } from '../../deliveries/write-deliveries.ts'
import { INSERT_EVENTS } from '../../events/insert-event.ts'
import { versionAfterSql } from '../transaction/transaction-version.ts'
import { BATCH_DAYS, HAS_DAY, JOIN_DAY } from './join-batch.ts'

/** The new state of a transaction. */
export interface TransactionOutcome {
  readonly status: 'SUCCESS' | 'FAILED'
  readonly message: string
  readonly authId: string | null
  readonly captured: bigint
  /** Why the gateway declined it. Null if it did not say so. */
  readonly declineCode: DeclineCode | null
  readonly retryAdvice: RetryAdvice | null
  /** The gateway's own code for it. */
  readonly gatewayCode: string | null
}

export const NO_DECLINE = { declineCode: null, retryAdvice: null, gatewayCode: null } as const

const OUTCOME_TO_RECORD = {
  accountId: 'uuid',
  id: 'uuid',
  /** The take that asked the gateway. The answer of an earlier take is refused. */
  attempt: 'integer',
  /** The account's own clock from which `at` was read. If it has changed, nothing is recorded. */
  clockAt: 'timestamptz?',
  status: 'transaction_status',
  message: 'text',
  authId: 'text?',
  captured: 'bigint',
  declineCode: 'text?',
  retryAdvice: 'text?',
  gatewayCode: 'text?',
  at: 'timestamptz',
  eventId: 'uuid',
  /** The transaction in its new state. */
  snapshot: 'json',
  // The batch to open. All null for transactions that never join a batch.
  businessDate: 'date?',
  cutoffAt: 'timestamptz?',
  zone: 'text?',
  batchId: 'uuid?',
  batchDueAt: 'timestamptz?',
  receiptEmailAt: 'timestamptz?',
  receiptSmsAt: 'timestamptz?',
  /** The messages to its customer. Null for none. */
  messages: 'jsonb?',
  /** When these messages are due, in real time. */
  owedAt: 'timestamptz',
  /** The `InvoiceAfter`. Null if no invoice changes. */
  invoice: 'jsonb?',
  /** The `ParentAfter`. Null without a parent. */
  parent: 'jsonb?',
} as const

export type OutcomeToRecord = InputOf<typeof OUTCOME_TO_RECORD> & TransactionOutcome

/** The new state of its invoice, by the names that the statement reads. */
export interface InvoiceAfter {
  readonly invoice_id: string
  /** The version that was read. If it has changed, nothing is recorded. */
  readonly invoice_version: number
  readonly status: InvoiceStatus
  /** Cents, as text. */
  readonly total_paid: string
  readonly paid_at: string | null
  readonly payment_id: string | null
  readonly retry_at: string | null
  readonly due_at: string | null
  readonly event_id: string
  /** JSON: the invoice in its new state. */
  readonly snapshot: string
}

const INVOICE_AFTER = `(invoice_id uuid, invoice_version integer, status invoice_status,
        total_paid bigint, paid_at timestamptz, payment_id uuid, retry_at timestamptz,
        due_at timestamptz, event_id uuid, snapshot text)`

/** The new state of its parent, in the same form. */
export interface ParentAfter {
  readonly parent_id: string
  /** The numbers that were read. Every relevant change of the parent raises one of the two. */
  readonly parent_version: number
  readonly parent_children: number
  /** Cents, as text. */
  readonly reserved: string
  readonly refunded: string
  readonly captured: string
  readonly hold_ended_at: string | null
  readonly is_voided: boolean
  readonly void_id: string | null
  /** The batch in which it stays, which must still be open. */
  readonly kept_batch: string | null
  /** True if the parent joins a batch, and not the payment. */
  readonly takes_day: boolean
  readonly event_id: string
  /** JSON: the parent in its new state. */
  readonly snapshot: string
}

const PARENT_AFTER = `(parent_id uuid, parent_version integer, parent_children integer,
        reserved bigint, refunded bigint, captured bigint, hold_ended_at timestamptz,
        is_voided boolean, void_id uuid, kept_batch uuid, takes_day boolean,
        event_id uuid, snapshot text)`

export const NO_BATCH_TO_OPEN = {
  businessDate: null,
  cutoffAt: null,
  zone: null,
  batchId: null,
  batchDueAt: null,
}

/**
 * `outdated`: nothing is recorded, because a row from which the outcome was computed has changed:
 * the account's clock, the parent, the invoice, or the batch, which could not be opened on that
 * day.
 */
export type Recording = 'recorded' | 'outdated'

const HAS_CLOCK = 'c.clock_at IS NOT DISTINCT FROM i.clock_at'
const JOIN_CLOCK = 'LEFT JOIN clock c ON c.account_id = i.account_id'

/**
 * Locks the parents that are unchanged, one input for each parent, and in one order, so that two
 * rounds never deadlock.
 */
const PARENTS = `
    wanted_parent AS (
      SELECT DISTINCT ON (i.account_id, p.parent_id) i.ord, i.account_id, i.at, p.*
      FROM input i ${JOIN_CLOCK}
      CROSS JOIN LATERAL jsonb_to_record(i.parent) AS p${PARENT_AFTER}
      WHERE i.parent IS NOT NULL AND ${HAS_CLOCK}
      ORDER BY i.account_id, p.parent_id, i.ord
    ),
    held_parent AS (
      SELECT n.*
      FROM wanted_parent n
      CROSS JOIN LATERAL (
        SELECT FROM transaction
        WHERE account_id = n.account_id AND id = n.parent_id
          AND version = n.parent_version AND children = n.parent_children
        FOR NO KEY UPDATE
      ) t
      LEFT JOIN LATERAL (
        SELECT id FROM batch
        WHERE account_id = n.account_id AND id = n.kept_batch AND status = 'open'
        FOR KEY SHARE
      ) b ON true
      WHERE n.kept_batch IS NULL OR b.id IS NOT NULL
    )`

/** The inputs whose accounts and parents are unchanged, locked. */
const CURRENT = `${HELD_CLOCKS}, ${PARENTS},
    current AS (
      SELECT i.*, p.takes_day, p.parent_version
      FROM input i ${JOIN_CLOCK} LEFT JOIN held_parent p ON p.ord = i.ord
      WHERE ${HAS_CLOCK} AND (i.parent IS NULL OR p.ord IS NOT NULL)
    )`

/**
 * The inputs that change an invoice, with its new state. The payment's row is locked first, so
 * either both are written or neither is.
 */
const INVOICES = `
    held_invoice AS (
      SELECT i.ord, i.account_id, i.at, v.*
      FROM current i ${JOIN_DAY}
      CROSS JOIN LATERAL jsonb_to_record(i.invoice) AS v${INVOICE_AFTER}
      CROSS JOIN LATERAL (
        SELECT FROM transaction t
        WHERE t.account_id = i.account_id AND t.id = i.id
          AND t.status = 'PENDING' AND t.attempt = i.attempt
        FOR NO KEY UPDATE
      ) t
      WHERE i.invoice IS NOT NULL AND ${HAS_DAY}
    ),
    changed_invoice AS (
      UPDATE invoice v SET status = p.status, total_paid = p.total_paid, paid_at = p.paid_at,
        payment_id = p.payment_id, retry_at = p.retry_at, due_at = p.due_at,
        version = v.version + 1, updated_at = p.at
      FROM held_invoice p
      WHERE v.account_id = p.account_id AND v.id = p.invoice_id AND v.version = p.invoice_version
      RETURNING p.ord, p.event_id, p.snapshot, p.at, v.account_id, v.id, v.version, v.request_id
    )`

/** The parents of the `recorded` payments. */
const CHANGED_PARENTS = `
    changed_parent AS (
      UPDATE transaction t SET reserved = p.reserved, refunded = p.refunded, captured = p.captured,
        hold_ended_at = p.hold_ended_at, is_voided = p.is_voided, void_id = p.void_id,
        version = ${versionAfterSql('t.version')}, updated_at = p.at,
        business_date = CASE WHEN p.takes_day THEN r.day ELSE t.business_date END
      FROM held_parent p JOIN recorded r ON r.ord = p.ord
      WHERE t.account_id = p.account_id AND t.id = p.parent_id
      RETURNING p.event_id, p.snapshot, p.at, t.account_id, t.id, t.version, r.request_id
    )`

/**
 * The consequences of the `recorded` payments: events, messages, and the totals of payment links.
 */
const EVENTS_AND_TOTALS = `
    events AS (
      ${INSERT_EVENTS}
      SELECT account_id, event_id,
        CASE version WHEN 1 THEN 'create_transaction' ELSE 'update_transaction' END,
        id::text, version, snapshot, request_id, at
      FROM recorded
      UNION ALL
      SELECT account_id, event_id, 'update_transaction', id::text, version, snapshot::json,
        request_id, at
      FROM changed_parent
      UNION ALL
      SELECT account_id, event_id, 'update_invoice', id::text, version, snapshot::json,
        request_id, at
      FROM changed_invoice
    ),
    deliveries AS (${INSERT_DELIVERIES}
      FROM recorded o CROSS JOIN LATERAL jsonb_to_recordset(o.messages) AS ${DELIVERY_RECORD}
      ON CONFLICT DO NOTHING
    ),
    link_sum AS (
      SELECT account_id, payment_link_id, sum(captured) AS sales, count(*) AS transactions
      FROM recorded WHERE payment_link_id IS NOT NULL AND captured > 0
      GROUP BY account_id, payment_link_id
      ORDER BY account_id, payment_link_id
    ),
    held_link AS (
      SELECT s.*
      FROM link_sum s
      CROSS JOIN LATERAL (
        SELECT FROM payment_link
        WHERE account_id = s.account_id AND id = s.payment_link_id
        FOR NO KEY UPDATE
      ) l
    ),
    changed_link AS (
      UPDATE payment_link l SET total_sales = l.total_sales + h.sales,
        total_transactions = l.total_transactions + h.transactions
      FROM held_link h WHERE l.account_id = h.account_id AND l.id = h.payment_link_id
    )`

/**
 * The event is also the answer to repeats of the request. Links are updated in one order, so that
 * two rounds never deadlock.
 *
 * It returns a row for each input that was recorded, or whose account, parent, batch or invoice had
 * changed. No row: the payment is final already, or a later take has asked as well.
 */
export const recordOutcome = gatheredStatement({
  name: 'record-outcome',
  columns: OUTCOME_TO_RECORD,
  text: (input) => `
    WITH ${input}, ${CURRENT}, ${BATCH_DAYS}, ${INVOICES},
    recorded AS (
      UPDATE transaction t SET status = i.status, message = i.message, auth_id = i.auth_id,
        captured = i.captured, decline_code = i.decline_code, retry_advice = i.retry_advice,
        gateway_code = i.gateway_code, owed = NULL, due_at = NULL,
        version = ${versionAfterSql('t.version')},
        outcome_sequence = ${versionAfterSql('coalesce(i.parent_version, t.version)')},
        updated_at = i.at,
        business_date = CASE WHEN i.takes_day THEN NULL ELSE d.business_date END,
        receipt_email_at = i.receipt_email_at, receipt_sms_at = i.receipt_sms_at
      FROM current i ${JOIN_DAY} LEFT JOIN changed_invoice v ON v.ord = i.ord
      WHERE t.account_id = i.account_id AND t.id = i.id
        AND t.status = 'PENDING' AND t.attempt = i.attempt AND ${HAS_DAY}
        AND (i.invoice IS NULL OR v.ord IS NOT NULL)
      RETURNING i.ord, i.event_id, i.snapshot, i.at, i.messages, i.owed_at,
        d.business_date AS day,
        t.account_id, t.id, t.version, t.request_id, t.payment_link_id, t.captured
    ), ${CHANGED_PARENTS}, ${EVENTS_AND_TOTALS}
    SELECT i.ord, r.ord IS NOT NULL AS is_recorded
    FROM input i ${JOIN_DAY}
    LEFT JOIN current k ON k.ord = i.ord
    LEFT JOIN recorded r ON r.ord = i.ord
    LEFT JOIN held_invoice h ON h.ord = i.ord
    WHERE r.ord IS NOT NULL OR k.ord IS NULL OR NOT ${HAS_DAY} OR h.ord IS NOT NULL`,
  read: ({ is_recorded }): Recording => (is_recorded ? 'recorded' : 'outdated'),
})
