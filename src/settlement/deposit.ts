// A deposit: a closed batch, shown as the money that arrives, and its transactions. The events of
// deposits show it as a batch.

import { toDecimal } from '../core/money.ts'
import { dateText } from '../core/whole-days.ts'
import type { TransactionView } from '../payments/transaction/transaction-view.ts'
import { declareFields } from '../resource/declare-fields.ts'
import { Type } from '../resource/json-schema.ts'
import { answerField } from '../resource/schemas.ts'
import { type BatchRow, FEE_FIELDS } from './batch.ts'

export const DEPOSIT = declareFields<BatchRow>()({
  id: { shown: answerField.id },
  batch_id: {
    shown: { ...answerField.id, description: 'The batch, which is the deposit: the same id.' },
    from: ({ id }) => id,
  },
  business_date: { shown: Type.String({ format: 'date' }), show: dateText },
  batched_at: {
    shown: { ...answerField.time, description: 'When its batch was closed.' },
    from: ({ closedAt }) => closedAt,
  },
  deposit_at: { shown: { ...answerField.time, description: 'When the money arrives.' } },
  count: { shown: Type.Integer({ description: 'The number of its sales and refunds.' }) },
  sum: {
    shown: {
      ...answerField.amount,
      description: 'sales − refunds, in major units, before fees.',
    },
    from: ({ sales, refunds }) => toDecimal(sales - refunds),
  },
  sales: { shown: answerField.amount, show: toDecimal },
  refunds: { shown: answerField.amount, show: toDecimal },
  avg: {
    shown: { ...answerField.amount, description: 'sum / count, rounded to the cent.' },
    from: (batch) => toDecimal(averageOf(batch)),
  },
  ...FEE_FIELDS,
})

/** In whole cents. */
export function averageOf({ sales, refunds, count }: BatchRow): bigint {
  return BigInt(Math.round(Number(sales - refunds) / Math.max(1, count)))
}

export const DEPOSIT_TRANSACTION = declareFields<TransactionView>()({
  transaction_id: { shown: answerField.id, from: (t) => t.id },
  batch_id: { shown: answerField.id, from: (t) => t.batch_id },
  batched_at: { shown: answerField.time, from: (t) => t.batched_at },
  created_at: { shown: answerField.time, from: (t) => t.created_at },
  type: { shown: Type.Enum(['charge', 'capture', 'refund']) },
  method: { shown: Type.Enum(['card', 'bank']) },
  total: { shown: answerField.amount },
  net: {
    shown: {
      ...answerField.amount,
      description: 'Its amount in the deposit: negative for a refund.',
    },
    from: ({ type, total }) => (type === 'refund' ? -total : total),
  },
  last_four: { shown: answerField.textOrNull, from: (t) => t.last_four },
  card_type: { shown: answerField.textOrNull, from: (t) => t.payment_method.card_type },
  auth_id: { shown: answerField.textOrNull, from: (t) => t.auth_id },
  customer_id: { shown: answerField.id, from: (t) => t.customer_id },
  invoice_id: { shown: answerField.idOrNull, from: (t) => t.invoice_id },
})
