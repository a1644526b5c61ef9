import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, errorOf, PAYMENT } from './client.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

const CARD = 'pm_card_authenticationRequired'

describe('a card that requires authentication', () => {
  let standIn: StripeStandIn
  let client: ReturnType<typeof clientOf>

  beforeEach(async () => {
    standIn = await openStripe()
    client = clientOf(standIn)
    return () => standIn[Symbol.asyncDispose]()
  })

  const onSession = { ...PAYMENT, off_session: false, payment_method: CARD } as const

  it('is declined without the payer, and leaves the payment open', async () => {
    const error = await errorOf(client.paymentIntents.create({ ...PAYMENT, payment_method: CARD }))
    expect(error).toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
      decline_code: 'authentication_required',
      payment_intent: { status: 'requires_payment_method' },
    })
  })

  it('can be refused at once if the payer cannot be asked', async () => {
    const params = { ...onSession, error_on_requires_action: true }
    expect(await errorOf(client.paymentIntents.create(params))).toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
      decline_code: 'authentication_not_handled',
      payment_intent: { status: 'requires_payment_method' },
    })
  })

  it('asks the payer, and is charged once they confirm', async () => {
    const return_url = 'https://shop.example/return'
    const intent = await client.paymentIntents.create({ ...onSession, return_url })
    expect(intent).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: { return_url } },
    })
    expect(await errorOf(client.paymentIntents.capture(intent.id))).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
    })
    standIn.authenticate(intent.id, true)
    expect(await client.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'succeeded',
      amount_received: 5_00,
      next_action: null,
    })
  })

  it('becomes a hold for a manual capture', async () => {
    const { id } = await client.paymentIntents.create({ ...onSession, capture_method: 'manual' })
    standIn.authenticate(id, true)
    expect((await client.paymentIntents.retrieve(id)).status).toBe('requires_capture')
  })

  it('leaves the payment open when the payer fails', async () => {
    const intent = await client.paymentIntents.create(onSession)
    expect(intent.next_action).toMatchObject({ type: 'use_stripe_sdk' })
    standIn.authenticate(intent.id, false)
    expect(await client.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    })
    expect(standIn.ledger()).toMatchObject([{ kind: 'payment' }])
  })

  it('can be canceled while the payer is asked', async () => {
    const { id } = await client.paymentIntents.create(onSession)
    const { status } = await client.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
    expect(status).toBe('canceled')
  })
})
