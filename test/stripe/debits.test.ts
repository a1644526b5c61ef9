import type Stripe from 'stripe'
import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, errorOf, PAYMENT } from './client.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

const DAY = 24 * 60 * 60 * 1000

const MANDATE = {
  customer_acceptance: { type: 'offline', accepted_at: 1_700_000_000, offline: {} },
} as const satisfies Stripe.PaymentIntentCreateParams.MandateData

describe('a bank debit', () => {
  let standIn: StripeStandIn
  let client: ReturnType<typeof clientOf>
  let customer: string

  beforeEach(async () => {
    standIn = await openStripe()
    client = clientOf(standIn)
    customer = (await client.customers.create()).id
    return () => standIn[Symbol.asyncDispose]()
  })

  async function debit(token: string) {
    const { id: payment_method } = await client.paymentMethods.attach(token, { customer })
    const params = { ...PAYMENT, customer, payment_method, mandate_data: MANDATE }
    return client.paymentIntents.create(params)
  }

  it('is processing for days, and then succeeds', async () => {
    const { id, status } = await debit('pm_usBankAccount_success')
    expect(status).toBe('processing')
    await standIn.advance(3.9 * DAY)
    expect((await client.paymentIntents.retrieve(id)).status).toBe('processing')
    await standIn.advance(0.1 * DAY)
    expect(await client.paymentIntents.retrieve(id)).toMatchObject({
      status: 'succeeded',
      amount_received: 5_00,
    })
  })

  it.each([
    ['pm_usBankAccount_insufficientFunds', 'insufficient_funds'],
    ['pm_usBankAccount_accountClosed', 'account_closed'],
    ['pm_usBankAccount_noAccount', 'no_account'],
    ['pm_usBankAccount_debitNotAuthorized', 'debit_not_authorized'],
  ])('with %s fails by the clock: %s', async (token, code) => {
    const { id, latest_charge } = await debit(token)
    await standIn.advance(4 * DAY)
    expect(await client.paymentIntents.retrieve(id)).toMatchObject({
      status: 'requires_payment_method',
      amount_received: 0,
      last_payment_error: { code },
    })
    expect(await client.charges.retrieve(`${latest_charge}`)).toMatchObject({
      status: 'failed',
      failure_code: code,
    })
    expect((await client.events.list({ type: 'payment_intent.payment_failed' })).data).toHaveLength(
      1,
    )
  })

  it('can stay in processing until it is canceled', async () => {
    const { id } = await debit('pm_usBankAccount_processing')
    await standIn.advance(30 * DAY)
    expect((await client.paymentIntents.retrieve(id)).status).toBe('processing')
    expect((await client.paymentIntents.cancel(id)).status).toBe('canceled')
  })

  it('can be taken back by the bank after it succeeded', async () => {
    const { id } = await debit('pm_usBankAccount_dispute')
    await standIn.advance(4 * DAY)
    expect((await client.paymentIntents.retrieve(id)).status).toBe('succeeded')
    const { data } = await client.disputes.list({ payment_intent: id })
    expect(data).toMatchObject([{ status: 'lost', amount: 5_00, is_charge_refundable: false }])
  })

  it('without a mandate is refused, and leaves the payment to be confirmed', async () => {
    const { id: payment_method } = await client.paymentMethods.attach('pm_usBankAccount_success', {
      customer,
    })
    const params = { ...PAYMENT, customer, payment_method }
    expect(await errorOf(client.paymentIntents.create(params))).toMatchObject({ statusCode: 400 })
    const { data } = await client.paymentIntents.list({ customer })
    expect(data).toMatchObject([{ status: 'requires_confirmation' }])
    const mandated = { ...params, mandate_data: MANDATE }
    expect((await client.paymentIntents.create(mandated)).status).toBe('processing')
    // The mandate exists from then on.
    expect((await client.paymentIntents.create(params)).status).toBe('processing')
  })

  it('cannot be held', async () => {
    const { id: payment_method } = await client.paymentMethods.attach('pm_usBankAccount_success', {
      customer,
    })
    const hold = { ...PAYMENT, customer, payment_method, capture_method: 'manual' } as const
    expect(await errorOf(client.paymentIntents.create(hold))).toMatchObject({ statusCode: 400 })
  })
})
