// The schemas of deposits: the queries of their lists, and the answers.

import { TRANSACTION_SORTS } from '../../payments/lists/listing.ts'
import { Type } from '../../resource/json-schema.ts'
import { id } from '../../resource/schemas.ts'
import { DEPOSIT, DEPOSIT_TRANSACTION } from '../../settlement/deposit.ts'
import { DEPOSITS } from '../../settlement/list-deposits.ts'
import { resourceSchema } from './answers.ts'
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

export const deposit = resourceSchema('Deposit', DEPOSIT.answer)

export const depositTransaction = resourceSchema('DepositTransaction', DEPOSIT_TRANSACTION.answer)
