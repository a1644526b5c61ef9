import { LINKS } from '../../links/list-links.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import {
  answerField,
  flag,
  idempotencyId,
  linkId,
  meta,
  openMoney,
  queryFlag,
  text,
} from '../../resource/schemas.ts'
import { examplePaymentLink } from './examples.ts'
import { IGNORED, keywordsFilter, listQuery, MOST_KEYWORDS } from './list.ts'

const ADDRESS_CHARACTERS = 2_048

const linkMeta = Type.Unsafe<Record<string, unknown>>({
  'x-kind': 'meta',
  type: 'object',
  description: 'Settings of the page, and any JSON of your own, up to 16 KiB together.',
  properties: {
    memo: { type: ['string', 'null'], description: 'Shown to the payer.' },
    successRedirect: {
      'x-kind': 'web_address',
      type: ['string', 'null'],
      maxLength: ADDRESS_CHARACTERS,
      description: 'Where the payer goes after a payment: an http or https address.',
    },
    isTotalEditable: {
      'x-kind': 'flag',
      type: ['boolean', 'integer', 'string', 'null'],
      enum: [true, false, 0, 1, '0', '1', null],
      description: 'The payer may change the amount.',
    },
  },
})

const changeable = {
  amount: Type.Optional(openMoney('The amount to pay. Without it the payer enters one.')),
  active: Type.Optional(flag('Whether payers can pay through it; true when absent at creation.')),
  link_meta: Type.Optional(linkMeta),
  meta: Type.Optional(meta),
}

const commonName = text('The merchant’s name for the link.')

const COFFEE = {
  common_name: 'Coffee',
  amount: 12.5,
  link_meta: { memo: 'A bag of beans', isTotalEditable: false },
}

export const newPaymentLink = Type.Object(
  { common_name: commonName, ...changeable, idempotency_id: Type.Optional(idempotencyId) },
  { examples: [COFFEE] },
)

export const changedPaymentLink = Type.Object(
  { common_name: Type.Optional(commonName), ...changeable },
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
const amount = Type.Unsafe<number | string>({
  'x-kind': 'open_money',
  type: ['number', 'string'],
  description: AMOUNT,
  examples: [12.5],
})

const filters = { amount: Type.Optional(amount), common_name: Type.Optional(text(NAME)) }

export const linkQuery = listQuery(LINKS.sorts, {
  ...filters,
  active: Type.Optional(queryFlag('Only active links, or only inactive ones.')),
  keywords: keywordsFilter(KEYWORD),
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
      'x-kind': 'text',
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

export const paymentLink = Type.Object(
  {
    id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    common_name: answerField.text,
    amount: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Major units; null if the payer enters the amount.',
    }),
    active: answerField.flag,
    link_meta: answerField.meta,
    meta: answerField.meta,
    url: Type.String({ format: 'uri', description: 'The page that a payer opens.' }),
    qr_code_url: Type.String({
      format: 'uri',
      description: 'An SVG image with a QR code of the page.',
    }),
    total_sales: {
      ...answerField.amount,
      description:
        'The sum of the successful payments in major units. Later voids and refunds are not subtracted, and no event tells of a change.',
    },
    total_transactions: Type.Integer({
      description: 'The number of successful payments, voided and refunded ones included.',
    }),
    created_at: answerField.time,
    updated_at: answerField.time,
  },
  { $id: 'PaymentLink', additionalProperties: false, examples: [examplePaymentLink] },
)

const done = { status: Type.Unsafe<200>({ type: 'integer', enum: [200] }), message: Type.String() }

export const paymentLinkMade = Type.Object({
  ...done,
  body: Type.Unsafe<object>({ $ref: 'PaymentLink#' }),
})

export const paymentLinkDeleted = Type.Object(done)
