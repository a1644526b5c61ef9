import { columnsOf } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import { resourceOf } from '../events/resource.ts'
import type { PaymentMethod } from '../generated/client.ts'
import { paymentMethodView } from './payment-method-view.ts'

export const methodColumns = columnsOf<PaymentMethod>('PaymentMethod', 'm')

export const paymentMethods = resourceOf(methodColumns, 'payment_method', paymentMethodView)

const HOLD_DEFAULT = `
  SELECT ${methodColumns.list} FROM payment_method m
  WHERE account_id = $1 AND customer_id = $2 AND is_default AND deleted_at IS NULL
  FOR NO KEY UPDATE`

/** Of a customer that is held. */
export async function holdDefault(
  query: Query,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<PaymentMethod | undefined> {
  const [row] = await query(HOLD_DEFAULT, [accountId, customerId])
  return row && methodColumns.read(row)
}
