// The schemas of disputes and reversals: the queries of their lists, the trials, and the answers.

import { DISPUTE_STATUSES, REVERSAL_KINDS } from '../../core/dispute.ts'
import { DISPUTE, DISPUTES } from '../../payments/afterwards/dispute.ts'
import { REVERSAL, REVERSALS } from '../../payments/afterwards/reversal.ts'
import { Type } from '../../resource/json-schema.ts'
import { id, money, text } from '../../resource/schemas.ts'
import { resourceSchema } from './answers.ts'
import { dateRange, listQuery, statusFilter } from './list.ts'

const transactionId = Type.Optional(id('Only those of this transaction.'))

export const disputeQuery = listQuery(DISPUTES.sorts, {
  transaction_id: transactionId,
  status: statusFilter(DISPUTE_STATUSES),
  ...dateRange,
})

export const reversalQuery = listQuery(REVERSALS.sorts, {
  transaction_id: transactionId,
  kind: Type.Optional(Type.Enum(REVERSAL_KINDS, { description: 'Only this kind.' })),
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

export const dispute = resourceSchema(
  'Dispute',
  DISPUTE.answer,
  'A payer contests a payment at their bank.',
)

export const reversal = resourceSchema(
  'Reversal',
  REVERSAL.answer,
  'Money of a successful transaction that moved back.',
)
