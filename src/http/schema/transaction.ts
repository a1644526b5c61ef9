import { Type } from '../../resource/json-schema.ts'
import {
  flag,
  id,
  idempotencyId,
  linkId,
  meta,
  money,
  shown,
  text,
} from '../../resource/schemas.ts'
import { customer } from './customer.ts'
import { exampleTransaction } from './examples.ts'
import { paymentMethod } from './payment-method.ts'
import { ref } from './ref.ts'

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
  id: shown.id,
  type: Type.Enum(['charge', 'pre_auth', 'capture', 'void', 'refund', 'credit']),
  method: Type.Enum(['card', 'bank', 'cash', 'check']),
  status: Type.Enum(['PENDING', 'SUCCESS', 'FAILED']),
  success: shown.flagOrNull,
  message: shown.textOrNull,
  total: shown.amount,
  total_refunded: shown.amount,
  currency: shown.text,
  pre_auth: shown.flag,
  is_captured: shown.flag,
  is_voided: shown.flag,
  is_voidable: shown.flag,
  is_refundable: shown.flag,
  is_manual: shown.flag,
  source: shown.textOrNull,
  channel: shown.textOrNull,
  customer_id: shown.id,
  payment_method_id: shown.id,
  invoice_id: shown.idOrNull,
  schedule_id: shown.idOrNull,
  payment_link_id: shown.textOrNull,
  reference_id: shown.idOrNull,
  auth_id: shown.textOrNull,
  batch_id: shown.idOrNull,
  batched_at: shown.timeOrNull,
  settled_at: shown.timeOrNull,
  idempotency_id: shown.textOrNull,
  gateway_name: shown.textOrNull,
  last_four: shown.textOrNull,
  meta: shown.meta,
  receipt_email_at: shown.timeOrNull,
  receipt_sms_at: shown.timeOrNull,
  created_at: shown.time,
  updated_at: {
    ...shown.time,
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
