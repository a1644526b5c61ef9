// The schemas of payment links: what creates and changes one, their list, and the answers.

import { LINKS, PAYMENT_LINK } from '../../links/link.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import {
  currency,
  flag,
  idempotencyId,
  linkId,
  meta,
  openAmount,
  queryFlag,
  text,
} from '../../resource/schemas.ts'
import { resourceSchema } from './answers.ts'
import { IGNORED, keywordsFilter, listQuery, MOST_KEYWORDS } from './list.ts'

const COFFEE = {
  common_name: 'Coffee',
  amount: 12.5,
  link_meta: { memo: 'A bag of beans', isTotalEditable: false },
}

export const newPaymentLink = Type.Object(
  {
    ...PAYMENT_LINK.creation,
    currency: Type.Optional(currency),
    idempotency_id: idempotencyId,
  },
  { examples: [COFFEE] },
)

export const changedPaymentLink = Type.Object(
  { ...PAYMENT_LINK.change, currency: Type.Optional(currency) },
  {
    description: 'Absent fields keep their value; `meta` and `link_meta` are replaced as a whole.',
    examples: [{ active: false }],
  },
)

export const linkParams = Type.Object({ id: linkId('The payment link.') })

// ----------------------------------------------------------------------------------- how to ask

const SORTS = Object.keys(LINKS.sorts) as (keyof typeof LINKS.sorts)[]

const AMOUNT = 'Exactly this amount; 0 finds links without one.'
const NAME = 'An exact match, ignoring case.'
const KEYWORD = 'Text in the name, or in the memo of link_meta.'

const filters = {
  amount: Type.Optional(openAmount(AMOUNT)),
  common_name: Type.Optional(text(NAME)),
}

export const linkQuery = listQuery(LINKS.sorts, {
  ...filters,
  active: Type.Optional(queryFlag('Only active links, or only inactive ones.')),
  keywords: keywordsFilter(KEYWORD),
  ...IGNORED,
})

const whole = (kind: 'page_number' | 'page_size', description: string) =>
  Type.Optional(
    Type.Unsafe<number | string>({ 'x-kind': kind, type: ['integer', 'string'], description }),
  )

/**
 * The same fields in a body. JSON has types, but some clients send text. A field that is not known
 * is refused, as in an address: a misspelt filter must not list everything.
 */
const queryFields = {
  page: whole('page_number', '1 when absent.'),
  limit: whole('page_size', '1 to 200; 50 when absent.'),
  per_page: whole('page_size', 'The same as limit.'),
  sort: Type.Optional(Type.Enum(SORTS)),
  order: linkQuery.properties.order,
  ...filters,
  active: Type.Optional(flag('Only active links, or only inactive ones.')),
  keywords: Type.Optional(
    Type.Unsafe<string | string[]>({
      'x-kind': 'keywords',
      type: ['string', 'array'],
      minLength: 1,
      items: text(KEYWORD),
      maxItems: MOST_KEYWORDS,
      description: 'One text, or a list of texts that must all be found.',
    }),
  ),
  user_id: IGNORED.user_id,
  meta: Type.Optional({ ...meta, description: 'No filter; accepted.' }),
  url: Type.Optional(
    Type.Unsafe<unknown>({
      'x-kind': 'of_creation',
      description: 'Refused: a body that creates a link has link_meta.',
    }),
  ),
}

const linkQueryBody = Type.Object(queryFields, { additionalProperties: false })

export type LinkQueryBody = Static<typeof linkQueryBody>
export type NewPaymentLink = Static<typeof newPaymentLink>

export const linkQueryOrCreation = Type.Unsafe<LinkQueryBody | NewPaymentLink>({
  type: 'object',
  description: 'With `link_meta` the body creates a payment link; without it, it is a query.',
  if: { properties: { link_meta: {} }, required: ['link_meta'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: newPaymentLink,
  else: linkQueryBody,
  examples: [{ active: true, keywords: 'coffee', sort: 'amount', order: 'ASC' }],
})

// ------------------------------------------------------------------------------------- answers

export const paymentLink = resourceSchema('PaymentLink', PAYMENT_LINK.answer)

const done = { status: Type.Unsafe<200>({ type: 'integer', enum: [200] }), message: Type.String() }

export const paymentLinkMade = Type.Object({
  ...done,
  body: Type.Unsafe<object>({ $ref: 'PaymentLink#' }),
})

export const paymentLinkDeleted = Type.Object(done)
