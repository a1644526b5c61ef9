// The stand-in for Checkout.com behaves as the documentation says.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckoutStandIn, openCheckout } from './stand-in/open.ts'

const HOUR_MS = 3_600_000

describe('the stand-in', () => {
  let checkout: CheckoutStandIn

  beforeAll(async () => {
    checkout = await openCheckout({ actionsTakeMs: HOUR_MS })
  })
  afterAll(() => checkout[Symbol.asyncDispose]())

  async function ask(method: string, path: string, body?: object, key?: string) {
    const response = await fetch(`${checkout.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${checkout.secretKey}`,
        ...(key !== undefined && { 'cko-idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  }

  const payment = (more: object = {}) => ({
    source: { type: 'token', token: checkout.token() },
    amount: 10_00,
    currency: 'USD',
    processing_channel_id: checkout.processingChannel,
    ...more,
  })

  it('answers a repeat as the first request, whatever its body, and repeats no refusal', async () => {
    expect((await ask('POST', '/payments', payment({ amount: -1 }), 'k')).status).toBe(422)
    const first = await ask('POST', '/payments', payment(), 'k')
    expect(first).toMatchObject({ status: 201, body: { status: 'Authorized', amount: 10_00 } })
    expect(await ask('POST', '/payments', payment({ amount: 99 }), 'k')).toEqual(first)
  })

  it('refuses a request whose key is in use', async () => {
    checkout.fault(() => ({ kind: 'slow', lastsMs: 1_000 }))
    const all = [payment(), payment()].map((body) => ask('POST', '/payments', body, 'busy'))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    checkout.fault()
    expect(statuses.toSorted()).toEqual([201, 429])
  })

  it('accepts an action, decides it later, and lists it only then, the latest first', async () => {
    const { body } = await ask('POST', '/payments', payment({ capture: false, reference: 'r' }))
    const path = `/payments/${body.id}`
    const amount = { amount: 4_00, reference: 'c' }
    const accepted = await ask('POST', `${path}/captures`, amount)
    expect(accepted).toMatchObject({ status: 202, body: { reference: 'c' } })
    const types = async () =>
      (await ask('GET', `${path}/actions`)).body.map(({ type }: { type: string }) => type)
    expect(await types()).toEqual(['Authorization'])
    expect((await ask('POST', `${path}/voids`, {})).status).toBe(403)
    await checkout.advance(HOUR_MS)
    expect(await types()).toEqual(['Capture', 'Authorization'])
    const tooMuch = await ask('POST', `${path}/refunds`, { amount: 4_01 })
    expect(tooMuch).toMatchObject({
      status: 422,
      body: { error_codes: ['refund_amount_exceeds_balance'] },
    })
    expect((await ask('GET', path)).body.balances).toMatchObject({
      total_captured: 4_00,
      available_to_capture: 0,
      available_to_refund: 4_00,
    })
    const { data } = (await ask('GET', '/payments?reference=r')).body
    expect(data).toMatchObject([{ id: body.id, status: 'Partially Captured' }])
  })

  it('verifies a card with a payment of zero, and stores it', async () => {
    const { body } = await ask('POST', '/payments', payment({ amount: 0 }))
    expect(body).toMatchObject({ status: 'Card Verified', source: { last4: '4242' } })
    const stored = { type: 'id', id: body.source.id }
    const twice = await ask('POST', '/payments', payment({ amount: 0 }))
    expect(twice.body.source.id).toBe(body.source.id)
    expect((await ask('POST', '/payments', payment({ source: stored }))).status).toBe(201)
    expect((await ask('DELETE', `/instruments/${body.source.id}`)).status).toBe(204)
    expect((await ask('POST', '/payments', payment({ source: stored }))).status).toBe(422)
  })

  it.each([
    [10_05, '20005'],
    [10_51, '20051'],
  ])('declines %i by its last digits', async (amount, response_code) => {
    const { body } = await ask('POST', '/payments', payment({ amount }))
    expect(body).toMatchObject({ status: 'Declined', approved: false, response_code })
  })

  it('makes a token of a card, valid for one payment', async () => {
    const card = { type: 'card', number: '4242424242424242', expiry_month: 1, expiry_year: 2030 }
    const { body } = await ask('POST', '/tokens', card)
    const source = { type: 'token', token: body.token }
    expect((await ask('POST', '/payments', payment({ source }))).status).toBe(201)
    expect((await ask('POST', '/payments', payment({ source }))).status).toBe(422)
  })

  it('finds payments by time, page by page', async () => {
    for (let made = 0; made < 3; made += 1) await ask('POST', '/payments', payment({}))
    const to = new Date(checkout.now().getTime() + 1_000).toISOString()
    const search = (query: string) =>
      ask('POST', `/payments/search${query}`, { from: new Date(0).toISOString(), to, limit: 2 })
    const first = await search('')
    expect(first.body.data).toHaveLength(2)
    const next = new URL(first.body._links.next.href).search
    expect((await search(next)).body.data[0].id).not.toBe(first.body.data[0].id)
  })
})

it('refuses requests without its key', async () => {
  await using checkout = await openCheckout()
  expect((await fetch(`${checkout.url}/payments?reference=x`)).status).toBe(401)
})
