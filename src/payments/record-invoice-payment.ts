// How a worker records what the gateway decided of a payment of an invoice: the transaction as any
// other, and in the same commit what it makes of the invoice.

import type { InvoiceStatus } from '../core/invoice.ts'
import { gatheredStatement } from '../db/gathered.ts'
import {
  DAYS,
  HAS_DAY,
  JOIN_DAY,
  OF_RECORDED,
  OUTCOME_COLUMNS,
  type Recorded,
  type Recording,
  SET_OUTCOME,
  TOLD_AND_COUNTED,
} from './record-outcome.ts'

export interface RecordedPayment extends Recorded {
  readonly invoiceId: string
  /** The one that was read: of another nothing is recorded. */
  readonly invoiceVersion: number
  readonly invoiceStatus: InvoiceStatus
  readonly totalPaid: bigint
  readonly paidAt: Date | null
  readonly paymentId: string | null
  readonly retryAt: Date | null
  readonly retryDueAt: Date | null
  readonly invoiceEventId: string
  /** JSON: the invoice as it is from now on. */
  readonly invoiceSnapshot: string
}

/** The take is held first: so either both are written, or neither is. */
export const recordInvoicePayment = gatheredStatement<
  RecordedPayment,
  Recording | 'invoice changed'
>({
  name: 'record-invoice-payment',
  columns: {
    ...OUTCOME_COLUMNS,
    invoiceId: 'uuid',
    invoiceVersion: 'integer',
    invoiceStatus: 'invoice_status',
    totalPaid: 'bigint',
    paidAt: 'timestamptz',
    paymentId: 'uuid',
    retryAt: 'timestamptz',
    retryDueAt: 'timestamptz',
    invoiceEventId: 'uuid',
    invoiceSnapshot: 'json',
  },
  text: (input) => `
    WITH ${input}, ${DAYS},
    taken AS (
      SELECT i.ord
      FROM input i ${JOIN_DAY}
      CROSS JOIN LATERAL (
        SELECT FROM transaction t
        WHERE t.account_id = i.account_id AND t.id = i.id
          AND t.status = 'PENDING' AND t.attempt = i.attempt
        FOR NO KEY UPDATE
      ) t
      WHERE ${HAS_DAY}
    ),
    billed AS (
      UPDATE invoice v SET status = i.invoice_status, total_paid = i.total_paid,
        paid_at = i.paid_at, payment_id = i.payment_id, retry_at = i.retry_at,
        due_at = i.retry_due_at, version = v.version + 1, updated_at = i.at
      FROM taken JOIN input i ON i.ord = taken.ord
      WHERE v.account_id = i.account_id AND v.id = i.invoice_id AND v.version = i.invoice_version
      RETURNING i.ord, i.invoice_event_id, i.invoice_snapshot, i.at, v.account_id, v.id, v.version,
        v.request_id
    ),
    told_of_invoice AS (
      INSERT INTO event
        (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
      SELECT account_id, invoice_event_id, 'update_invoice', id::text, version, invoice_snapshot,
        request_id, at
      FROM billed
    ),
    recorded AS (
      UPDATE transaction t SET ${SET_OUTCOME}
      FROM billed JOIN input i ON i.ord = billed.ord ${JOIN_DAY}
      WHERE t.account_id = i.account_id AND t.id = i.id
      RETURNING ${OF_RECORDED}
    ), ${TOLD_AND_COUNTED}
    SELECT i.ord, ${HAS_DAY} AS has_day,
      EXISTS (SELECT FROM recorded r WHERE r.ord = i.ord) AS is_recorded
    FROM input i ${JOIN_DAY}
    WHERE NOT ${HAS_DAY} OR EXISTS (SELECT FROM taken WHERE taken.ord = i.ord)`,
  read: (row) => {
    if (row.is_recorded) return 'recorded'
    return row.has_day ? 'invoice changed' : 'no batch'
  },
})
