// What the payer's bank has taken back of a payment. Its transaction stays as it was, and says
// nothing of it; to refund that money too would pay it twice.

import { Refusal } from '../../core/errors.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import type { RowKey } from '../../db/columns.ts'
import type { Query } from '../../db/database.ts'
import type { TransactionRow } from '../transaction/transaction-row.ts'

/** A dispute that may still be won holds the money as a lost one does. */
export const HOLDS_MONEY = "status IN ('needs_response', 'under_review', 'lost')"

/** In cents, as text. The arguments are SQL. */
export const takenBackSum = (accountId: string, transactionId: string) => `((
    SELECT coalesce(sum(amount), 0) FROM reversal
    WHERE account_id = ${accountId} AND transaction_id = ${transactionId}
      AND kind = 'debit_returned'
  ) + (
    SELECT coalesce(sum(amount), 0) FROM dispute
    WHERE account_id = ${accountId} AND transaction_id = ${transactionId}
      AND ${HOLDS_MONEY}
  ))::text`

/** What refunds of a payment brought back to the payer: those that failed later are not in it. */
export const reachedSum = (payment: string) => `(${payment}.refunded - (
    SELECT coalesce(sum(r.amount), 0) FROM transaction child
    JOIN reversal r ON r.account_id = child.account_id AND r.transaction_id = child.id
    WHERE child.account_id = ${payment}.account_id AND child.reference_id = ${payment}.id
      AND r.kind = 'refund_failed'
  ))::text`

const TAKEN_BACK = `SELECT ${takenBackSum('$1', '$2')} AS cents`

/** In cents. */
export async function takenBackOf(query: Query, { accountId, id }: RowKey): Promise<Cents> {
  const [row] = await query(TAKEN_BACK, [accountId, id])
  return BigInt(row?.cents ?? 0)
}

/** The caller holds the payment's lock, so that no news of it is written meanwhile. */
export async function refuseTakenBack(
  query: Query,
  { captured, refunded, reserved, ...key }: TransactionRow,
  { type, amount }: { readonly type: string; readonly amount: bigint },
): Promise<void> {
  if (type === 'capture') return
  const takenBack = await takenBackOf(query, key)
  const left = captured - refunded - reserved - takenBack
  if (takenBack === 0n || (type === 'refund' && amount <= left)) return
  const taken = toDecimal(takenBack).toFixed(2)
  const rest = left > 0n ? `; ${toDecimal(left).toFixed(2)} is left to refund` : ''
  const message = `the payer's bank has taken back ${taken} of it, by a return or a dispute${rest}`
  throw new Refusal('wrong_state', { message })
}
