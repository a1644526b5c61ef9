// The schemas of transactions: what makes and changes one, their list, and the answers.

import { METHODS, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../core/transaction.ts'
import { TRANSACTION_SORTS } from '../../payments/lists/listing.ts'
import { CHILD_TRANSACTION, TRANSACTION } from '../../payments/transaction/transaction-fields.ts'
import { Type } from '../../resource/json-schema.ts'
import {
  answerField,
  currency,
  flag,
  id,
  idempotencyId,
  linkId,
  meta,
  money,
  note,
  queryFlag,
  text,
} from '../../resource/schemas.ts'
import { resourceSchema } from './answers.ts'
import { dateRange, exportAs, IGNORED, keywordsFilter, listQuery, statusFilter } from './list.ts'
import { removal } from './removal.ts'

const share = Type.Object({
  account_id: text('The account that gets the share.'),
  amount: money('The share.'),
  memo: Type.Optional(text('The purpose of the share.')),
})

/** The form in answers: a share without a purpose has null. */
const fundedShare = Type.Object({
  account_id: answerField.text,
  amount: answerField.amount,
  memo: answerField.textOrNull,
})

/** A column of JSON, whose type the database does not know. */
export const fundedShares = Type.Unsafe<unknown>(Type.Array(fundedShare))

export const newCharge = Type.Object(
  {
    total: money('The amount to charge.'),
    payment_method_id: id('The card or bank account to charge.'),
    meta: Type.Optional(meta),
    pre_auth: Type.Optional(flag('Only authorize; capture later.')),
    currency: Type.Optional(currency),
    channel: Type.Optional(text('The origin of the payment, such as card_present.')),
    invoice_id: Type.Optional(id('The invoice that it pays; `total` is its balance due.')),
    payment_link_id: Type.Optional(linkId('The payment link through which it came.')),
    funding: Type.Optional(
      Type.Array(share, {
        minItems: 1,
        maxItems: 100,
        description: 'Split Funding, in the sandbox only: shares that add up to the total.',
      }),
    ),
    idempotency_id: idempotencyId,
  },
  {
    examples: [{ total: 12.5, payment_method_id: '01941f29-7c00-7000-8000-000000000001' }],
  },
)

export const childTransaction = resourceSchema(
  'ChildTransaction',
  CHILD_TRANSACTION.answer,
  'Customer and payment method are those of its parent.',
)

export const transaction = resourceSchema('Transaction', TRANSACTION.answer)

const kept = {
  source: Type.Optional(text('Where the money came from, in your words.')),
  meta: Type.Optional(meta),
  message: Type.Optional(note('A note about it.')),
}

/** Transactions that a merchant records by hand: cash and checks, which no gateway sees. */
export const newTransaction = Type.Object(
  {
    total: money('The amount that was paid.'),
    type: Type.Enum(['charge', 'refund', 'credit']),
    method: Type.Enum(['cash', 'check']),
    customer_id: id('The customer who paid or was paid.'),
    currency: Type.Optional(currency),
    ...kept,
    idempotency_id: idempotencyId,
  },
  {
    examples: [
      {
        total: 12.5,
        type: 'charge',
        method: 'cash',
        customer_id: '01941f29-7c00-7000-8000-000000000001',
      },
    ],
  },
)

export const changedTransaction = Type.Object(
  {
    total: Type.Optional(money('The amount that was paid.')),
    customer_id: Type.Optional(id('The customer who paid or was paid.')),
    currency: Type.Optional(currency),
    ...kept,
    remove: removal(['source', 'message']),
  },
  { examples: [{ message: 'paid at the counter' }] },
)

const KEYWORD =
  "Must be found: in the customer's name, company, e-mail address, phone number or reference, in the message or source of one that failed or was recorded by hand, or as a whole: the last four digits, the id, auth_id, idempotency_id, meta.reference or meta.poNumber."

export const transactionQuery = listQuery(TRANSACTION_SORTS, {
  type: Type.Optional(
    Type.Enum([...TRANSACTION_TYPES, 'pre auth'], {
      description: 'Only this type; `pre auth` is the same as pre_auth.',
    }),
  ),
  status: statusFilter(TRANSACTION_STATUSES),
  method: Type.Optional(Type.Enum(METHODS, { description: 'Only this method.' })),
  success: Type.Optional(queryFlag('The outcome; neither value matches a PENDING transaction.')),
  is_manual: Type.Optional(queryFlag('Whether it was recorded by hand.')),
  pre_auth: Type.Optional(queryFlag('Authorizations, or other payments.')),
  customer_id: Type.Optional(id('The customer.')),
  payment_method_id: Type.Optional(id('The payment method.')),
  invoice_id: Type.Optional(id('The invoice that it pays.')),
  schedule_id: Type.Optional(id('The schedule that made it.')),
  payment_link_id: Type.Optional(linkId('The payment link.')),
  batch_id: Type.Optional(id('The batch, once it is closed; refunds in it are listed too.')),
  total: Type.Optional(money('Exactly this total.')),
  minTotal: Type.Optional(money('At least this total.')),
  maxTotal: Type.Optional(money('At most this total.')),
  last_four: Type.Optional(text('The last digits of the card or the account.')),
  keywords: keywordsFilter(KEYWORD),
  ...dateRange,
  export: exportAs(
    'transaction',
    'To add up what was received, use `all=1`: captures have lines of their own, and `pre_auth` lines bring nothing.',
  ),
  all: Type.Optional(
    queryFlag(
      'Captures, voids and refunds too; a filter on these types or on batch_id implies it.',
    ),
  ),
  allTransactionsTopLevel: Type.Optional(queryFlag('The same as all.')),
  ...IGNORED,
})
