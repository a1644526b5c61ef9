import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL } from '../support/people.ts'
import { expectRefusal } from '../support/requests.ts'
import { BANK, CARD } from '../support/sandbox-cards.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

/** Copies of a payment method, each a minute older than the one before. */
const OLDER = `
  INSERT INTO payment_method SELECT (jsonb_populate_record(m, jsonb_build_object(
    'id', gen_random_uuid(), 'gateway_token', m.gateway_token || n, 'is_default', false,
    'created_at', m.created_at - n * interval '1 minute'))).*
  FROM payment_method m, generate_series(1, $3::integer) AS n
  WHERE m.account_id = $1 AND m.id = $2`

describe('the payment methods of a customer', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) =>
    call(service.app, method, url, merchant.headers, body)

  it('are a bare array, the newest first, without deleted ones', async () => {
    const made: Answer['body'][] = []
    const customer = (await ask('POST', '/customer', FULL)).body
    const url = `/customer/${customer.id}/payment-method`
    expect((await ask('GET', url)).body).toEqual([])
    for (const one of [CARD, BANK, CARD, BANK]) {
      made.push((await ask('POST', '/payment-method', { ...one, customer_id: customer.id })).body)
    }
    await service.card(merchant) // It is another customer's.
    const [first, second, third, fourth] = made
    expect((await ask('GET', url)).body).toEqual([fourth, third, second, first])
    await ask('DELETE', `/payment-method/${third.id}`)
    const { status, body } = await ask(
      'GET',
      `/customer/${customer.id.toUpperCase()}/payment-method/`,
    )
    expect([status, body]).toEqual([200, [fourth, second, first]])
  })

  it('are the newest of very many: the list of all is in pages', async () => {
    const { accountId } = merchant
    const customer = (await ask('POST', '/customer', FULL)).body
    const made = (await ask('POST', '/payment-method', { ...CARD, customer_id: customer.id })).body
    await service.world.db.query(OLDER, [accountId, made.id, 250])
    const newest = (await ask('GET', `/customer/${customer.id}/payment-method`)).body
    expect([newest.length, newest[0].id]).toEqual([200, made.id])
    const page = `/payment-method?customer_id=${customer.id}&limit=200`
    const { body } = await ask('GET', page)
    expect([body.total, body.data]).toEqual([251, newest])
  })

  it('take no query, and are not found for an unknown customer', async () => {
    const customer = (await ask('POST', '/customer', FULL)).body
    const url = `/customer/${customer.id}/payment-method`
    expectRefusal(await ask('GET', `${url}?limit=1`), 400, 'invalid_request', ['limit'])
    expectRefusal(await ask('GET', `/customer/${UNKNOWN}/payment-method`), 404, 'not_found')
    expectRefusal(await ask('GET', '/customer/x/payment-method'), 400, 'invalid_id', ['id'])
  })
})
