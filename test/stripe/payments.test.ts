import type Stripe from 'stripe'
import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, errorOf, PAYMENT } from './client.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

let standIn: StripeStandIn
let client: ReturnType<typeof clientOf>

beforeEach(async () => {
  standIn = await openStripe()
  client = clientOf(standIn)
  return () => standIn[Symbol.asyncDispose]()
})

describe('a payment', () => {
  it('is made and captured at once, and its balance transaction follows a moment later', async () => {
    const metadata = { lamplighter: 'txn_1' }
    const intent = await client.paymentIntents.create({ ...PAYMENT, metadata })
    expect(intent).toMatchObject({
      object: 'payment_intent',
      status: 'succeeded',
      amount: 5_00,
      amount_received: 5_00,
      capture_method: 'automatic_async',
      livemode: false,
      metadata,
    })
    const read = () =>
      client.charges.retrieve(`${intent.latest_charge}`, { expand: ['balance_transaction'] })
    expect(await read()).toMatchObject({ captured: true, balance_transaction: null })
    await standIn.advance(2000)
    expect(await read()).toMatchObject({
      metadata,
      payment_method_details: { card: { brand: 'visa', last4: '4242' } },
      balance_transaction: { amount: 5_00, fee: 45, net: 4_55, type: 'charge' },
    })
    expect(standIn.ledger()).toMatchObject([
      { kind: 'payment', id: intent.id, metadata, state: 'succeeded', currency: 'usd' },
      { kind: 'capture', amount: 5_00 },
    ])
  })

  it('is made in two steps', async () => {
    const { off_session: _, confirm: __, ...params } = PAYMENT
    const draft = await client.paymentIntents.create(params)
    expect(draft.status).toBe('requires_confirmation')
    expect((await client.paymentIntents.confirm(draft.id)).status).toBe('succeeded')
    expect(await errorOf(client.paymentIntents.confirm(draft.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
  })

  it.each<[string, Partial<Stripe.PaymentIntentCreateParams> & Record<string, unknown>, object]>([
    ['a fraction of a cent', { amount: 1.5 }, { code: 'parameter_invalid_integer' }],
    ['an amount below 1', { amount: 0 }, { code: 'parameter_invalid_integer' }],
    ['less than half a dollar', { amount: 49 }, { code: 'amount_too_small' }],
    ['a million dollars', { amount: 1_000_000_00 }, { code: 'amount_too_large' }],
    ['a wrong name', { amonut: 5 }, { code: 'parameter_unknown', param: 'amonut' }],
    ['what the version no longer takes', { payment_method_types: ['card'] }, { statusCode: 400 }],
    [
      'an unknown customer',
      { customer: 'cus_none' },
      { code: 'resource_missing', statusCode: 400 },
    ],
    ['an unknown card', { payment_method: 'pm_none' }, { code: 'resource_missing' }],
    ['redirects and no way back', { automatic_payment_methods: { enabled: true } }, {}],
    ['off_session unconfirmed', { confirm: false }, { param: 'off_session' }],
  ])('refuses %s, and leaves nothing behind', async (_name, params, error) => {
    const create = client.paymentIntents.create({ ...PAYMENT, ...params })
    expect(await errorOf(create)).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      ...error,
    })
    expect(standIn.ledger()).toEqual([])
  })

  it('without an amount or a currency is refused', async () => {
    const { amount: _, ...rest } = PAYMENT
    const error = await errorOf(
      client.paymentIntents.create(rest as Stripe.PaymentIntentCreateParams),
    )
    expect(error).toMatchObject({ code: 'parameter_missing', param: 'amount' })
  })

  it('that does not exist is 404', async () => {
    expect(await errorOf(client.paymentIntents.retrieve('pi_none'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
  })
})

describe('the list of payments', () => {
  it('is complete at once, by customer and time, the newest first', async () => {
    const { id: customer } = await client.customers.create()
    const first = await client.paymentIntents.create({ ...PAYMENT, customer })
    await client.paymentIntents.create(PAYMENT)
    await standIn.advance(10_000)
    const second = await client.paymentIntents.create({ ...PAYMENT, customer })
    const idsOf = async (params: Stripe.PaymentIntentListParams) =>
      (await client.paymentIntents.list(params)).data.map(({ id }) => id)
    expect(await idsOf({ customer })).toEqual([second.id, first.id])
    const { created } = second
    expect(await idsOf({ customer, created: { gte: created } })).toEqual([second.id])
    expect(await idsOf({ customer, created: { lt: created } })).toEqual([first.id])
    expect(await idsOf({ customer, created: { gt: created } })).toEqual([])
    expect(await idsOf({ customer, created })).toEqual([second.id])
  })

  it('is read in pages by a cursor, in both directions', async () => {
    const made: string[] = []
    for (let n = 0; n < 5; n++) made.unshift((await client.paymentIntents.create(PAYMENT)).id)
    const first = await client.paymentIntents.list({ limit: 2 })
    expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' })
    const [, second = ''] = made
    const next = await client.paymentIntents.list({ limit: 3, starting_after: second })
    expect(next.data.map(({ id }) => id)).toEqual(made.slice(2))
    expect(next.has_more).toBe(false)
    const back = await client.paymentIntents.list({ limit: 2, ending_before: made[3] ?? '' })
    expect(back.data.map(({ id }) => id)).toEqual(made.slice(1, 3))
    const all: string[] = []
    for await (const { id } of client.paymentIntents.list({ limit: 2 })) all.push(id)
    expect(all).toEqual(made)
    expect(await errorOf(client.paymentIntents.list({ limit: 101 }))).toMatchObject({
      param: 'limit',
    })
  })
})

describe('search', () => {
  it('finds a payment only after a while, when the list has had it at once', async () => {
    const { id: customer } = await client.customers.create()
    const metadata = { order: 'a-1' }
    const { id } = await client.paymentIntents.create({ ...PAYMENT, customer, metadata })
    const query = "metadata['order']:'a-1'"
    const search = async () => (await client.paymentIntents.search({ query })).data
    expect(await search()).toEqual([])
    const { data } = await client.paymentIntents.list({ customer })
    expect(data.filter((one) => one.metadata.order === 'a-1')).toHaveLength(1)
    await standIn.advance(50_000)
    expect(await search()).toEqual([])
    await standIn.advance(20_000)
    expect(await search()).toMatchObject([{ id }])
  })

  it('supports its query language, in pages', async () => {
    for (const amount of [1_00, 2_00, 3_00]) {
      await client.paymentIntents.create({ ...PAYMENT, amount })
    }
    await standIn.advance(60_000)
    const search = (query: string, page?: string) =>
      client.paymentIntents.search({ query, limit: 1, ...(page !== undefined && { page }) })
    const query = 'amount>100 AND status:\'succeeded\' AND currency:"usd"'
    const first = await search(query)
    expect(first).toMatchObject({
      object: 'search_result',
      has_more: true,
      data: [{ amount: 3_00 }],
    })
    const second = await search(query, first.next_page ?? '')
    expect(second).toMatchObject({ has_more: false, next_page: null, data: [{ amount: 2_00 }] })
    expect(await errorOf(search("client_secret:'x'"))).toMatchObject({ statusCode: 400 })
  })
})

describe('a payment method', () => {
  it('is made new from a test token, attached, listed, and detached for good', async () => {
    const { id: customer } = await client.customers.create({ email: 'ada@example.com' })
    const card = await client.paymentMethods.attach('pm_card_mastercard', { customer })
    expect(card).toMatchObject({ customer, type: 'card', card: { brand: 'mastercard' } })
    const list = async () => (await client.paymentMethods.list({ customer, type: 'card' })).data
    expect((await list()).map(({ id }) => id)).toEqual([card.id])
    expect((await client.customers.listPaymentMethods(customer)).data).toHaveLength(1)
    await client.paymentMethods.detach(card.id)
    expect(await list()).toEqual([])
    expect((await client.paymentMethods.retrieve(card.id)).customer).toBeNull()
    for (const again of [
      client.paymentMethods.detach(card.id),
      client.paymentMethods.attach(card.id, { customer }),
      client.paymentIntents.create({ ...PAYMENT, customer, payment_method: card.id }),
    ]) {
      const { code, statusCode } = await errorOf(again)
      expect([statusCode, code]).toEqual([400, undefined])
    }
  })

  it('of a customer pays for that customer only', async () => {
    const { id: customer } = await client.customers.create()
    const { id: other } = await client.customers.create()
    const { id: payment_method } = await client.paymentMethods.attach('pm_card_visa', { customer })
    const pay = (params: object) =>
      client.paymentIntents.create({ ...PAYMENT, payment_method, ...params })
    expect((await pay({ customer })).status).toBe('succeeded')
    expect((await pay({ customer })).status).toBe('succeeded')
    expect(await errorOf(pay({ customer: other }))).toMatchObject({ param: 'payment_method' })
    expect((await errorOf(pay({}))).message).toContain('must provide the customer')
  })

  it('without a customer pays once', async () => {
    const { payment_method } = await client.paymentIntents.create(PAYMENT)
    const again = { ...PAYMENT, payment_method: `${payment_method}` }
    expect(await errorOf(client.paymentIntents.create(again))).toMatchObject({ statusCode: 400 })
  })

  it('is kept for later payments if the request says so', async () => {
    const { id: customer } = await client.customers.create()
    const { off_session: _, ...params } = PAYMENT
    await client.paymentIntents.create({ ...params, customer, setup_future_usage: 'off_session' })
    const { data } = await client.paymentMethods.list({ customer })
    const payment_method = `${data[0]?.id}`
    const later = await client.paymentIntents.create({ ...PAYMENT, customer, payment_method })
    expect(later.status).toBe('succeeded')
  })
})

describe('a customer', () => {
  it('is changed, found by e-mail, and reads as deleted afterwards', async () => {
    const metadata = { ours: 'c1' }
    const { id } = await client.customers.create({ email: 'ada@example.com', metadata })
    await client.customers.update(id, { name: 'Ada', metadata: { more: 'x' } })
    const { data } = await client.customers.list({ email: 'ada@example.com' })
    expect(data).toMatchObject([{ id, name: 'Ada', metadata: { ours: 'c1', more: 'x' } }])
    await client.customers.del(id)
    expect(await client.customers.retrieve(id)).toEqual({ id, object: 'customer', deleted: true })
    expect(await errorOf(client.customers.del(id))).toMatchObject({ statusCode: 404 })
    expect((await client.customers.list()).data).toEqual([])
  })
})

describe('a confirmation token', () => {
  const make = () =>
    client.testHelpers.confirmationTokens.create({ payment_method: 'pm_card_visa' })
  const { payment_method: _, off_session: __, ...params } = PAYMENT

  it('previews the card, and confirms one payment', async () => {
    const { id: confirmation_token } = await make()
    const token = await client.confirmationTokens.retrieve(confirmation_token)
    expect(token).toMatchObject({
      expires_at: token.created + 12 * 60 * 60,
      payment_method_preview: { card: { last4: '4242', brand: 'visa' } },
    })
    const pay = () => client.paymentIntents.create({ ...params, confirmation_token })
    const paid = await pay()
    expect(paid.status).toBe('succeeded')
    const used = await client.confirmationTokens.retrieve(confirmation_token)
    expect(used.payment_intent).toBe(paid.id)
    expect(await errorOf(pay())).toMatchObject({
      code: 'payment_intent_confirmation_token_invalid',
    })
  })

  it('lasts twelve hours', async () => {
    const { id: confirmation_token } = await make()
    await standIn.advance(12 * 60 * 60 * 1000)
    const late = client.paymentIntents.create({ ...params, confirmation_token })
    expect(await errorOf(late)).toMatchObject({ statusCode: 400 })
  })
})
