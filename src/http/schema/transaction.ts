import { Type } from '../../resource/json-schema.ts'
import {
  answerField,
  flag,
  id,
  idempotencyId,
  linkId,
  meta,
  money,
  text,
} from '../../resource/schemas.ts'
import { ref } from './answers.ts'
import { customer } from './customer.ts'
import { exampleTransaction } from './examples.ts'
import { paymentMethod } from './payment-method.ts'

export const share = Type.Object({
  account_id: text('Where the share goes.'),
  amount: money('The share.'),
  memo: Type.Optional(text('What it is for.')),
})

export const newCharge = Type.Object(
  {
    total: money('What is charged.'),
    payment_method_id: id('What is charged it.'),
    meta: Type.Optional(meta),
    pre_auth: Type.Optional(flag('Only authorise; capture later.')),
    currency: Type.Optional(Type.Enum(['USD'])),
    channel: Type.Optional(text('Where the payment comes from, such as card_present.')),
    invoice_id: Type.Optional(id('The invoice that it pays; `total` is its balance due.')),
    payment_link_id: Type.Optional(linkId('The payment link that it came through.')),
    funding: Type.Optional(
      Type.Array(share, {
        minItems: 1,
        maxItems: 100,
        description: 'Split Funding: shares that add up to the total.',
      }),
    ),
    idempotency_id: Type.Optional(idempotencyId),
  },
  {
    examples: [{ total: 12.5, payment_method_id: '01941f29-7c00-7000-8000-000000000001' }],
  },
)

const fields = {
  id: answerField.id,
  type: Type.Enum(['charge', 'pre_auth', 'capture', 'void', 'refund', 'credit']),
  method: Type.Enum(['card', 'bank', 'cash', 'check']),
  status: Type.Enum(['PENDING', 'SUCCESS', 'FAILED']),
  success: answerField.flagOrNull,
  message: answerField.textOrNull,
  total: answerField.amount,
  total_refunded: answerField.amount,
  currency: answerField.text,
  pre_auth: answerField.flag,
  is_captured: answerField.flag,
  is_voided: answerField.flag,
  is_voidable: answerField.flag,
  is_refundable: answerField.flag,
  is_manual: answerField.flag,
  source: answerField.textOrNull,
  channel: answerField.textOrNull,
  customer_id: answerField.id,
  payment_method_id: answerField.id,
  invoice_id: answerField.idOrNull,
  schedule_id: answerField.idOrNull,
  payment_link_id: answerField.textOrNull,
  reference_id: answerField.idOrNull,
  auth_id: answerField.textOrNull,
  batch_id: answerField.idOrNull,
  batched_at: answerField.timeOrNull,
  settled_at: answerField.timeOrNull,
  idempotency_id: answerField.textOrNull,
  gateway_name: answerField.textOrNull,
  last_four: answerField.textOrNull,
  meta: answerField.meta,
  receipt_email_at: answerField.timeOrNull,
  receipt_sms_at: answerField.timeOrNull,
  created_at: answerField.time,
  updated_at: {
    ...answerField.time,
    description: 'When it last changed. Settling is shown by settled_at, and does not change this.',
  },
}

const children = {
  child_transactions: Type.Array(Type.Unsafe<object>({ $ref: 'ChildTransaction#' }), {
    description: 'Its voids and refunds, the oldest first.',
  }),
  child_captures: Type.Array(Type.Unsafe<object>({ $ref: 'ChildTransaction#' }), {
    description: 'Of a pre_auth: its captures, the oldest first.',
  }),
}

export const childTransaction = Type.Object(
  { ...fields, ...children },
  {
    $id: 'ChildTransaction',
    additionalProperties: false,
    description: 'Customer and payment method are those of its parent.',
  },
)

export const transaction = Type.Object(
  { ...fields, customer: ref(customer), payment_method: ref(paymentMethod), ...children },
  { $id: 'Transaction', additionalProperties: false, examples: [exampleTransaction] },
)
