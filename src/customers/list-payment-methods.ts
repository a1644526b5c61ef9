// Lists an account's payment methods. Its built-in cash and check have no customer and are not
// listed.

import { columnsOf } from '../db/columns.ts'
import { declareList } from '../db/declared-list.ts'
import type { PaymentMethod } from '../generated/client.ts'
import { paymentMethodView } from './payment-method.ts'

const paymentMethod = columnsOf<PaymentMethod>('PaymentMethod', 'm')

export const PAYMENT_METHODS = declareList({
  table: 'payment_method',
  alias: 'm',
  always: 'm.deleted_at IS NULL AND m.customer_id IS NOT NULL',
  filters: { customer_id: 'm.customer_id = $value', method: 'm.method = $value' },
  sorts: { created_at: 'm.created_at', updated_at: 'm.updated_at' },
  columns: paymentMethod.list,
  view: (row) => paymentMethodView(paymentMethod.read(row)),
})
