// The runs that a schedule has had, with the outcome of their invoices.

import type { InvoiceStatus } from '../core/invoice.ts'
import type { RowKey } from '../db/columns.ts'
import type { World } from '../world.ts'

export interface PastRun {
  readonly occursAt: Date
  /** Undefined if the run was missed and skipped. */
  readonly invoice:
    | {
        readonly id: string
        readonly status: InvoiceStatus
        readonly total: bigint
        readonly totalPaid: bigint
        readonly tries: number
        readonly retryAt: Date | null
        /** The payment that paid it, or the last one that failed. */
        readonly lastPaymentId: string | null
      }
    | undefined
}

const RUNS = `
  SELECT r.occurs_at, v.id, v.status, v.total, v.total_paid, v.tries, v.retry_at,
    coalesce(v.payment_id, (
      SELECT t.id FROM transaction t WHERE t.account_id = v.account_id AND t.invoice_id = v.id
        AND t.status <> 'PENDING' AND t.reference_id IS NULL
      ORDER BY t.created_at DESC, t.id DESC LIMIT 1
    )) AS last_payment_id
  FROM schedule_run r
  LEFT JOIN LATERAL (
    SELECT * FROM invoice WHERE account_id = r.account_id AND id = r.invoice_id OFFSET 0
  ) v ON true
  WHERE r.account_id = $1 AND r.schedule_id = $2
  ORDER BY r.occurs_at DESC
  LIMIT $3 OFFSET $4`

/** The latest first. Returns one more than `most` if there are more. */
export async function listRuns(
  world: World,
  { accountId, id }: RowKey,
  { skip, most }: { readonly skip: number; readonly most: number },
): Promise<readonly PastRun[]> {
  const rows = await world.db.query(RUNS, [accountId, id, most + 1, skip])
  return rows.map((row) => ({
    occursAt: row.occurs_at,
    invoice:
      row.id === null
        ? undefined
        : {
            id: row.id,
            status: row.status,
            total: BigInt(row.total),
            totalPaid: BigInt(row.total_paid),
            tries: row.tries,
            retryAt: row.retry_at,
            lastPaymentId: row.last_payment_id,
          },
  }))
}
