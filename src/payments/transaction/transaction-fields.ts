// The fields of a transaction, and of its voids, refunds and captures, which are shown in it.

import { DECLINE_MEANINGS, listedMeanings, RETRY_MEANINGS } from '../../core/decline.ts'
import type { flagsOf } from '../../core/follow-up.ts'
import { toDecimal } from '../../core/money.ts'
import { METHODS, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../core/transaction.ts'
import { customerView } from '../../customers/customer.ts'
import { paymentMethodView } from '../../customers/payment-method.ts'
import { declareFields } from '../../resource/declare-fields.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField } from '../../resource/schemas.ts'
import type { BatchedTransaction, TransactionRow } from './transaction-row.ts'

/** What a view shows that is not in the row. */
interface Surroundings {
  readonly flags: ReturnType<typeof flagsOf>
  readonly reversals: object[]
  readonly captures: object[]
}

/** The fields that a child has as well. */
const OWN = declareFields<BatchedTransaction, Surroundings>()({
  id: { shown: answerField.id },
  type: { shown: Type.Enum(TRANSACTION_TYPES) },
  method: { shown: Type.Enum(METHODS) },
  status: { shown: Type.Enum(TRANSACTION_STATUSES) },
  success: {
    shown: answerField.flagOrNull,
    from: ({ status }) => (status === 'PENDING' ? null : status === 'SUCCESS'),
  },
  message: { shown: answerField.textOrNull },
  decline_code: {
    shown: {
      ...answerField.textOrNull,
      description: `Why the gateway declined it. ${listedMeanings(DECLINE_MEANINGS)}. There may be more later.`,
    },
  },
  retry: {
    shown: {
      ...answerField.textOrNull,
      description: `Whether another try of a declined payment is worth it. ${listedMeanings(RETRY_MEANINGS)}.`,
    },
    from: ({ retryAdvice }) => retryAdvice,
  },
  total: { shown: answerField.amount, show: toDecimal },
  total_refunded: {
    shown: {
      ...answerField.amount,
      description:
        'What was refunded of it, in major units. It stays 0 for a pre_auth, whose captures are refunded.',
    },
    from: ({ refunded }) => toDecimal(refunded),
  },
  currency: { shown: answerField.text },
  pre_auth: { shown: answerField.flag, from: ({ type }) => type === 'pre_auth' },
  is_captured: {
    shown: {
      ...answerField.flag,
      description:
        'Whether something of it was captured, also if that capture was voided since. With the `stax` dialect it is 0 or 1.',
    },
    from: ({ captured }) => captured > 0n,
  },
  hold_ended_at: {
    shown: {
      ...answerField.timeOrNull,
      description:
        'For a pre_auth: when the gateway released the rest that was not captured. Some gateways grant one capture of a hold, and holds end by themselves after days.',
    },
  },
  is_voided: { shown: answerField.flag },
  is_voidable: { shown: answerField.flag, from: (_, { flags }) => flags.isVoidable },
  is_refundable: {
    shown: {
      ...answerField.flag,
      description:
        'Disputes and returned debits do not change it; what the bank has taken back is refused all the same.',
    },
    from: (_, { flags }) => flags.isRefundable,
  },
  is_manual: { shown: answerField.flag },
  source: { shown: answerField.textOrNull },
  channel: { shown: answerField.textOrNull },
  customer_id: { shown: answerField.id },
  payment_method_id: { shown: answerField.id },
  invoice_id: { shown: answerField.idOrNull },
  schedule_id: { shown: answerField.idOrNull },
  payment_link_id: { shown: answerField.textOrNull },
  reference_id: { shown: answerField.idOrNull },
  auth_id: { shown: answerField.textOrNull, from: publicAuthId },
  batch_id: { shown: answerField.idOrNull },
  batched_at: { shown: answerField.timeOrNull },
  settled_at: { shown: answerField.timeOrNull, from: ({ batchedAt }) => batchedAt },
  idempotency_id: { shown: answerField.textOrNull, from: publicKey },
  gateway_name: { shown: answerField.textOrNull },
  last_four: { shown: answerField.textOrNull },
  meta: { shown: answerField.meta },
  receipt_email_at: { shown: answerField.timeOrNull },
  receipt_sms_at: { shown: answerField.timeOrNull },
  created_at: { shown: answerField.time },
  updated_at: {
    shown: {
      ...answerField.time,
      description: 'The last change. Settlement does not change it; see settled_at.',
    },
  },
})

/** The columns of a file of transactions. */
export const OWN_FIELDS = OWN.names

const childTransactions = (description: string) =>
  Type.Array(Type.Unsafe<object>({ $ref: 'ChildTransaction#' }), { description })

const CHILDREN = declareFields<BatchedTransaction, Surroundings>()({
  child_transactions: {
    shown: childTransactions('Its voids and refunds, the oldest first.'),
    from: (_, { reversals }) => reversals,
  },
  child_captures: {
    shown: childTransactions('The captures of a pre_auth, the oldest first.'),
    from: (_, { captures }) => captures,
  },
})

/** Customer, payment method and link are those of its parent. */
export const CHILD_TRANSACTION = declareFields<BatchedTransaction, Surroundings>()({
  ...OWN.fields,
  ...CHILDREN.fields,
})

export const TRANSACTION = declareFields<TransactionRow, Surroundings>()({
  ...OWN.fields,
  customer: {
    shown: Type.Unsafe<ReturnType<typeof customerView>>({ $ref: 'Customer#' }),
    from: ({ customer }) => customerView(customer),
  },
  payment_method: {
    shown: Type.Unsafe<ReturnType<typeof paymentMethodView>>({ $ref: 'PaymentMethod#' }),
    from: ({ paymentMethod }) => paymentMethodView(paymentMethod),
  },
  ...CHILDREN.fields,
})

/**
 * A capture shows the id of its authorization. While a payment is PENDING, its gateway id is not
 * shown, because no event would say when it became known.
 */
function publicAuthId({ type, referenceId, status, authId }: BatchedTransaction): string | null {
  if (type === 'capture') return referenceId
  return status === 'PENDING' ? null : authId
}

const PAGE_KEY = /^page-[0-9a-f]{32}$/

/**
 * The key of a payment from a page is made from the page's nonce, with which a payer's browser sees
 * the payment.
 */
function publicKey({ channel, idempotencyId }: BatchedTransaction): string | null {
  return channel === 'page' && PAGE_KEY.test(idempotencyId ?? '') ? null : idempotencyId
}
