// Disputes of payments through Checkout.com.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import type { DisputeState } from '../checkout/stand-in/disputes.ts'
import { checkoutSignature } from '../checkout/stand-in/webhooks.ts'
import { openStripe } from '../stripe/stand-in/open.ts'
import { setTeam } from '../support/set-team.ts'
import { soon } from '../support/soon.ts'
import { call } from '../support/test-service.ts'
import { type CheckoutService, openCheckoutService } from './checkout-service.ts'
import { feedEventsOf, readNews } from './feed.ts'

const PATH = '/provider/checkout'

/** A feed is read only when a test nudges it: no round comes by the clock. */
const QUEUES = ['charge', 'refund', 'doubt'] as const

const disputesOf = async (live: CheckoutService, id: unknown) =>
  (await live.get(`/dispute?transaction_id=${id}`)).body.data

describe('a dispute at Checkout.com', () => {
  let live: CheckoutService

  beforeAll(async () => {
    live = await openCheckoutService({ queues: QUEUES })
    await readNews(live)
  })
  afterAll(() => live[Symbol.asyncDispose]())

  async function disputed(input: object = {}) {
    const charge = await live.charge(await live.card())
    const id = live.checkout.openDispute(`${charge.auth_id}`, input)
    await readNews(live)
    return { charge, id }
  }

  it('is a row with its event, and the payment stays as it is', async () => {
    const { charge, id } = await disputed()
    const [dispute, ...others] = await disputesOf(live, charge.id)
    expect(others).toEqual([])
    expect(dispute).toMatchObject({
      transaction_id: charge.id,
      status: 'needs_response',
      reason: 'fraudulent',
      amount: 12.34,
      currency: 'USD',
      gateway_name: 'checkout',
      gateway_id: id,
      closed_at: null,
    })
    const daysLeft = (Date.parse(dispute.respond_by) - live.checkout.now().getTime()) / DAY
    expect(Math.round(daysLeft)).toBe(20)
    const events = await feedEventsOf(live, 'create_dispute')
    expect(events.filter(({ data }) => data.id === dispute.id)).toMatchObject([{ data: dispute }])
    const after = (await live.get(`/transaction/${charge.id}`)).body
    expect(after).toMatchObject({ status: 'SUCCESS', updated_at: charge.updated_at })
  })

  it.each<readonly [DisputeState, string]>([
    ['evidence_under_review', 'under_review'],
    ['arbitration_under_review', 'under_review'],
    ['won', 'won'],
    ['arbitration_won', 'won'],
    ['canceled', 'won'],
    ['lost', 'lost'],
    ['arbitration_lost', 'lost'],
    ['accepted', 'lost'],
    ['expired', 'lost'],
    ['resolved', 'warning_closed'],
  ])('that is %s there is %s here', async (theirs, ours) => {
    const { charge, id } = await disputed({ amount: 7_50 })
    live.checkout.changeDispute(id, theirs)
    await readNews(live)
    await readNews(live)
    const [dispute] = await disputesOf(live, charge.id)
    expect(dispute).toMatchObject({ status: ours, amount: 7.5, respond_by: null })
    expect(dispute.closed_at === null).toBe(ours === 'under_review')
    const events = await feedEventsOf(live, 'create_dispute', 'update_dispute')
    const types = events.filter(({ data }) => data.id === dispute.id).map(({ type }) => type)
    expect(types).toEqual(['create_dispute', 'update_dispute'])
  })

  it('of a held payment belongs to its capture, whose money is not refunded as well', async () => {
    const hold = await live.charge(await live.card(), { pre_auth: true })
    const capture = await live.followUp(hold.id, 'capture', 5)
    live.checkout.openDispute(`${hold.auth_id}`, { amount: 5_00 })
    await readNews(live)
    expect(await disputesOf(live, hold.id)).toEqual([])
    expect(await disputesOf(live, capture.id)).toMatchObject([{ amount: 5 }])
    const refused = await live.post(`/transaction/${capture.id}/void`)
    expect([refused.status, refused.body.error]).toEqual([409, 'wrong_state'])
    expect(refused.body.message).toContain("the payer's bank has taken back 5.00")
  })

  it('of a payment of another service is none of ours', async () => {
    const { total } = (await live.get('/dispute')).body
    await fetch(`${live.checkout.url}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${live.checkout.secretKey}` },
      body: JSON.stringify({
        source: { type: 'token', token: live.checkout.token() },
        amount: 9_00,
        currency: 'USD',
        processing_channel_id: live.checkout.processingChannel,
        reference: 'order 17',
      }),
    })
    const { paymentId = '' } =
      live.checkout.ledger().find((one) => one.reference === 'order 17') ?? {}
    live.checkout.openDispute(paymentId)
    await readNews(live)
    expect((await live.get('/dispute')).body.total).toBe(total)
  })

  it('that could not be read is read later, and keeps no other away', async () => {
    const charges = [await live.charge(await live.card()), await live.charge(await live.card())]
    const [first] = charges.map(({ auth_id: id }) => live.checkout.openDispute(`${id}`))
    const count = async () =>
      (await Promise.all(charges.map(({ id }) => disputesOf(live, id)))).map(({ length }) => length)
    live.checkout.fault(({ path }) =>
      path === `/disputes/${first}` ? { kind: 'key refused', status: 403 } : undefined,
    )
    await readNews(live)
    expect(await count()).toEqual([0, 1])
    live.checkout.fault(({ path }) =>
      path === '/disputes' ? { kind: 'cut', isExecuted: true } : undefined,
    )
    await readNews(live)
    live.checkout.fault()
    await readNews(live)
    expect(await count()).toEqual([1, 1])
  })

  it('is found on every page of a long list', async () => {
    const charge = await live.charge(await live.card())
    const [known] = await disputesOf(live, charge.id)
    expect(known).toBeUndefined()
    live.checkout.openDispute(`${charge.auth_id}`)
    // Later changes of disputes that are none of ours.
    for (let one = 0; one < 260; one += 1) {
      live.checkout.openDispute(`${charge.auth_id}`, { amount: -1 })
    }
    await readNews(live)
    expect(await disputesOf(live, charge.id)).toHaveLength(1)
  })
})

it('an event makes a dispute known at once, and a false one changes nothing', async () => {
  await using live = await openCheckoutService()
  const address = await live.service.app.listen({ port: 0, host: '127.0.0.1' })
  live.checkout.events.addEndpoint(`${address}${PATH}`)
  await readNews(live)
  const charge = await live.charge(await live.card())
  const id = live.checkout.openDispute(`${charge.auth_id}`)
  const statuses = async () =>
    (await disputesOf(live, charge.id)).map(({ status }: { status: string }) => status)
  await soon(async () => expect(await statuses()).toEqual(['needs_response']))
  const body = { type: 'dispute_lost', data: { id, payment_id: charge.auth_id } }
  const signature = checkoutSignature(JSON.stringify(body), live.checkout.webhookSecret)
  const asked = live.checkout.requests.length
  const sent = await call(live.service.app, 'POST', PATH, { 'cko-signature': signature }, body)
  expect(sent.status).toBe(204)
  await soon(() => expect(live.checkout.requests.length).toBeGreaterThan(asked))
  expect(await statuses()).toEqual(['needs_response'])
  live.checkout.changeDispute(id, 'won')
  await soon(async () => expect(await statuses()).toEqual(['won']))
})

it('has one feed beside those of each account of Stripe, and no payouts', async () => {
  await using stripe = await openStripe({ accounts: ['acct_a'] })
  await using live = await openCheckoutService({
    queues: QUEUES,
    settings: {
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
      STRIPE_API_URL: stripe.url,
    },
  })
  const { world } = live.service
  const { accountId, teamId } = live.merchant
  await setTeam(world, teamId, ['live_gateway=checkout', 'live_stripe_account=acct_a'])
  const charge = await live.charge(await live.card())
  await setTeam(world, teamId, ['live_stripe_account=none'])
  live.checkout.openDispute(`${charge.auth_id}`)
  await readNews(live)
  const feeds = await world.db.query('SELECT gateway_name, place FROM gateway_feed ORDER BY 1, 2')
  expect(feeds).toEqual([
    { gateway_name: 'checkout', place: '' },
    { gateway_name: 'stripe', place: '' },
  ])
  expect(await disputesOf(live, charge.id)).toHaveLength(1)
  // Its deposit comes by the calendar: no payout will be reported.
  await live.closeBatch()
  await settleAccount(world, { accountId, now: world.clock.now() })
  expect((await live.get('/batch')).body.data).toMatchObject([
    { status: 'closed', deposit_at: expect.any(String) },
  ])
})
