// Lists an account's payment methods. Its built-in cash and check have no customer and are not
// listed.

import { declareList } from '../db/declared-list.ts'
import { methodColumns, paymentMethodView } from './payment-method.ts'

export const PAYMENT_METHODS = declareList({
  table: 'payment_method',
  alias: 'm',
  always: 'm.deleted_at IS NULL AND m.customer_id IS NOT NULL',
  filters: { customer_id: 'm.customer_id = $value', method: 'm.method = $value' },
  sorts: { created_at: 'm.created_at', updated_at: 'm.updated_at' },
  columns: methodColumns.list,
  view: (row) => paymentMethodView(methodColumns.read(row)),
})
