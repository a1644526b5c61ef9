import { TRANSACTION_SORTS } from '../../payments/lists/listing.ts'
import { Type } from '../../resource/json-schema.ts'
import { id, linkId, money, queryFlag, text } from '../../resource/schemas.ts'
import { dateRange, listQuery } from './list.ts'

const MOST_KEYWORDS = 10

const KEYWORD =
  "Must be found: in the customer's name, company, e-mail address or phone number, in a message or a source, or as an id."

export const transactionQuery = listQuery(TRANSACTION_SORTS, {
  type: Type.Optional(
    Type.Enum(['charge', 'pre_auth', 'capture', 'void', 'refund', 'credit'], {
      description: 'Only these.',
    }),
  ),
  status: Type.Optional(
    Type.Enum(['PENDING', 'SUCCESS', 'FAILED'], { description: 'Only these.' }),
  ),
  method: Type.Optional(
    Type.Enum(['card', 'bank', 'cash', 'check'], { description: 'Only these.' }),
  ),
  success: Type.Optional(queryFlag('The outcome; neither value matches a PENDING transaction.')),
  is_manual: Type.Optional(queryFlag('Whether it was recorded by hand.')),
  pre_auth: Type.Optional(queryFlag('Authorizations, or other payments.')),
  customer_id: Type.Optional(id('The customer.')),
  payment_method_id: Type.Optional(id('The payment method.')),
  invoice_id: Type.Optional(id('The invoice that it pays.')),
  schedule_id: Type.Optional(id('The schedule that made it.')),
  payment_link_id: Type.Optional(linkId('The payment link.')),
  batch_id: Type.Optional(id('The batch; refunds in it are listed too.')),
  total: Type.Optional(money('Exactly this total.')),
  minTotal: Type.Optional(money('At least this total.')),
  maxTotal: Type.Optional(money('At most this total.')),
  last_four: Type.Optional(text('The last digits of the card or the account.')),
  keywords: Type.Optional(
    Type.Array(text(KEYWORD), {
      maxItems: MOST_KEYWORDS,
      description: 'Text to find; if repeated, each must be found.',
    }),
  ),
  ...dateRange,
  export: Type.Optional(
    Type.Enum(['csv'], {
      description: 'The whole list as a file, without pages: one line a transaction.',
    }),
  ),
  all: Type.Optional(
    queryFlag(
      'Captures, voids and refunds too; a filter on these types or on batch_id implies it.',
    ),
  ),
})
