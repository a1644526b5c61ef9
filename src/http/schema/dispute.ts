import { DISPUTE_STATUSES, REVERSAL_KINDS } from '../../core/dispute.ts'
import { DISPUTES } from '../../payments/afterwards/dispute.ts'
import { REVERSALS } from '../../payments/afterwards/reversal.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField, id, money, text } from '../../resource/schemas.ts'
import { dateRange, listQuery, statusFilter } from './list.ts'

const transactionId = Type.Optional(id('Only those of this transaction.'))

export const disputeQuery = listQuery(DISPUTES.sorts, {
  transaction_id: transactionId,
  status: statusFilter(DISPUTE_STATUSES),
  ...dateRange,
})

export const reversalQuery = listQuery(REVERSALS.sorts, {
  transaction_id: transactionId,
  kind: Type.Optional(Type.Enum(REVERSAL_KINDS, { description: 'Only these.' })),
  ...dateRange,
})

export const trialDispute = Type.Object(
  {
    status: Type.Optional(
      Type.Enum(DISPUTE_STATUSES, { description: 'needs_response when absent.' }),
    ),
    amount: Type.Optional(
      money('The disputed amount. When absent, as before, and at first the whole transaction.'),
    ),
  },
  { examples: [{ status: 'needs_response' }] },
)

export const trialReversal = Type.Object(
  { reason: Type.Optional(text("The bank's word for it, such as no_account.")) },
  { examples: [{ reason: 'no_account' }] },
)

const reason = { ...answerField.text, description: "The gateway's own word for it." }
const gatewayId = { ...answerField.text, description: 'The id that the gateway gave it.' }

export const dispute = Type.Object(
  {
    id: answerField.id,
    transaction_id: {
      ...answerField.id,
      description: 'The contested payment, which stays as it is.',
    },
    status: Type.Enum(DISPUTE_STATUSES, {
      description:
        'warning: the bank asks, and has taken no money; warning_closed: that ended without a dispute; needs_response: the bank has taken the money, and you can contest that; under_review: the bank decides; won: the money is yours again; lost: it is not.',
    }),
    reason,
    amount: { ...answerField.amount, description: 'Major units. It may be a part of the payment.' },
    currency: answerField.text,
    gateway_name: answerField.text,
    gateway_id: gatewayId,
    respond_by: {
      ...answerField.timeOrNull,
      description: "Until when you can answer, in the gateway's dashboard; null if you cannot.",
    },
    opened_at: answerField.time,
    closed_at: answerField.timeOrNull,
    created_at: answerField.time,
    updated_at: answerField.time,
  },
  {
    $id: 'Dispute',
    additionalProperties: false,
    description: 'A payer contests a payment at their bank.',
  },
)

export const reversal = Type.Object(
  {
    id: answerField.id,
    transaction_id: {
      ...answerField.id,
      description: 'The refund or the charge, whose status stays SUCCESS.',
    },
    kind: Type.Enum(REVERSAL_KINDS, {
      description:
        "refund_failed: the refund did not reach the payer, and its money is in your balance again; debit_returned: the payer's bank took the debit back.",
    }),
    reason,
    amount: answerField.amount,
    currency: answerField.text,
    gateway_name: answerField.text,
    gateway_id: gatewayId,
    created_at: answerField.time,
  },
  {
    $id: 'Reversal',
    additionalProperties: false,
    description: 'Money of a successful transaction that moved back.',
  },
)
