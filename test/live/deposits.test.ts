// Deposits of live accounts: they come from Stripe's payouts.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { after, DAY, HOUR } from '../../src/core/time-units.ts'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import { type MovableClock, movableClock } from '../support/end-windows.ts'
import { call } from '../support/test-service.ts'
import { feedEventsOf, readNews } from './feed.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const MIGRATIONS = join(import.meta.dirname, '../../prisma/migrations')
const READ_AGAIN = join(MIGRATIONS, '20261207090000_read_payouts_again/migration.sql')

/** The tests settle batches themselves. */
const QUEUES = ['charge', 'refund', 'doubt'] as const

const DEPOSITS = ['create_deposit', 'deposit_failed'] as const

/** Stripe has written the balance transactions after this long. */
const BOOKED_MS = 2_000

const ARRIVED = { arrivesAfterMs: 0 } as const

let live: LiveService
let clock: MovableClock

beforeEach(async () => {
  clock = movableClock()
  live = await openLiveService({ queues: QUEUES, clock }, { accounts: ['acct_a'] })
  await readNews(live)
  return () => live[Symbol.asyncDispose]()
})

async function paid(total: number): Promise<Record<string, string>> {
  const card = await live.method('pm_card_visa')
  const { body } = await live.post('/charge', { total, payment_method_id: card })
  expect(body.status).toBe('SUCCESS')
  await pass(BOOKED_MS)
  return body
}

async function pass(ms: number): Promise<void> {
  clock.move(ms)
  await live.stripe.advance(ms)
}

/** Moves time on, and does the work that is due. */
async function settle(afterMs = 0): Promise<void> {
  if (afterMs > 0) await pass(afterMs)
  const { accountId } = live.merchant
  await settleAccount(live.service.world, { accountId, now: clock.now() })
}

/** The batches, the oldest first. */
async function batches(): Promise<readonly Record<string, unknown>[]> {
  return (await live.get('/batch?sort=business_date&order=ASC')).body.data
}

const depositEvents = async () => (await feedEventsOf(live, ...DEPOSITS)).map(({ type }) => type)

describe('the deposit of a batch', () => {
  it('does not wait for the outcome of another merchant’s payment in the same payout', async () => {
    await paid(20)
    const other = await live.service.merchant('live')
    const post = (path: string, body: object) =>
      call(live.service.app, 'POST', path, other.headers, body)
    const card = { method: 'card', person_name: 'Ada', payment_method_token: 'pm_card_visa' }
    const method = await post('/payment-method', card)
    live.stripe.fault(({ path }) =>
      path.startsWith('/v1/payment_intents') ? { kind: 'cut', isExecuted: true } : undefined,
    )
    const { body } = await post('/charge', { total: 7, payment_method_id: method.body.id })
    expect(body.status).toBe('PENDING')
    await settle(DAY)
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    await settle(BOOKED_MS)
    expect(await depositEvents()).toEqual(['create_deposit'])
  })

  it('is known once a payout with all of the batch is paid', async () => {
    await paid(20)
    await paid(30)
    await settle(DAY)
    const [closed] = await batches()
    expect(closed).toMatchObject({ status: 'closed', count: 2, deposit_at: null })
    await settle(5 * DAY)
    expect(await depositEvents()).toEqual([])
    const payout = live.stripe.payOut({ arrivesAfterMs: DAY })
    await readNews(live)
    await readNews(live)
    const [known] = await batches()
    const arrivesAt = new Date(payout.arrival_date * 1000).toISOString()
    expect(known).toMatchObject({ deposit_at: arrivesAt })
    await settle()
    expect(await depositEvents()).toEqual([])
    await settle(DAY)
    await settle()
    const events = await feedEventsOf(live, ...DEPOSITS)
    expect(events).toMatchObject([{ type: 'create_deposit', data: { deposit_at: arrivesAt } }])
  })

  it('over several payouts comes with the last one', async () => {
    await paid(20)
    live.stripe.payOut(ARRIVED)
    await paid(30)
    await settle(DAY)
    await readNews(live)
    expect(await batches()).toMatchObject([{ count: 2, deposit_at: null }])
    const last = live.stripe.payOut(ARRIVED)
    await readNews(live)
    const arrivesAt = new Date(last.arrival_date * 1000).toISOString()
    expect(await batches()).toMatchObject([{ deposit_at: arrivesAt }])
    await settle(1_000)
    expect(await depositEvents()).toEqual(['create_deposit'])
  })

  it('of several batches can come with one payout', async () => {
    await paid(20)
    await settle(DAY)
    await paid(30)
    await settle(DAY)
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    expect((await batches()).map(({ deposit_at }) => deposit_at)).not.toContain(null)
    await settle(1_000)
    expect(await depositEvents()).toEqual(['create_deposit', 'create_deposit'])
  })

  it('that is paid before the batch is closed is known afterwards', async () => {
    await paid(20)
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    expect(await batches()).toMatchObject([{ status: 'open', deposit_at: null }])
    await settle(DAY)
    await readNews(live)
    expect(await batches()).toMatchObject([{ status: 'closed', deposit_at: expect.any(String) }])
    await settle()
    expect(await depositEvents()).toEqual(['create_deposit'])
  })

  it('whose payout an earlier version had read before its closing comes after the update', async () => {
    await paid(20)
    live.stripe.payOut(ARRIVED)
    await pass(BOOKED_MS)
    const { query } = live.service.world.db
    await query('UPDATE gateway_feed SET read_through = $1', [after(clock.now(), HOUR)])
    await settle(DAY)
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: null }])
    await query(await readFile(READ_AGAIN, 'utf8'), [])
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: expect.any(String) }])
  })

  it('counts no payment that was voided after its payout', async () => {
    const voided = await paid(20)
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    live.stripe.setBalance(1_000_00)
    expect((await live.post(`/transaction/${voided.id}/void`)).status).toBe(200)
    await paid(30)
    await settle(DAY)
    await readNews(live)
    await settle()
    expect(await batches()).toMatchObject([{ count: 1, deposit_at: null }])
    expect(await depositEvents()).toEqual([])
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    await settle()
    expect(await depositEvents()).toEqual(['create_deposit'])
  })

  it('waits for a void that is under way, and counts its payment if it fails', async () => {
    const { id } = await paid(20)
    const { db } = live.service.world
    const voided = 'UPDATE transaction SET void_id = $2 WHERE id = $1'
    await db.query(voided, [id, live.service.world.newId()])
    live.stripe.payOut(ARRIVED)
    // Newer news than this would be read twice in any case.
    await pass(20 * 60_000)
    await readNews(live)
    await db.query(voided, [id, null])
    await settle(DAY)
    await readNews(live)
    await settle()
    expect(await batches()).toMatchObject([{ count: 1, deposit_at: expect.any(String) }])
    expect(await depositEvents()).toEqual(['create_deposit'])
  })

  it('of a day with two gateways waits for the payouts of the one that has them', async () => {
    const elsewhere = await paid(20)
    await paid(30)
    await live.service.world.db.query(
      "UPDATE transaction SET gateway_name = 'checkout' WHERE id = $1",
      [elsewhere.id],
    )
    await settle(DAY)
    expect(await batches()).toMatchObject([{ count: 2, deposit_at: null }])
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    await settle()
    expect(await depositEvents()).toEqual(['create_deposit'])
  })

  it('of a day without payments at a gateway with payouts comes by the calendar', async () => {
    const { id } = await paid(20)
    await live.service.world.db.query(
      "UPDATE transaction SET gateway_name = 'checkout' WHERE id = $1",
      [id],
    )
    // A day later its deposit would have come, if that is a weekday.
    const [open] = await batches()
    await settle(Date.parse(`${open?.cutoff_at}`) - clock.now().getTime())
    expect(await batches()).toMatchObject([{ count: 1, deposit_at: expect.any(String) }])
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    expect(await depositEvents()).toEqual([])
  })

  it('waits for refunds too, and not for voided payments', async () => {
    const charge = await paid(20)
    const voided = await paid(40)
    await live.post(`/transaction/${voided.id}/void`)
    await settle(DAY)
    live.stripe.setBalance(1_000_00)
    const refund = await live.post(`/transaction/${charge.id}/refund`, { total: 5 })
    expect(refund.status).toBe(200)
    live.stripe.payOut(ARRIVED)
    await settle(DAY)
    await readNews(live)
    const both = await batches()
    expect(both).toMatchObject([
      { count: 1, sales: 20, refunds: 0 },
      { count: 1, sales: 0, refunds: 5 },
    ])
    expect(both.map(({ deposit_at }) => deposit_at)).not.toContain(null)
  })

  it("is not known before Stripe lists the payout's content", async () => {
    await paid(20)
    await settle(DAY)
    live.stripe.payOut({ ...ARRIVED, reconciledAfterMs: 60_000 })
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: null }])
    await pass(60_000)
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: expect.any(String) }])
  })

  it('is never known from a manual payout', async () => {
    await paid(20)
    await settle(DAY)
    live.stripe.payOut({ ...ARRIVED, isAutomatic: false })
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: null }])
  })

  it('that fails is taken back, and comes with a later payout', async () => {
    await paid(20)
    await settle(DAY)
    const failing = live.stripe.payOut(ARRIVED)
    await readNews(live)
    await settle(1_000)
    live.stripe.failPayout(failing.id)
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: null }])
    expect(await depositEvents()).toEqual(['create_deposit', 'deposit_failed'])
    await pass(DAY)
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    await settle(1_000)
    expect(await depositEvents()).toEqual(['create_deposit', 'deposit_failed', 'create_deposit'])
    const sequences = (await feedEventsOf(live, ...DEPOSITS)).map(({ sequence }) => sequence)
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
  })

  it('is that of the last payout if all before it have failed, read or not', async () => {
    await paid(20)
    await settle(DAY)
    for (let n = 0; n < 2; n += 1) live.stripe.failPayout(live.stripe.payOut(ARRIVED).id)
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: null }])
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: expect.any(String) }])
    await settle(1_000)
    expect(await depositEvents()).toEqual(['create_deposit'])
  })

  it('comes with an automatic payout, whatever became of a manual one', async () => {
    await paid(20)
    live.stripe.failPayout(live.stripe.payOut({ ...ARRIVED, isAutomatic: false }).id)
    await paid(30)
    await settle(DAY)
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    expect(await batches()).toMatchObject([{ count: 2, deposit_at: null }])
    await paid(40)
    await settle(DAY)
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    expect((await batches())[1]).toMatchObject({ deposit_at: expect.any(String) })
  })

  it('is not written in part: a payout that cannot be read to its end is read again', async () => {
    await paid(20)
    await settle(DAY)
    live.stripe.payOut(ARRIVED)
    live.stripe.fault(({ path }) =>
      path === '/v1/balance_transactions' ? { kind: 'cut', isExecuted: true } : undefined,
    )
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: null }])
    live.stripe.fault()
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: expect.any(String) }])
  })

  it('of a connected account comes with its own payouts', async () => {
    const { world } = live.service
    await world.db.query('UPDATE account SET gateway_account = $2 WHERE id = $1', [
      live.merchant.accountId,
      'acct_a',
    ])
    await paid(20)
    await settle(DAY)
    live.stripe.payOut(ARRIVED)
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: null }])
    live.stripe.payOut(ARRIVED, 'acct_a')
    await readNews(live)
    expect(await batches()).toMatchObject([{ deposit_at: expect.any(String) }])
  })

  it('is written once by simultaneous readers', async () => {
    await paid(20)
    await settle(DAY)
    live.stripe.payOut(ARRIVED)
    await Promise.all([readNews(live), readNews(live), readNews(live)])
    await settle(1_000)
    expect(await depositEvents()).toEqual(['create_deposit'])
  })
})
