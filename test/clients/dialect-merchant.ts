// A merchant whose key has the dialect. The clients send the bytes that their published interfaces
// describe, and nothing else.

import { expect } from 'vitest'
import { createKey, writeChangedKey } from '../../src/accounts/manage-keys.ts'
import { isFreeName } from '../../src/core/dialect.ts'
import { type Answer, GOOD_CARD, type TestService } from '../support/test-service.ts'

export interface DialectMerchant {
  readonly service: TestService
  readonly accountId: string
  /** The same account with a key in the standard form. */
  readonly standard: { readonly authorization: string }
  /** A customer with the approving card; both as the client's own calls would make them. */
  readonly customer: string
  readonly card: string
  /** Sends text as the body, or nothing. The answer is checked against the dialect. */
  readonly send: (method: Method, path: string, body?: string, headers?: Headers) => Promise<Answer>
  /** The same with JSON, and a content type in any case, as most clients send it. */
  readonly json: (method: Method, path: string, body?: unknown) => Promise<Answer>
  /** The body of an approved charge. */
  readonly charged: (body?: object) => Promise<Answer['body']>
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
type Headers = Readonly<Record<string, string>>

/** The format in which these clients read instants. */
export const THEIR_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

const OUR_TIME = /^\d{4}-\d\d-\d\dT.*Z$/

export async function openDialectMerchant(service: TestService): Promise<DialectMerchant> {
  const merchant = await service.merchant()
  const first = await service.world.db.prisma.apiKey.findFirstOrThrow({
    where: { accountId: merchant.accountId },
  })
  await writeChangedKey(service.world, first.id, { dialect: 'stax' })
  const { key } = await createKey(service.world, {
    accountId: merchant.accountId,
    mode: 'sandbox',
    name: 'standard',
  })
  const standard = { authorization: `Bearer ${key}` }

  const send: DialectMerchant['send'] = async (method, path, body, headers = {}) => {
    const answer = await service.app.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${merchant.key}`, accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const parsed = isJson && answer.body !== '' ? answer.json() : undefined
    if (parsed?.request_id === undefined) expectDialect(parsed, merchant.accountId)
    return {
      status: answer.statusCode,
      body: parsed,
      text: answer.body,
      headers: answer.headers,
    }
  }
  const json: DialectMerchant['json'] = (method, path, body) =>
    send(method, path, body === undefined ? undefined : JSON.stringify(body), {
      'content-type': 'application/json',
    })

  const customer = await json('POST', '/customer', { firstname: 'Ada', email: 'ada@example.com' })
  const method = { method: 'card', person_name: 'Ada Lovelace', card_number: GOOD_CARD }
  const card = await json('POST', '/payment-method', {
    ...method,
    card_exp: '1239',
    customer_id: customer.body.id,
  })
  expect([customer.status, card.status]).toEqual([200, 200])
  const opened = {
    service,
    accountId: merchant.accountId,
    standard,
    customer: customer.body.id,
    card: card.body.id,
    send,
    json,
  }
  return {
    ...opened,
    async charged(body = {}) {
      const sent = { payment_method_id: opened.card, total: 10, meta: {}, ...body }
      const answer = await json('POST', '/charge', sent)
      expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
      return answer.body
    },
  }
}

/**
 * Every instant has their format, and every resource its merchant; a merchant's own JSON is
 * unchanged.
 */
function expectDialect(value: unknown, accountId: string, name = ''): void {
  if (typeof value === 'string' && OUR_TIME.test(value)) expect(name).toBe('a free field')
  if (typeof value !== 'object' || value === null || isFreeName(name)) return
  if ('id' in value && 'created_at' in value) {
    expect(value).toMatchObject({ merchant_id: accountId, user_id: null })
  }
  for (const [field, inner] of Object.entries(value)) expectDialect(inner, accountId, field)
}

type Kind = 'text' | 'integer' | 'number' | 'flag' | 'time' | 'object' | 'list'

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && THEIR_TIME.test(value),
  object: (value) => typeof value === 'object' && !Array.isArray(value),
  list: Array.isArray,
}

/**
 * The types that a client gives to fields. It accepts null and an absent field for any of them, but
 * a value of another type is an error in it.
 */
export function expectTypes(body: object, types: Readonly<Record<string, Kind>>): void {
  const values = new Map(Object.entries(body))
  const wrong = Object.entries(types).filter(([field, kind]) => {
    const value = values.get(field) ?? undefined
    return value !== undefined && !IS[kind](value)
  })
  expect(wrong.map(([field, kind]) => `${field} as ${kind}: ${values.get(field)}`)).toEqual([])
}
