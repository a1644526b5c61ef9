import { TRANSACTION_SORTS } from '../../payments/lists/listing.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField } from '../../resource/schemas.ts'
import { BATCH_SORTS } from '../../settlement/list-batches.ts'
import { dateRangeOf, exportAs, listQuery, statusFilter } from './list.ts'

const STATUSES = ['open', 'closing', 'closed'] as const

export const batchQuery = listQuery(BATCH_SORTS, {
  ...dateRangeOf(
    'With this business date or a later one; an instant counts as its date in UTC.',
    'With this business date or an earlier one.',
  ),
  status: statusFilter(STATUSES),
  export: exportAs('batch'),
})

export const batchTransactionQuery = listQuery(TRANSACTION_SORTS, {
  export: exportAs('transaction'),
})

export const batch = Type.Object(
  {
    id: answerField.id,
    business_date: Type.Unsafe<string>({
      type: 'string',
      format: 'date',
      description: "The date of its cutoff, on the account's wall clock.",
    }),
    cutoff_at: {
      ...answerField.time,
      description: 'Payments that succeed at this instant or later are not in it.',
    },
    status: Type.Enum(STATUSES, {
      description:
        'open: it takes payments that succeed; closing: its cutoff has passed; closed: for good.',
    }),
    count: Type.Integer({ description: 'Of its sales and refunds.' }),
    sales: { ...answerField.amount, description: 'Of charges and captures, in major units.' },
    refunds: { ...answerField.amount, description: 'In major units.' },
    net: { ...answerField.amount, description: 'sales − refunds.' },
    created_at: answerField.time,
    closed_at: answerField.timeOrNull,
    deposit_at: {
      ...answerField.timeOrNull,
      description:
        'When its money arrives, once that is known: by the calendar from its closing on; where the gateway pays out, from its last payout on. Null again if a payout fails.',
    },
  },
  {
    $id: 'Batch',
    additionalProperties: false,
    description: 'The sums of an unclosed batch are those that it would close with now.',
  },
)
