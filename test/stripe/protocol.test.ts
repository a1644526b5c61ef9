import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, errorOf, PAYMENT } from './client.ts'
import { readForm } from './stand-in/form.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

let standIn: StripeStandIn

beforeEach(async () => {
  standIn = await openStripe({ accounts: ['acct_one', 'acct_two'] })
  return () => standIn[Symbol.asyncDispose]()
})

describe('the API', () => {
  it('accepts the secret key alone', async () => {
    for (const secretKey of ['sk_test_wrong', standIn.publishableKey]) {
      const error = await errorOf(clientOf(standIn, { secretKey }).customers.list())
      expect(error).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 })
      expect(error.message).not.toContain(secretKey)
    }
  })

  it('accepts the key as curl sends it', async () => {
    const authorization = `Basic ${Buffer.from(`${standIn.secretKey}:`).toString('base64')}`
    const response = await fetch(`${standIn.url}/v1/customers`, { headers: { authorization } })
    expect(response.status).toBe(200)
  })

  it("echoes the version and the request's id; without a version it is the account’s", async () => {
    const headers = { authorization: `Bearer ${standIn.secretKey}` }
    const get = (version?: string) =>
      fetch(`${standIn.url}/v1/customers`, {
        headers: { ...headers, ...(version !== undefined && { 'stripe-version': version }) },
      })
    expect((await get('2020-08-27')).headers.get('stripe-version')).toBe('2020-08-27')
    const own = await get()
    expect(own.headers.get('stripe-version')).toBe('2024-06-20')
    expect(own.headers.get('request-id')).toMatch(/^req_/)
    expect((await get('next year')).status).toBe(400)
  })

  it('refuses unknown objects', async () => {
    const response = await fetch(`${standIn.url}/v1/unicorns`, {
      headers: { authorization: `Bearer ${standIn.secretKey}` },
    })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })

  it('expands the requested fields, through objects and lists', async () => {
    const client = clientOf(standIn)
    const { id: customer } = await client.customers.create()
    await client.paymentIntents.create({ ...PAYMENT, customer })
    await standIn.advance(2000)
    const { data } = await client.paymentIntents.list({
      expand: ['data.customer', 'data.latest_charge.balance_transaction'],
    })
    expect(data).toMatchObject([
      { customer: { id: customer }, latest_charge: { balance_transaction: { net: 4_55 } } },
    ])
    expect(await errorOf(client.customers.list({ expand: ['data.unicorn'] }))).toMatchObject({
      statusCode: 400,
    })
  })

  it('shows the account of the key', async () => {
    const client = clientOf(standIn)
    expect(await client.accounts.retrieveCurrent()).toMatchObject({ charges_enabled: true })
    const connected = await client.accounts.retrieveCurrent({}, { stripeAccount: 'acct_one' })
    expect(connected.id).toBe('acct_one')
    expect((await client.balance.retrieve()).available).toMatchObject([{ currency: 'usd' }])
  })

  it('limits the rate of an endpoint for each account', async () => {
    await using limited = await openStripe({ requestsPerSecond: 2 })
    const client = clientOf(limited)
    const list = (options = {}) => client.customers.list({}, options)
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => list()))
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused[0]).toMatchObject({ statusCode: 429, code: 'rate_limit' })
    expect((await client.events.list()).data).toEqual([])
    expect((await list({ stripeAccount: 'acct_one' })).data).toEqual([])
    await expect.poll(() => list().catch(() => undefined)).toMatchObject({ data: [] })
  })

  it('starts at any time, and goes on from there', async () => {
    const startsAt = new Date('2030-01-31T12:00:00Z')
    await using later = await openStripe({ startsAt })
    const { created } = await clientOf(later).customers.create()
    expect(created - startsAt.getTime() / 1000).toBeLessThan(60)
    await later.advance(60 * 60 * 1000)
    expect(later.now().toISOString()).toMatch(/^2030-01-31T13:0/)
  })

  it('keeps a log of the requests without their parameters', async () => {
    const client = clientOf(standIn)
    await client.customers.create({ name: 'Ada' }, { idempotencyKey: 'a' })
    await client.customers.list({ email: 'ada@example.com' }, { stripeAccount: 'acct_one' })
    expect(standIn.requests).toEqual([
      {
        method: 'POST',
        path: '/v1/customers',
        idempotencyKey: 'a',
        account: undefined,
        status: 200,
        isReplayed: false,
        fault: undefined,
      },
      {
        method: 'GET',
        path: '/v1/customers',
        idempotencyKey: undefined,
        account: 'acct_one',
        status: 200,
        isReplayed: false,
        fault: undefined,
      },
    ])
  })
})

describe('a connected account', () => {
  it('has a ledger, keys and objects of its own', async () => {
    const client = clientOf(standIn)
    const pay = (stripeAccount?: string) =>
      client.paymentIntents.create(PAYMENT, {
        idempotencyKey: 'same',
        ...(stripeAccount !== undefined && { stripeAccount }),
      })
    const [own, one, two] = [await pay(), await pay('acct_one'), await pay('acct_two')]
    expect(new Set([own.id, one.id, two.id]).size).toBe(3)
    expect((await pay('acct_one')).id).toBe(one.id)
    expect(await errorOf(client.paymentIntents.retrieve(one.id))).toMatchObject({
      statusCode: 404,
    })
    const read = await client.paymentIntents.retrieve(one.id, {}, { stripeAccount: 'acct_one' })
    expect(read.id).toBe(one.id)
    const refund = { payment_intent: one.id }
    expect(await errorOf(client.refunds.create(refund))).toMatchObject({ statusCode: 400 })
    expect(standIn.ledger('acct_one').map(({ id }) => id)).toEqual([one.id, one.id])
    expect(standIn.ledger().map(({ id }) => id)).toEqual([own.id, own.id])
  })

  it('has customers that are unknown to the platform', async () => {
    const { id: customer } = await clientOf(standIn).customers.create()
    const connected = clientOf(standIn, { stripeAccount: 'acct_one' })
    expect(await errorOf(connected.paymentIntents.create({ ...PAYMENT, customer }))).toMatchObject({
      code: 'resource_missing',
    })
  })

  it('that is unknown, or whose access was revoked, is 403', async () => {
    const list = (stripeAccount: string) => clientOf(standIn, { stripeAccount }).customers.list()
    const denied = { type: 'StripePermissionError', statusCode: 403, code: 'account_invalid' }
    expect(await errorOf(list('acct_other'))).toMatchObject(denied)
    expect((await list('acct_one')).data).toEqual([])
    standIn.revokeAccess('acct_one')
    expect(await errorOf(list('acct_one'))).toMatchObject(denied)
  })
})

describe('a form', () => {
  it.each([
    ['a=1&b=', { a: '1', b: '' }],
    ['a[b]=1&a[c][d]=2', { a: { b: '1', c: { d: '2' } } }],
    ['a[0]=x&a[1]=y', { a: { 0: 'x', 1: 'y' } }],
    ['a[]=x&a[]=y', { a: { 0: 'x', 1: 'y' } }],
    ['metadata[a%5Bb%5D]=1', { metadata: { 'a[b]': '1' } }],
    ['a%5Bb%5D=%E2%82%AC+1', { a: { b: '€ 1' } }],
    ['__proto__[x]=1', JSON.parse('{"__proto__": {"x": "1"}}')],
  ])('%s is read with its brackets', (text, form) => {
    expect(JSON.parse(JSON.stringify(readForm(text)))).toEqual(form)
  })
})
