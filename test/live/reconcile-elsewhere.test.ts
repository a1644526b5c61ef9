// What was done at the gateway without this service, and what failed there later, compared with our
// batches.

import { expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { dateText } from '../../src/core/whole-days.ts'
import { reconcile } from '../../src/settlement/reconcile.ts'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import { clientOf } from '../stripe/client.ts'
import { movableClock } from '../support/end-windows.ts'
import { openCheckoutService } from './checkout-service.ts'
import { readNews } from './feed.ts'
import { type LiveService, openLiveService } from './live-service.ts'

/** The tests settle batches and read news themselves. */
const QUEUES = ['charge', 'refund', 'doubt'] as const

async function openLive() {
  const clock = movableClock()
  const live = await openLiveService({ queues: QUEUES, clock })
  await readNews(live)
  /** A day later, when all batches of the time before are closed. */
  const nextDay = async () => {
    clock.move(DAY)
    await live.stripe.advance(DAY)
    await settleAccount(live.service.world, {
      accountId: live.merchant.accountId,
      now: clock.now(),
    })
  }
  return { live, nextDay }
}

async function paid(live: LiveService, total: number, more: object = {}) {
  const payment_method_id = await live.method('pm_card_visa')
  const { body } = await live.post('/charge', { total, payment_method_id, ...more })
  return final(live, body.id)
}

/** The service may be slower than its answer. */
async function final(live: LiveService, id: string): Promise<Record<string, string>> {
  const found = await live.outcome(id)
  expect(found.status).toBe('SUCCESS')
  return found as Record<string, string>
}

/** The days with a batch, the oldest first. */
async function reconciled({
  merchant,
  service: { world },
}: Pick<LiveService, 'merchant' | 'service'>) {
  const { accountId } = merchant
  const orderBy = { businessDate: 'asc' } as const
  const batches = await world.db.prisma.batch.findMany({ where: { accountId }, orderBy })
  const days = []
  for (const { businessDate } of batches) {
    days.push(...(await reconcile(world, dateText(businessDate), accountId)))
  }
  return days
}

it('a refund and a capture that were made in the dashboard of Stripe are differences', async () => {
  const { live, nextDay } = await openLive()
  await using _ = live
  const { paymentIntents, refunds } = clientOf(live.stripe)
  const charge = await paid(live, 20)
  const [held, released] = [
    await paid(live, 30, { pre_auth: true }),
    await paid(live, 40, { pre_auth: true }),
  ]
  await nextDay()
  await paid(live, 7)
  const refund = await refunds.create({ payment_intent: `${charge.auth_id}`, amount: 5_00 })
  const captured = await paymentIntents.capture(`${held.auth_id}`, { amount_to_capture: 12_00 })
  await paymentIntents.cancel(`${released.auth_id}`)
  await nextDay()
  const [before, day, ...others] = await reconciled(live)
  expect(others).toEqual([])
  expect(before?.differences).toEqual([])
  expect(day?.ours).toEqual({ count: 1, sales: 7_00n, refunds: 0n })
  expect(day?.gateways).toEqual({ count: 3, sales: 19_00n, refunds: 5_00n })
  expect(day?.differences.toSorted((a, b) => a.what.localeCompare(b.what))).toMatchObject([
    {
      id: captured.latest_charge,
      what: 'the gateway made a capture of 12 that is none of ours',
      atGateway: { name: 'stripe', id: held.auth_id, lastFour: '4242' },
    },
    { id: refund.id, what: 'the gateway made a refund of 5 that is none of ours' },
  ])
})

it('a void at Stripe is noticed behind a hundred other refunds of its payment', async () => {
  const { live } = await openLive()
  await using _ = live
  const { refunds } = clientOf(live.stripe)
  const charge = await paid(live, 20)
  const cent = { payment_intent: `${charge.auth_id}`, amount: 1 }
  const metadata = {
    lamplighter_id: live.service.world.newId(),
    lamplighter_account: live.merchant.accountId,
    lamplighter_operation: 'void',
  }
  await refunds.create({ ...cent, metadata })
  await Promise.all(Array.from({ length: 100 }, () => refunds.create(cent)))
  const faultOfCharge = async () => {
    const [day] = await reconciled(live)
    return day?.differences.find(({ id }) => id === charge.id)?.what
  }
  expect(await faultOfCharge()).toBe('the gateway has voided it')
})

it('those that were made in the dashboard of Checkout.com are differences too', async () => {
  await using live = await openCheckoutService({ queues: QUEUES })
  const card = await live.card()
  const charge = await live.charge(card)
  const held = await live.charge(card, { pre_auth: true })
  const inDashboard = (id: unknown, what: string, amount: number) =>
    fetch(`${live.checkout.url}/payments/${id}/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${live.checkout.secretKey}` },
      body: JSON.stringify({ amount }),
    })
  await inDashboard(charge.auth_id, 'refunds', 5_00)
  await inDashboard(held.auth_id, 'captures', 3_00)
  await live.checkout.advance(1_000)
  await live.closeBatch()
  const [day] = await reconciled(live)
  expect(day?.ours).toEqual({ count: 1, sales: 12_34n, refunds: 0n })
  expect(day?.gateways).toEqual({ count: 3, sales: 15_34n, refunds: 5_00n })
  expect(day?.differences.map(({ what }) => what).toSorted()).toEqual([
    'the gateway made a capture of 3 that is none of ours',
    'the gateway made a refund of 5 that is none of ours',
  ])
})

it('a refund that failed after its success is no difference: its reversal says so', async () => {
  const { live, nextDay } = await openLive()
  await using _ = live
  const charge = await paid(live, 20)
  await nextDay()
  const { body } = await live.post(`/transaction/${charge.id}/refund`, { total: 15 })
  const refund = await final(live, body.child_transactions[0].id)
  live.stripe.failRefund(`${refund.auth_id}`)
  await nextDay()
  const [, unread] = await reconciled(live)
  // As a control, it is one until the reversal is recorded.
  const what = 'the gateway has it as declined'
  expect(unread?.differences).toEqual([{ id: refund.id, what }])
  await readNews(live)
  const [, day] = await reconciled(live)
  expect(day?.differences).toEqual([])
  expect(day?.gateways).toEqual({ count: 1, sales: 0n, refunds: 15_00n })
  expect(day?.afterwards).toEqual([{ id: refund.id, what: 'a reversal of 15: refund failed' }])
})

it('a void that failed after its success leaves money at Stripe, which is a difference', async () => {
  const { live, nextDay } = await openLive()
  await using _ = live
  const charge = await paid(live, 20)
  await paid(live, 7)
  const { body } = await live.post(`/transaction/${charge.id}/void`)
  const gone = await final(live, body.child_transactions[0].id)
  live.stripe.failRefund(`${gone.auth_id}`)
  await readNews(live)
  await nextDay()
  const [day] = await reconciled(live)
  expect(day?.ours).toEqual({ count: 1, sales: 7_00n, refunds: 0n })
  expect(day?.differences).toMatchObject([
    { id: charge.id, what: 'its void failed later: the gateway has a charge of 20' },
  ])
})
