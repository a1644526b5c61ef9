import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, errorOf, PAYMENT } from './client.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

const TABLE = [
  ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline', 'try_again_later'],
  [
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    'card_declined',
    'insufficient_funds',
    'try_again_later',
  ],
  ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card', 'do_not_try_again'],
  ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card', 'do_not_try_again'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card', 'confirm_card_data'],
  ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc', 'confirm_card_data'],
  [
    'pm_card_chargeDeclinedProcessingError',
    'processing_error',
    'processing_error',
    'try_again_later',
  ],
  ['pm_card_chargeDeclinedFraudulent', 'card_declined', 'fraudulent', undefined],
] as const

describe('a decline', () => {
  let standIn: StripeStandIn
  let client: ReturnType<typeof clientOf>

  beforeEach(async () => {
    standIn = await openStripe()
    client = clientOf(standIn)
    return () => standIn[Symbol.asyncDispose]()
  })

  it.each(TABLE)('of %s is 402 %s, %s, %s', async (payment_method, code, decline_code, advice) => {
    const { id: customer } = await client.customers.create()
    const create = client.paymentIntents.create({ ...PAYMENT, customer, payment_method })
    const error = await errorOf(create)
    expect(error).toMatchObject({ type: 'StripeCardError', statusCode: 402, code, decline_code })
    expect(error.advice_code).toBe(advice)
    // The refused create leaves an open payment behind.
    const { data } = await client.paymentIntents.list({ customer })
    expect(data).toMatchObject([
      {
        id: error.payment_intent?.id,
        status: 'requires_payment_method',
        payment_method: null,
        last_payment_error: { code, decline_code, charge: error.charge },
      },
    ])
    const charge = await client.charges.retrieve(`${error.charge}`)
    expect(charge).toMatchObject({ status: 'failed', paid: false, failure_code: code })
    const cancelled = await client.paymentIntents.cancel(`${data[0]?.id}`)
    expect(cancelled.status).toBe('canceled')
  })

  it.each(TABLE)('of %s is also refused when it is attached to a customer', async (token, code) => {
    const { id: customer } = await client.customers.create()
    const error = await errorOf(client.paymentMethods.attach(token, { customer }))
    expect(error).toMatchObject({ statusCode: 402, code })
    expect((await client.paymentMethods.list({ customer })).data).toEqual([])
  })

  it('leaves the payment open for another card', async () => {
    const { off_session: _off, payment_method: _card, ...open } = PAYMENT
    const { id } = await client.paymentIntents.create({ ...open, confirm: false })
    const confirm = (payment_method: string) =>
      client.paymentIntents.confirm(id, { payment_method })
    expect(await errorOf(confirm('pm_card_visa_chargeDeclined'))).toMatchObject({
      statusCode: 402,
    })
    const paid = await confirm('pm_card_visa')
    expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null })
  })

  it('happens to an attached card with the right test card, and on request', async () => {
    const { id: customer } = await client.customers.create()
    const pay = (payment_method: string) =>
      client.paymentIntents.create({ ...PAYMENT, customer, payment_method })
    const failing = await client.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    expect(await errorOf(pay(failing.id))).toMatchObject({ decline_code: 'generic_decline' })
    const card = await client.paymentMethods.attach('pm_card_visa', { customer })
    standIn.declineCard(card.id, 'lost_card')
    expect(await errorOf(pay(card.id))).toMatchObject({ decline_code: 'lost_card' })
    standIn.declineCard(card.id)
    expect((await pay(card.id)).status).toBe('succeeded')
  })
})
