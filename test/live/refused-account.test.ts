// A gateway that takes no payments of our account at all, or no more for the moment. The payment is
// not at fault, and its schedule would stop if it failed for good.

import { expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { openCheckoutService } from './checkout-service.ts'
import { openLiveService } from './live-service.ts'

const CLOSED = { kind: 'refused', code: 'testmode_charges_only' } as const
const LONG = { timeout: 30_000 }

it('a payment waits while Stripe lets the account take none', LONG, async () => {
  await using live = await openLiveService()
  const payment_method_id = await live.method('pm_card_visa')
  live.stripe.fault(() => CLOSED)
  const { body } = await live.post('/charge', { total: 3, payment_method_id })
  expect(body).toMatchObject({ status: 'PENDING' })
  const card = { method: 'card', person_name: 'Ada', payment_method_token: 'pm_card_visa' }
  expectRefusal(await live.post('/payment-method', card), 503, 'unavailable')
  live.stripe.fault()
  expect(await live.outcome(body.id)).toMatchObject({ status: 'SUCCESS' })
  expect((await live.post('/payment-method', card)).status).toBe(200)
})

it('a payment waits while Checkout.com lets the account take none', LONG, async () => {
  await using live = await openCheckoutService()
  const payment_method_id = await live.card()
  live.checkout.fault(({ method }) => (method === 'POST' ? { kind: 'account refused' } : undefined))
  const { body } = await live.post('/charge', { total: 3, payment_method_id })
  expect(body).toMatchObject({ status: 'PENDING' })
  const token = live.checkout.token()
  const card = { method: 'card', person_name: 'Ada', payment_method_token: token }
  expectRefusal(await live.post('/payment-method', card), 503, 'unavailable')
  live.checkout.fault()
  expect(await live.outcome(body.id)).toMatchObject({ status: 'SUCCESS' })
  expect((await live.post('/payment-method', card)).status).toBe(200)
})

it.each(['charge_exceeds_transaction_limit', 'charge_exceeds_weekly_limit'])(
  'a debit above the limit of the account may be tried later: %s',
  async (code) => {
    await using live = await openLiveService()
    const payment_method_id = await live.method('pm_usBankAccount_success')
    live.stripe.fault(() => ({ kind: 'refused', code }))
    const { body } = await live.post('/charge', { total: 3, payment_method_id })
    expect(await live.outcome(body.id)).toMatchObject({
      status: 'FAILED',
      message: 'The gateway takes no more from bank accounts for the moment',
      retry: 'later',
    })
  },
)

it('a card whose owner has revoked all payments is never tried again', async () => {
  await using live = await openLiveService()
  const payment_method_id = await live.method('pm_card_visa')
  const row = await live.service.world.db.prisma.paymentMethod.findFirst({
    where: { id: payment_method_id },
  })
  const name = row?.gatewayToken?.split(':').at(-1) ?? ''
  live.stripe.declineCard(name, 'revocation_of_all_authorizations')
  const { body } = await live.post('/charge', { total: 3, payment_method_id })
  expect(body).toMatchObject({ decline_code: 'debit_not_authorized', retry: 'never' })
})
