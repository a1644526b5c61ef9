// Finds invoices whose automatic payment is due to be tried again.

import type { Mode } from '../accounts/key.ts'
import type { Scope } from '../accounts/scope.ts'
import { BEFORE_ALL_IDS } from '../core/id.ts'
import { methodColumns } from '../customers/payment-method.ts'
import type { Query } from '../db/database.ts'
import type { PaymentMethod } from '../generated/client.ts'
import { INVOICE_COLUMNS, type InvoiceRow, readInvoice } from '../invoices/invoice.ts'

export interface DueRetry {
  readonly accountId: string
  readonly id: string
  readonly scheduleId: string | null
  /** In real time, or in the account's own time if a scope is given. */
  readonly at: Date
}

const DUE = `
  SELECT account_id, id, schedule_id, due_at AS at FROM invoice
  WHERE due_at <= $1 AND (due_at, account_id, id) > ($2, $3, $4)
  ORDER BY due_at, account_id, id LIMIT $5`

const DUE_IN_SCOPE = `
  SELECT account_id, id, schedule_id, retry_at AS at FROM invoice
  WHERE account_id = $3 AND retry_at <= $1 AND (retry_at, id) > ($2, $4)
  ORDER BY retry_at, id LIMIT $5`

const BEFORE_ALL = { at: new Date(0), accountId: BEFORE_ALL_IDS, id: BEFORE_ALL_IDS }

/** The longest due first; continues after the last of the previous chunk. */
export async function dueRetries(
  query: Query,
  now: Date,
  scope: Scope | undefined,
  most: number,
  last: Pick<DueRetry, 'accountId' | 'id' | 'at'> = BEFORE_ALL,
): Promise<readonly DueRetry[]> {
  const rows =
    scope === undefined
      ? await query(DUE, [now, last.at, last.accountId, last.id, most])
      : await query(DUE_IN_SCOPE, [scope.now, last.at, scope.accountId, last.id, most])
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.id,
    scheduleId: row.schedule_id,
    at: row.at,
  }))
}

/** The facts that decide whether the payment is made now. */
export interface HeldRetry {
  readonly invoice: InvoiceRow
  readonly isScheduleDeleted: boolean
  readonly paymentMethod: PaymentMethod
  readonly mode: Mode
  readonly liveGateway: string | null
  /** True if the team may move money. */
  readonly isTeamActive: boolean
  readonly clockAt: Date | null
}

/** Locked before any other row of an account, as by the code that sets its clock. */
const HOLD_CLOCKS = 'SELECT id FROM account WHERE id = ANY($1) ORDER BY id FOR SHARE'

/** A deletion of the schedule waits for this lock, and then finds its invoices without retries. */
const HOLD_SCHEDULES = `
  SELECT s.id FROM schedule s
  JOIN unnest($1::uuid[], $2::uuid[]) AS due (account_id, schedule_id)
    ON s.account_id = due.account_id AND s.id = due.schedule_id
  ORDER BY s.account_id, s.id
  FOR SHARE OF s`

const hold = (isDue: string) => `
  SELECT ${INVOICE_COLUMNS}, ${methodColumns.list}, a.clock_at,
    coalesce(s.status = 'deleted', false) AS is_schedule_deleted,
    a.mode, a.live_gateway, t.status = 'active' AND t.enabled AS is_team_active
  FROM invoice v
  JOIN unnest($1::uuid[], $2::uuid[]) AS due (account_id, id)
    ON v.account_id = due.account_id AND v.id = due.id
  JOIN account a ON a.id = v.account_id
  JOIN team t ON t.id = a.team_id
  JOIN payment_method m ON m.account_id = v.account_id AND m.id = v.payment_method_id
  LEFT JOIN schedule s ON s.account_id = v.account_id AND s.id = v.schedule_id
  WHERE ${isDue}
  ORDER BY v.account_id, v.id
  FOR NO KEY UPDATE OF v SKIP LOCKED`

const HOLD = hold('v.due_at <= $3')
const HOLD_IN_SCOPE = hold('v.retry_at <= $3')

/**
 * Returns the invoices that are still due, locked until the commit. Invoices that another commit
 * has locked are skipped. In a scope, the advance of the clock already holds the lock on it.
 */
export async function holdRetries(
  query: Query,
  due: readonly DueRetry[],
  now: Date,
  scope: Scope | undefined,
): Promise<readonly HeldRetry[]> {
  const accountIds = due.map(({ accountId }) => accountId)
  if (scope === undefined) await query(HOLD_CLOCKS, [accountIds])
  await query(HOLD_SCHEDULES, [accountIds, due.map(({ scheduleId }) => scheduleId)])
  const ids = due.map(({ id }) => id)
  const rows =
    scope === undefined
      ? await query(HOLD, [accountIds, ids, now])
      : await query(HOLD_IN_SCOPE, [accountIds, ids, scope.now])
  return rows.map((row) => ({
    invoice: readInvoice(row),
    isScheduleDeleted: row.is_schedule_deleted,
    paymentMethod: methodColumns.read(row),
    mode: row.mode,
    liveGateway: row.live_gateway,
    isTeamActive: row.is_team_active,
    clockAt: row.clock_at,
  }))
}
