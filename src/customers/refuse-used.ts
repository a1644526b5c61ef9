// What prevents the deletion of a customer or a payment method: an active schedule, and an invoice
// that is being paid, or will be again. The caller has locked the row FOR UPDATE, and a commit that
// creates or resumes a schedule locks it too. So no schedule can appear in between.

import { Refusal } from '../core/errors.ts'
import type { RowKey } from '../db/columns.ts'
import type { Query } from '../db/database.ts'

export const OF_CUSTOMER = activeOf('customer_id')
export const OF_METHOD = activeOf('payment_method_id')

/** OFFSET 0: its few schedules are looked through, and not all active ones of the account. */
function activeOf(column: 'customer_id' | 'payment_method_id'): string {
  return `
    SELECT id FROM (
      SELECT id, status FROM schedule WHERE account_id = $1 AND ${column} = $2 OFFSET 0
    ) s WHERE status = 'active' LIMIT 1`
}

/** Being paid, or to be paid again by itself. The index invoice_collected has the same words. */
const IS_COLLECTED = `deleted_at IS NULL AND status <> 'PAID'
  AND (retry_at IS NOT NULL OR payment_id IS NOT NULL)`

/** An invoice is paid with a method of its own customer. */
export const OF_INVOICE = `
  SELECT id FROM invoice
  WHERE account_id = $1 AND payment_method_id = $2 AND customer_id = $3
    AND ${IS_COLLECTED} LIMIT 1`

export const OF_CUSTOMERS_INVOICE = `
  SELECT id FROM invoice
  WHERE account_id = $1 AND customer_id = $2 AND ${IS_COLLECTED} LIMIT 1`

export async function refuseBilledCustomer(query: Query, held: RowKey): Promise<void> {
  await refuseUsed(query, OF_CUSTOMER, held, 'the scheduled invoice', 'is active')
  const why = 'is being paid, or will be again: pay it or delete it first'
  await refuseUsed(query, OF_CUSTOMERS_INVOICE, held, 'the invoice', why)
}

export async function refusePayingMethod(
  query: Query,
  { customerId, ...held }: RowKey & { readonly customerId: string | null },
): Promise<void> {
  await refuseUsed(query, OF_METHOD, held, 'the scheduled invoice', 'is active')
  const why =
    'is being paid with it, or will be again: give it another payment method, or delete it'
  await refuseUsed(query, OF_INVOICE, held, 'the invoice', why, [customerId])
}

async function refuseUsed(
  query: Query,
  text: string,
  { accountId, id }: RowKey,
  what: string,
  why: string,
  more: readonly unknown[] = [],
): Promise<void> {
  const [user] = await query(text, [accountId, id, ...more])
  if (user === undefined) return
  throw new Refusal('in_use', { message: `${what} ${user.id} ${why}` })
}
