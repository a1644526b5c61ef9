// Refunds that Stripe refuses, and what the merchant is told. The void of a captured charge is one.

import { expect, it } from 'vitest'
import { type LiveService, openLiveService } from './live-service.ts'

async function charged(live: LiveService): Promise<Record<string, unknown>> {
  const payment_method_id = await live.method('pm_card_visa')
  const { body } = await live.post('/charge', { total: 20, payment_method_id })
  return live.outcome(body.id)
}

async function voidOf(live: LiveService, id: unknown): Promise<Record<string, unknown>> {
  const { body } = await live.post(`/transaction/${id}/void`)
  return live.outcome(body.child_transactions.at(-1).id)
}

it('a refund above the balance that does not wait for it says so, and may be tried later', async () => {
  const poor = { refusesPoorRefunds: true, balanceTransactionsAfterMs: 0 }
  await using live = await openLiveService({}, poor)
  const { id } = await charged(live)
  live.stripe.setBalance(19_99)
  expect(await voidOf(live, id)).toMatchObject({
    status: 'FAILED',
    message: 'The balance at the gateway does not cover the refund',
    decline_code: 'processing_error',
    retry: 'later',
  })
  live.stripe.setBalance(20_00)
  expect(await voidOf(live, id)).toMatchObject({ status: 'SUCCESS' })
})

it('a refund of a disputed payment says that it is disputed', async () => {
  await using live = await openLiveService({ queues: ['charge', 'refund', 'doubt'] })
  const { auth_id, id } = await charged(live)
  live.stripe.openDispute(`${auth_id}`)
  expect(await voidOf(live, id)).toMatchObject({
    status: 'FAILED',
    message: 'The gateway returns nothing of a disputed payment',
    decline_code: 'request_refused',
  })
})
