// /v1/payment_intents/search: it does not find payments of the last moments.

import type Stripe from 'stripe'
import { requiredText, textOf } from './fields.ts'
import { limitOf } from './lists.ts'
import { invalid } from './refusals.ts'
import type { StripeCall } from './routes.ts'

type Test = (intent: Stripe.PaymentIntent) => boolean

const CLAUSE = /^(?:metadata\[(["'])(.+)\1\]|(\w+))(:|<=|>=|<|>)(?:(["'])(.*)\5|(\d+))$/

const TEXT_FIELDS = ['currency', 'customer', 'status'] as const
const NUMBER_FIELDS = ['amount', 'created'] as const

export function searchIntents({ account, form }: StripeCall) {
  const tests = requiredText(form, 'query')
    .split(/\s+AND\s+/i)
    .map(testOf)
  const limit = limitOf(form)
  const indexedUntil = account.clock.seconds() - account.settings.searchLagMs / 1000
  const found = [...account.paymentIntents.values()]
    .reverse()
    .filter((one) => one.created <= indexedUntil && tests.every((test) => test(one)))
  const start = Number(textOf(form, 'page') ?? 0)
  const end = start + limit
  const has_more = end < found.length
  return {
    object: 'search_result',
    url: '/v1/payment_intents/search',
    has_more,
    next_page: has_more ? `${end}` : null,
    data: found.slice(start, end),
  } satisfies Partial<Stripe.ApiSearchResult<Stripe.PaymentIntent>>
}

function testOf(clause: string): Test {
  const [, , key, field, sign = '', , text, number] = CLAUSE.exec(clause.trim()) ?? []
  if (key !== undefined && sign === ':') return ({ metadata }) => metadata[key] === text
  const textField = TEXT_FIELDS.find((name) => name === field)
  if (textField !== undefined && sign === ':') return (intent) => intent[textField] === text
  const numberField = NUMBER_FIELDS.find((name) => name === field)
  if (numberField !== undefined && number !== undefined) {
    return (intent) => compares(intent[numberField], sign, Number(number))
  }
  throw invalid(`Unsupported search query: ${clause}`)
}

function compares(value: number, sign: string, limit: number): boolean {
  if (sign === '<') return value < limit
  if (sign === '<=') return value <= limit
  if (sign === '>') return value > limit
  if (sign === '>=') return value >= limit
  return value === limit
}
