// Fields of a body that the service does not know: they are ignored, and the answer names them.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: ['charge'] })
  merchant = await service.merchant()
})
afterAll(() => service.close())

async function named(
  method: 'POST' | 'PUT',
  path: string,
  body: unknown,
  status = 200,
  more: Readonly<Record<string, string>> = {},
) {
  const answer = await service.app.inject({
    method,
    url: path,
    headers: { ...merchant.headers, 'content-type': 'application/json', ...more },
    payload: JSON.stringify(body),
  })
  expect(`${answer.statusCode} ${answer.body}`).toMatch(new RegExp(`^${status} `))
  return answer.headers['ignored-fields']
}

it('a misspelt field of a charge is named, and one that is known is not', async () => {
  const payment_method_id = await service.card(merchant)
  const charge = { total: 10, payment_method_id, meta: { pre_auht: 1 } }
  expect(await named('POST', '/charge', { ...charge, pre_auht: true })).toBe('pre_auht')
  expect(await named('POST', '/charge', { ...charge, pre_auth: true })).toBeUndefined()
  // Nothing was said with it.
  expect(await named('POST', '/charge', { ...charge, pre_auht: null })).toBeUndefined()
})

it('a misspelt field is named too where a required one is missing, and said with it', async () => {
  const headers = merchant.headers
  const body = { totl: 10, 'payment-method': 'x', colour: 1 }
  expect(await named('POST', '/charge', body, 400)).toBe('totl, payment-method, colour')
  const { body: refusal } = await call(service.app, 'POST', '/charge', headers, body)
  expect(refusal.errors).toEqual({
    total: ['is required: totl is not known'],
    payment_method_id: ['is required: payment-method is not known'],
  })
  const long = { [`total${'_'.repeat(1_000)}`]: 10, payment_method_id: 'x' }
  const cut = await call(service.app, 'POST', '/charge', headers, long)
  expect(cut.body.errors.total).toEqual([`is required: total${'_'.repeat(59)} is not known`])
})

it('what is nothing like the missing field is said with it too, but not all of it', async () => {
  const { headers } = merchant
  const link = await call(service.app, 'POST', '/payment-link', headers, { name: 'Tea', price: 5 })
  expect(link.body.message).toBe('common_name is required (not known: name, price)')
  const meant = { link_meta: { memo: 'Green' }, name: 'Tea', amount: 5 }
  const other = await call(service.app, 'POST', '/query/payment-links', headers, meant)
  expect(other.body.message).toBe('common_name is required (not known: name)')
  const many = { url: 'x', a: 1, b: 2, c: 3, event: '*' }
  const webhook = await call(service.app, 'POST', '/webhook', headers, many)
  expect(webhook.body.errors).toEqual({ target_url: ['is required (not known: url, a, b)'] })
})

it('a key sent otherwise, and a wrong method, are told what is right', async () => {
  const { authorization } = merchant.headers
  const bare = await call(service.app, 'GET', '/self', {
    authorization: authorization.replace('Bearer ', ''),
  })
  expect(bare.body.message).toBe('a valid API key is required: Authorization: Bearer <key>')
  const get = await call(service.app, 'GET', '/charge', merchant.headers)
  expect(get.body.message).toBe('that method is not allowed here: use POST')
})

it.each([
  ...['Idempotency_Key', 'IdempotencyKey', 'X-Idempotency-Key', 'Idempotency-Id'],
  ...['Idempotent-Key', 'Indempotency-Key', 'Idempotancy-Key', 'Idempotncy-Key', 'Idem-Key'],
  ...['Idempotence-Key', 'Cko-Idempotency-Key', 'Impotency-Key'],
])('the header %s, which is no Idempotency-Key, is named', async (header) => {
  const body = { firstname: 'Ada', lastnaem: 'L' }
  const said = await named('POST', '/customer', body, 200, { [header]: 'once' })
  expect(said).toBe(`${header.toLowerCase()}, lastnaem`)
  const known = await named('POST', '/customer', body, 200, { 'Idempotency-Key': header })
  expect(known).toBe('lastnaem')
})

it('a customer that is sent back as it was answered has fields that no change reads', async () => {
  const made = await call(service.app, 'POST', '/customer', merchant.headers, { firstname: 'Ada' })
  const path = `/customer/${made.body.id}`
  expect(await named('PUT', path, made.body)).toBe('id, created_at, updated_at')
})

it('a field within a list is named by its place, and one of an object of the caller is not', async () => {
  const [account_id, payment_method_id] = ['main', await service.card(merchant)]
  const funding = [
    { account_id, amount: 6 },
    { account_id, amount: 4, memmo: 'rent', share: null },
  ]
  const meta = { lineItems: [{ itme: 'Tea' }] }
  const charge = { total: 10, payment_method_id, funding, meta }
  // The team has no Split Funding. The name stands beside any answer.
  expect(await named('POST', '/charge', charge, 403)).toBe('funding.1.memmo')
  const many = { ...charge, funding: Array.from({ length: 100 }, () => ({ a: 1, b: 2 })) }
  const names = String(await named('POST', '/charge', { ...many, wrong: 1 }, 400)).split(', ')
  expect(names).toHaveLength(10)
  expect(names.slice(0, 3)).toEqual(['funding.0.a', 'funding.0.b', 'funding.1.a'])
})

it('both forms of a body with two know their fields', async () => {
  const path = '/query/payment-links'
  const link = { common_name: 'Tea', link_meta: { memo: 'Tea' }, amuont: 5 }
  expect(await named('POST', path, link)).toBe('amuont')
  expect(await named('POST', path, { amuont: 5 }, 400)).toBeUndefined()
})

it('the numbers of the other method are named, and never shown', async () => {
  const owner = { person_name: 'Ada Lovelace' }
  const card = { card_number: '4111111111111111', card_exp: '1239', card_cvv: '123' }
  const bank = { bank_account: '000123456789', bank_routing: '021000021' }
  const both = { ...owner, ...card, ...bank, bank_type: 'checking', bank_holder_type: 'personal' }
  const path = '/payment-method'
  const ofCard = { ...both, method: 'card' }
  expect(await named('POST', path, ofCard)).toBe('bank_account, bank_routing')
  const ofBank = { ...both, method: 'bank' }
  expect(await named('POST', path, ofBank)).toBe('card_number, card_cvv, card_exp')
  const empty = { bank_account: null, bank_routing: '' }
  expect(await named('POST', path, { ...owner, ...card, ...empty, method: 'card' })).toBeUndefined()
  expect(await named('POST', path, { ...owner, ...bank, method: 'chek' }, 400)).toBeUndefined()
})

it('odd names stay within the header, and many are cut', async () => {
  const odd = ['a, b', 'ä', 'line\r\nx-other: 1', '\ud800', 'n'.repeat(100), 'toString', '']
  const body = Object.fromEntries(odd.map((name) => [name, 1]))
  expect(await named('POST', '/customer', { ...body, firstname: 'Ada' })).toBe(
    `a%2C%20b, %C3%A4, line%0D%0Ax-other%3A%201, %EF%BF%BD, ${'n'.repeat(64)}, toString, `,
  )
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field_${i}`, 1]))
  const names = String(await named('POST', '/customer', { ...many, firstname: 'Ada' })).split(', ')
  expect(names).toEqual(Array.from({ length: 10 }, (_, i) => `field_${i}`))
})
