// The open batch of a live account is compared with Stripe's ledger, and the differences are shown.

import { describe, expect, it } from 'vitest'
import { businessDayOf, EASTERN } from '../../src/core/business-day.ts'
import { msOfId } from '../../src/core/id.ts'
import { readStripeToken } from '../../src/outside/gateway/stripe/token.ts'
import { reconcile } from '../../src/settlement/reconcile.ts'
import { clientOf, PAYMENT } from '../stripe/client.ts'
import { runHere } from '../support/command.ts'
import { setTeam } from '../support/set-team.ts'
import { soon } from '../support/soon.ts'
import { readNews } from './feed.ts'
import { type LiveService, openLiveService } from './live-service.ts'

describe('the batch of a live account', () => {
  it('is compared with the payments, captures and voids at Stripe', async () => {
    await using live = await openLiveService()
    const { world } = live.service
    const { accountId } = live.merchant
    const card = await live.method('pm_card_visa')
    const charge = async (more: object) =>
      (await live.post('/charge', { payment_method_id: card, ...more })).body

    const paid = await charge({ total: 10 })
    const voided = await charge({ total: 20 })
    await live.post(`/transaction/${voided.id}/void`)
    const held = await charge({ total: 30, pre_auth: true })
    await live.post(`/transaction/${held.id}/capture`, { total: 25 })
    const failing = await live.method('pm_card_chargeCustomerFail')
    await charge({ total: 40, payment_method_id: failing })

    const { businessDate } = await world.db.prisma.batch.findFirstOrThrow({ where: { accountId } })
    const date = businessDate.toISOString().slice(0, 10)
    const [agreed] = await reconcile(world, date, accountId)
    expect(agreed).toMatchObject({
      ours: { count: 2, sales: 35_00n, refunds: 0n },
      gateways: { count: 2, sales: 35_00n, refunds: 0n },
      differences: [],
    })

    // As a control, a payment under another name at Stripe is noticed.
    const renamed = { where: { id: paid.id }, data: { authId: held.auth_id } }
    await world.db.prisma.transaction.updateMany(renamed)
    const [differs] = await reconcile(world, date, accountId)
    expect(differs?.differences).toMatchObject([{ id: paid.id }])
  })

  it('is read from lists, not payment by payment, and shows later changes', async () => {
    await using live = await openLiveService({ queues: ['charge', 'refund', 'doubt'] })
    const { world } = live.service
    const { accountId } = live.merchant
    await readNews(live)
    const card = await live.method('pm_card_visa')
    const made = await Promise.all(
      Array.from({ length: 30 }, () => live.post('/charge', { total: 5, payment_method_id: card })),
    )
    const paid = await Promise.all(made.map(({ body }) => live.outcome(body.id)))
    live.stripe.openDispute(`${paid[0]?.auth_id}`)
    await readNews(live)

    const { businessDate } = await world.db.prisma.batch.findFirstOrThrow({ where: { accountId } })
    const before = live.stripe.requests.length
    const [agreed] = await reconcile(world, businessDate.toISOString().slice(0, 10), accountId)
    expect(agreed).toMatchObject({
      ours: { count: 30 },
      gateways: { count: 30 },
      differences: [],
      afterwards: [{ id: paid[0]?.id, what: 'a dispute of 5: needs response' }],
    })
    expect(live.stripe.requests.length - before).toBeLessThan(10)
  })
})

describe('a live account without a batch', () => {
  /** As after a restore of the database: Stripe has it, and we have nothing of that day. */
  async function makeLost(
    { merchant, service, stripe }: LiveService,
    paidWith: object = {},
    place: { readonly stripeAccount?: string } = {},
    operation: 'charge' | 'pre_auth' = 'charge',
  ) {
    const id = service.world.newId()
    const metadata = {
      lamplighter_id: id,
      lamplighter_account: merchant.accountId,
      lamplighter_operation: operation,
    }
    const intent = await clientOf(stripe, place).paymentIntents.create({
      ...PAYMENT,
      ...paidWith,
      metadata,
    })
    const { date } = businessDayOf(new Date(msOfId(id)), { time: '20:00', zone: EASTERN })
    return { id, date, intent }
  }

  const reconcileHere = ({ service, stripe }: LiveService, ...args: readonly string[]) =>
    runHere(['reconcile', ...args], {
      DATABASE_URL: service.databaseUrl,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
      STRIPE_API_URL: stripe.url,
    })

  it("is asked about in an account at Stripe that was the merchant's before", async () => {
    const stripeAccount = 'acct_former'
    await using live = await openLiveService({ queues: [] }, { accounts: [stripeAccount] })
    const { accountId, teamId } = live.merchant
    const { world } = live.service
    await setTeam(world, teamId, [`live_stripe_account=${stripeAccount}`])
    await soon(() => live.method('pm_card_visa'))
    await readNews(live)
    await setTeam(world, teamId, ['live_stripe_account=none'])
    const { id, date, intent } = await makeLost(live, {}, { stripeAccount })
    const differences = async () => (await reconcile(world, date, accountId))[0]?.differences
    const what = 'the gateway made a charge of 5 that is none of ours'
    expect(await differences()).toMatchObject([{ id, what, atGateway: { id: intent.id } }])
    live.stripe.revokeAccess(stripeAccount)
    expect(await differences()).toEqual([])
  })

  it('is asked about, and what the database has lost is a difference', async () => {
    await using live = await openLiveService()
    await live.service.merchant('live')
    const { accountId } = live.merchant
    const { id, date } = await makeLost(live)
    expect((await reconcileHere(live, '--date', date)).out).toBe(`no batch of ${date}\n`)
    for (const args of [['--lost'], ['--account', accountId]]) {
      const { status, out } = await reconcileHere(live, '--date', date, ...args)
      expect([status, out]).toEqual([1, expect.stringMatching(/ live +no batch +0 +0.00 +1 +5.00/)])
      expect(out).toContain(`${id}: the gateway made a charge of 5 that is none of ours`)
    }
    const args = ['--date', date, '--account', accountId, '--json']
    const { out } = await reconcileHere(live, ...args)
    const differs = { account_id: accountId, batch_id: null, status: null, differences: [{ id }] }
    expect(JSON.parse(out)).toMatchObject([differs])

    // As a control, it is of no other day.
    const quiet = '2 accounts have no batch of 2026-11-20, and nothing of it at the gateway\n'
    const other = await reconcileHere(live, '--lost', '--date', '2026-11-20')
    expect(other).toEqual({ status: 0, out: quiet, err: '' })
  })

  it('has what the gateway knows of a lost payment, with its payer and what charges it again', async () => {
    await using live = await openLiveService()
    const { body: customer } = await live.post('/customer', { firstname: 'Ada' })
    const method = await live.method('pm_card_visa', { customer_id: customer.id })
    const { body: schedule } = await live.post('/invoice/schedule', {
      customer_id: customer.id,
      payment_method_id: method,
      total: 5,
      rule: 'FREQ=MONTHLY',
      start: '2031-01-31T09:00',
      timezone: 'America/New_York',
    })
    const { query } = live.service.world.db
    const owed = { customer_id: customer.id, payment_method_id: method, total: 5 }
    const [retried] = [await live.post('/invoice', owed), await live.post('/invoice', owed)]
    await query("UPDATE invoice SET status = 'ATTEMPTED', retry_at = '2031-01-31' WHERE id = $1", [
      retried.body.id,
    ])
    const sql = 'SELECT gateway_token AS token FROM payment_method WHERE id = $1'
    const [{ token } = { token: '' }] = await query(sql, [method])
    const { customer: payer, method: card } = readStripeToken(token)
    const { id, date, intent } = await makeLost(live, { customer: payer, payment_method: card })
    const args = ['--date', date, '--account', live.merchant.accountId]
    const { out } = await reconcileHere(live, ...args, '--json')
    const acceptedAt = new Date(msOfId(id)).toISOString()
    expect(JSON.parse(out)[0].differences).toEqual([
      {
        id,
        what: 'the gateway made a charge of 5 that is none of ours',
        gateway: 'stripe',
        gateway_id: intent.id,
        accepted_at: acceptedAt,
        last_four: '4242',
        payment_method_id: method,
        customer_id: customer.id,
        schedule_ids: [schedule.id],
        invoice_ids: [retried.body.id],
      },
    ])
    const text = `(stripe ${intent.id}, ${acceptedAt.slice(0, 10)} ${acceptedAt.slice(11, 19)}Z, ••4242, payment method ${method}, customer ${customer.id}, schedule ${schedule.id}, invoice ${retried.body.id})\n`
    expect((await reconcileHere(live, ...args)).out).toContain(text)
  })

  it('has the holds that the database has lost, as long as they stand, in no sum', async () => {
    await using live = await openLiveService()
    const { accountId } = live.merchant
    const held = { capture_method: 'manual' }
    const { id, date, intent } = await makeLost(live, held, {}, 'pre_auth')
    const differences = async () => {
      const [day] = await reconcile(live.service.world, date, accountId)
      expect(day).toMatchObject({ gateways: { count: 0, sales: 0n } })
      return day?.differences
    }
    const what = 'the gateway made a pre_auth of 5 that is none of ours'
    expect(await differences()).toMatchObject([{ id, what, atGateway: { id: intent.id } }])
    // As a control, a hold that our rows have is no difference.
    const payment_method_id = await live.method('pm_card_visa')
    await live.post('/charge', { total: 7, payment_method_id, pre_auth: true })
    expect(await differences()).toHaveLength(1)
    await clientOf(live.stripe).paymentIntents.cancel(intent.id)
    expect(await differences()).toEqual([])
  })

  it('that cannot be asked about is named, and the others are compared', async () => {
    await using live = await openLiveService()
    const gone = await live.service.merchant('live')
    const sql = "UPDATE account SET gateway_account = 'acct_gone' WHERE id = $1"
    await live.service.world.db.query(sql, [gone.accountId])
    live.stripe.fault(({ account }) =>
      account === 'acct_gone' ? { kind: 'key refused', status: 403 } : undefined,
    )
    const { id, date } = await makeLost(live)
    const { status, out, err } = await reconcileHere(live, '--lost', '--date', date)
    expect([status, out]).toEqual([1, expect.stringContaining(id)])
    expect(err).toContain(`${date} of account ${gone.accountId} is not compared: `)
  })
})
