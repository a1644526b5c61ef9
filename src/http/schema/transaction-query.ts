import { TRANSACTION_SORTS } from '../../payments/lists/listing.ts'
import { Type } from '../../resource/json-schema.ts'
import { id, linkId, money, queryFlag, text } from '../../resource/schemas.ts'
import { dateRange } from './date-range.ts'
import { listQuery } from './list.ts'

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
  success: Type.Optional(queryFlag('Decided so; neither finds what is PENDING.')),
  is_manual: Type.Optional(queryFlag('Recorded by hand, or not.')),
  pre_auth: Type.Optional(queryFlag('Only authorised, or not.')),
  customer_id: Type.Optional(id('Whose it is.')),
  payment_method_id: Type.Optional(id('By what it was paid.')),
  invoice_id: Type.Optional(id('What it pays.')),
  schedule_id: Type.Optional(id('What made it.')),
  payment_link_id: Type.Optional(linkId('Through what it was paid.')),
  batch_id: Type.Optional(id('What took it; its refunds are listed too.')),
  total: Type.Optional(money('Exactly this total.')),
  minTotal: Type.Optional(money('At least this total.')),
  maxTotal: Type.Optional(money('At most this total.')),
  last_four: Type.Optional(text('The last digits of the card or the account.')),
  keywords: Type.Optional(
    Type.Array(text(KEYWORD), {
      maxItems: MOST_KEYWORDS,
      description: 'Repeated, each must be found.',
    }),
  ),
  ...dateRange,
  export: Type.Optional(
    Type.Enum(['csv'], {
      description:
        'The whole list as a file, whatever page it is asked with: a line a transaction.',
    }),
  ),
  all: Type.Optional(
    queryFlag(
      'Captures, voids and refunds too; a filter on these types or on batch_id implies it.',
    ),
  ),
})
