// What Stripe keeps of a deposit, and what its payouts bring to the bank account.

import { beforeEach, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { findingsOf } from '../../src/doctor/check.ts'
import { checkGatewayNews } from '../../src/doctor/check-work.ts'
import { reconcile } from '../../src/settlement/reconcile.ts'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import { type MovableClock, movableClock } from '../support/end-windows.ts'
import { see, signIn } from '../support/operator.ts'
import { call } from '../support/test-service.ts'
import { feedEventsOf, readNews } from './feed.ts'
import { type LiveService, openLiveService } from './live-service.ts'

/** The tests settle batches themselves. */
const QUEUES = ['charge', 'refund', 'doubt'] as const

/** Stripe has written the balance transactions after this long. */
const BOOKED_MS = 2_000

const ARRIVED = { arrivesAfterMs: 0 } as const

/** The stand-in takes 2.9 % and 30 cents of a card payment, and 15.00 for a dispute. */
const FEE_OF_20 = 0.88
const FEE_OF_30 = 1.17

let live: LiveService
let clock: MovableClock

beforeEach(async () => {
  clock = movableClock()
  live = await openLiveService({ queues: QUEUES, clock })
  await readNews(live)
  return () => live[Symbol.asyncDispose]()
})

async function pass(ms: number): Promise<void> {
  clock.move(ms)
  await live.stripe.advance(ms)
}

async function paid(total: number): Promise<Record<string, string>> {
  const card = await live.method('pm_card_visa')
  const { body } = await live.post('/charge', { total, payment_method_id: card })
  expect(body.status).toBe('SUCCESS')
  await pass(BOOKED_MS)
  return body
}

/** Moves time on, and closes the batches that are due. */
async function settle(afterMs = 0): Promise<void> {
  await pass(afterMs)
  const { accountId } = live.merchant
  await settleAccount(live.service.world, { accountId, now: clock.now() })
}

async function payOut(input: object = {}): Promise<ReturnType<LiveService['stripe']['payOut']>> {
  const payout = live.stripe.payOut({ ...ARRIVED, ...input })
  await readNews(live)
  await settle(1_000)
  return payout
}

/** The batches, the oldest first. */
async function batches(): Promise<readonly Record<string, unknown>[]> {
  return (await live.get('/batch?sort=business_date&order=ASC')).body.data
}

/** The parts of batches in payouts, by batch, in cents. */
async function parts() {
  const { prisma } = live.service.world.db
  const found = await prisma.batchPayout.findMany({
    orderBy: [{ batchId: 'asc' }, { createdAt: 'asc' }],
  })
  return found.map(({ amount, fees, payoutAmount, payoutOther }) => {
    return { amount, fees, payoutAmount, payoutOther }
  })
}

it('the fees of a deposit are shown once it has arrived, and are unknown before', async () => {
  await paid(20)
  await paid(30)
  await settle(DAY)
  expect(await batches()).toMatchObject([{ net: 50, fees: null, net_after_fees: null }])
  const { amount } = await payOut()
  const shown = { fees: FEE_OF_20 + FEE_OF_30, net_after_fees: 47.95 }
  expect(amount).toBe(47_95)
  expect(await batches()).toMatchObject([{ net: 50, ...shown }])
  expect(await feedEventsOf(live, 'create_deposit')).toMatchObject([{ data: shown }])
  expect((await live.get('/query/deposit')).body.data).toMatchObject([{ sum: 50, ...shown }])
  const { text } = await live.get('/query/deposit?export=csv')
  expect(text).toContain('avg,fees,net_after_fees')
  expect(text).toContain(',2.05,47.95')
})

it('what else a payout holds is not the fee of a batch, and is shown beside it', async () => {
  const disputed = await paid(20)
  await settle(DAY)
  live.stripe.openDispute(`${disputed.auth_id}`)
  live.stripe.chargeFee(2_50)
  await payOut()
  const [batch] = await batches()
  expect(batch).toMatchObject({ fees: FEE_OF_20, net_after_fees: 19.12 })
  const other = -20_00n - 15_00n - 2_50n
  expect(await parts()).toEqual([
    { amount: 20_00n, fees: 88n, payoutAmount: 19_12n + other, payoutOther: other },
  ])
  const ada = await signIn(live.service.world)
  const path = `/admin/batches/${live.merchant.accountId}/${batch?.id}`
  const { body: page } = await see(live.service.app, path, ada)
  expect(page).toContain(
    '−$18.38 to the bank: $19.12 of this batch ($20.00 less $0.88 of fees), ' +
      '−$35.00 of disputes and returned debits, with their fees, −$2.50 of fees charged by themselves<',
  )
})

it('what comes back to a payout is shown by its kind, and the rest beside it', async () => {
  const disputed = await paid(20)
  const returned = await paid(30)
  await settle(DAY)
  await payOut()
  live.stripe.setBalance(1_000_00)
  const { id: dispute } = live.stripe.openDispute(`${disputed.auth_id}`)
  live.stripe.closeDispute(dispute, 'won')
  const { body: refunded } = await live.post(`/transaction/${returned.id}/refund`, { total: 5 })
  live.stripe.failRefund(refunded.child_transactions[0].auth_id)
  const voided = await paid(40)
  expect((await live.post(`/transaction/${voided.id}/void`)).status).toBe(200)
  await settle(DAY)
  await payOut()
  const [, batch] = await batches()
  expect(batch).toMatchObject({ net: -5 })
  const ada = await signIn(live.service.world)
  const path = `/admin/batches/${live.merchant.accountId}/${batch?.id}`
  const shown = async () => (await see(live.service.app, path, ada)).body
  expect(await shown()).toContain(
    '−$16.46 to the bank: −$5.00 of this batch (−$5.00 less $0.00 of fees), ' +
      '−$15.00 of disputes and returned debits, with their fees, $5.00 of refunds that failed, ' +
      '−$1.46 in no batch (voided payments, and what other services made)<',
  )
  await live.service.world.db.query('UPDATE batch_payout SET payout_extras = NULL', [])
  expect(await shown()).toContain(
    '−$11.46 in no batch (voided payments, disputes, fees charged by themselves)<',
  )
})

it('several payouts of a batch give its fees together, and one of several gives each its own', async () => {
  const charge = await paid(20)
  live.stripe.payOut(ARRIVED)
  await paid(30)
  await settle(DAY)
  await readNews(live)
  expect(await batches()).toMatchObject([{ fees: null }])
  live.stripe.setBalance(1_000_00)
  expect((await live.post(`/transaction/${charge.id}/refund`, { total: 5 })).status).toBe(200)
  await settle(DAY)
  await payOut()
  expect(await batches()).toMatchObject([
    { net: 50, fees: FEE_OF_20 + FEE_OF_30, net_after_fees: 47.95 },
    { net: -5, fees: 0, net_after_fees: -5 },
  ])
  expect(await parts()).toEqual([
    { amount: 20_00n, fees: 88n, payoutAmount: 19_12n, payoutOther: 0n },
    { amount: 30_00n, fees: 1_17n, payoutAmount: 23_83n, payoutOther: 0n },
    { amount: -5_00n, fees: 0n, payoutAmount: 23_83n, payoutOther: 0n },
  ])
})

it('a payout over several pages is read whole, and the same however often it is read', async () => {
  await paid(20)
  for (let i = 0; i < 120; i += 1) live.stripe.chargeFee(1)
  await paid(30)
  await settle(DAY)
  await payOut()
  await readNews(live)
  expect(await batches()).toMatchObject([{ count: 2, fees: FEE_OF_20 + FEE_OF_30 }])
  expect(await parts()).toMatchObject([{ fees: 2_05n, payoutOther: -1_20n }])
})

it('a payout that fails takes the fees back, and the next one does not count them twice', async () => {
  await paid(20)
  await settle(DAY)
  const { id } = await payOut()
  live.stripe.failPayout(id)
  await readNews(live)
  expect(await batches()).toMatchObject([{ fees: null, net_after_fees: null }])
  const doctor = async () => {
    const found = await findingsOf(checkGatewayNews, live.service.world)
    return found.map(({ says }) => says)
  }
  expect(await doctor()).toEqual(['1 batch not deposited, since a payout has failed'])
  const [failed] = await feedEventsOf(live, 'deposit_failed')
  expect(failed?.data).toMatchObject({ deposit_at: null, fees: null })
  await paid(30)
  await settle(DAY)
  await payOut()
  expect(await doctor()).toEqual([])
  expect(await batches()).toMatchObject([{ fees: FEE_OF_20 }, { fees: FEE_OF_30 }])
  expect((await parts()).slice(1)).toEqual([
    { amount: 20_00n, fees: 88n, payoutAmount: 47_95n, payoutOther: 0n },
    { amount: 30_00n, fees: 1_17n, payoutAmount: 47_95n, payoutOther: 0n },
  ])
})

it('a payout that has failed says on the page of its batch why, and what it held', async () => {
  await paid(20)
  await settle(DAY)
  const { id } = await payOut()
  const [batch] = await batches()
  const ada = await signIn(live.service.world)
  const path = `/admin/batches/${live.merchant.accountId}/${batch?.id}`
  const before = await see(live.service.app, path, ada)
  expect(before.body).toContain('$19.12 to the bank')
  live.stripe.failPayout(id)
  await readNews(live)
  const { body: page } = await see(live.service.app, path, ada)
  expect(page).toMatch(new RegExp(`${id}</code> with 1 of its payments .*>failed: account closed<`))
  expect(page).not.toContain('to the bank')
  expect(page).toContain('not deposited: a payout has failed')
  const later = '$19.12 that did not reach the bank, and come with a later payout: $19.12 of this'
  expect(page).toContain(later)
  await payOut()
  const { body: made } = await see(live.service.app, path, ada)
  expect(made).toContain('$19.12 to the bank')
  expect(made).not.toContain('not deposited: a payout has failed')
})

it('a payout that is paid twice as it seems, until its failure is read, gives no fees', async () => {
  await paid(20)
  await settle(DAY)
  const { id } = await payOut()
  live.stripe.failPayout(id)
  live.stripe.fault(({ path }) =>
    path === `/v1/payouts/${id}` ? { kind: 'cut', isExecuted: true } : undefined,
  )
  await payOut()
  expect(await batches()).toMatchObject([{ deposit_at: expect.any(String), fees: null }])
  live.stripe.fault()
  await readNews(live)
  expect(await batches()).toMatchObject([{ deposit_at: expect.any(String), fees: FEE_OF_20 }])
})

it('each merchant of a shared payout has the fees of their own payments', async () => {
  await paid(20)
  const other = await live.service.merchant('live')
  const post = (path: string, body: object) =>
    call(live.service.app, 'POST', path, other.headers, body)
  const card = { method: 'card', person_name: 'Ada', payment_method_token: 'pm_card_visa' }
  const method = await post('/payment-method', card)
  await post('/charge', { total: 30, payment_method_id: method.body.id })
  await settle(DAY)
  await settleAccount(live.service.world, { accountId: other.accountId, now: clock.now() })
  await payOut()
  expect(await batches()).toMatchObject([{ fees: FEE_OF_20, net_after_fees: 19.12 }])
  expect(await parts()).toMatchObject([
    { fees: 88n, payoutAmount: 47_95n, payoutOther: 0n },
    { fees: 1_17n, payoutAmount: 47_95n, payoutOther: 0n },
  ])
})

it('a payout in another currency gives a deposit, and no amounts', async () => {
  await paid(20)
  await settle(DAY)
  await payOut({ currency: 'eur' })
  expect(await batches()).toMatchObject([{ deposit_at: expect.any(String), fees: null }])
  expect(await parts()).toEqual([
    { amount: null, fees: null, payoutAmount: null, payoutOther: null },
  ])
})

it('a part that an earlier version has written is unknown, until its payout is read again', async () => {
  await paid(20)
  await settle(DAY)
  await payOut()
  const { query } = live.service.world.db
  await query('UPDATE batch SET fees = NULL', [])
  const unknown = 'amount = NULL, fees = NULL, payout_amount = NULL, payout_other = NULL'
  await query(`UPDATE batch_payout SET ${unknown}`, [])
  expect(await batches()).toMatchObject([{ fees: null, net_after_fees: null }])
  await readNews(live)
  expect(await batches()).toMatchObject([{ fees: FEE_OF_20, net_after_fees: 19.12 }])
})

it('a payout with another amount for its payments than the batch is a difference', async () => {
  await paid(20)
  await settle(DAY)
  await payOut()
  const [batch] = await batches()
  const compare = async () => {
    const { accountId } = live.merchant
    const [day] = await reconcile(live.service.world, `${batch?.business_date}`, accountId)
    return day
  }
  expect(await compare()).toMatchObject({ batch: { fees: 88n }, differences: [] })
  await live.service.world.db.query('UPDATE batch_payout SET amount = 1900', [])
  const what = 'its payouts have 19 for its transactions before fees, its net is 20'
  expect((await compare())?.differences).toEqual([{ id: batch?.id, what }])
})
