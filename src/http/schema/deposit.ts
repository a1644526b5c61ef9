import { TRANSACTION_SORTS } from '../../payments/lists/listing.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField, id } from '../../resource/schemas.ts'
import { DEPOSITS } from '../../settlement/list-deposits.ts'
import { dateRangeOf, exportAs, IGNORED, listQuery } from './list.ts'

/** The cutoff decides, not the closing, which may be late. */
const cutoffRange = dateRangeOf(
  'The cutoff of its batch is at this instant or later.',
  'The cutoff of its batch is at this instant or earlier; a date includes that whole day.',
)

export const depositQuery = listQuery(DEPOSITS.sorts, {
  ...cutoffRange,
  export: exportAs('deposit'),
  user_id: IGNORED.user_id,
})

export const depositDetailQuery = listQuery(TRANSACTION_SORTS, {
  batch_id: Type.Optional(id('The deposit, which is required in one of its three spellings.')),
  batchId: Type.Optional(id('The same as batch_id.')),
  id: Type.Optional(id('The same as batch_id.')),
  ...cutoffRange,
  export: exportAs('transaction'),
  user_id: IGNORED.user_id,
})

export const deposit = Type.Object(
  {
    id: answerField.id,
    batch_id: { ...answerField.id, description: 'The batch, which is the deposit: the same id.' },
    business_date: Type.String({ format: 'date' }),
    batched_at: { ...answerField.time, description: 'When its batch was closed.' },
    deposit_at: { ...answerField.time, description: 'When the money arrives.' },
    count: Type.Integer({ description: 'Of its sales and refunds.' }),
    sum: { ...answerField.amount, description: 'sales − refunds, in major units.' },
    sales: answerField.amount,
    refunds: answerField.amount,
    avg: { ...answerField.amount, description: 'sum / count, rounded to the cent.' },
  },
  { $id: 'Deposit', additionalProperties: false },
)

export const depositTransaction = Type.Object(
  {
    transaction_id: answerField.id,
    batch_id: answerField.id,
    batched_at: answerField.time,
    created_at: answerField.time,
    type: Type.Enum(['charge', 'capture', 'refund']),
    method: Type.Enum(['card', 'bank']),
    total: answerField.amount,
    net: {
      ...answerField.amount,
      description: 'Its amount in the deposit: negative for a refund.',
    },
    last_four: answerField.textOrNull,
    card_type: answerField.textOrNull,
    auth_id: answerField.textOrNull,
    customer_id: answerField.id,
    invoice_id: answerField.idOrNull,
  },
  { $id: 'DepositTransaction', additionalProperties: false },
)
