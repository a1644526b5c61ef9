// Payments of a live account through Checkout.com, and a team that moves there from Stripe.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeTeam } from '../../src/accounts/change-team.ts'
import { HOUR } from '../../src/core/time-units.ts'
import type { GatewayEntry } from '../../src/outside/gateway/port.ts'
import { methodsNamed } from '../../src/settlement/our-ledger.ts'
import { reconcile } from '../../src/settlement/reconcile.ts'
import { checkoutSignature } from '../checkout/stand-in/webhooks.ts'
import { openStripe } from '../stripe/stand-in/open.ts'
import { expectRefusal } from '../support/requests.ts'
import { soon } from '../support/soon.ts'
import { call, openTestService } from '../support/test-service.ts'
import { type CheckoutService, openCheckoutService } from './checkout-service.ts'

const STOLEN = '4000000000009979'
const POOR = '4000000000009995'
const ASKS = '4000000000003220'
const UNVERIFIED = '4000000000000101'

const PATH = '/provider/checkout'

describe('a payment through Checkout.com', () => {
  let live: CheckoutService

  beforeAll(async () => {
    live = await openCheckoutService()
  })
  afterAll(() => live[Symbol.asyncDispose]())

  const movesOf = (paymentId: unknown) =>
    live.checkout
      .ledger()
      .filter((move) => move.paymentId === paymentId)
      .map(({ amount, type }) => [type, amount])

  it('is made once, and is a captured payment there', async () => {
    const charge = await live.charge(await live.card())
    expect(charge).toMatchObject({
      status: 'SUCCESS',
      gateway_name: 'checkout',
      auth_id: expect.stringMatching(/^pay_/),
      decline_code: null,
    })
    expect(movesOf(charge.auth_id)).toEqual([
      ['Authorization', 12_34],
      ['Capture', 12_34],
    ])
  })

  it('shows its payment method as Checkout.com describes it, and no token', async () => {
    const { body, text } = await live.get(`/payment-method/${await live.card('5436031030606378')}`)
    expect(body).toMatchObject({
      card_type: 'mastercard',
      card_last_four: '6378',
      card_exp: '1234',
    })
    expect(text).not.toMatch(/src_|tok_|pc_/)
  })

  it.each([
    [POOR, 'insufficient_funds', 'later', 'Insufficient Funds'],
    [STOLEN, 'lost_or_stolen_card', 'never', 'Stolen Card - Pick Up'],
    [ASKS, 'authentication_required', 'never', '3DS authentication required'],
  ])('is declined with %s, with a code and with advice', async (card, code, retry, message) => {
    const expected = { status: 'FAILED', decline_code: code, retry, message }
    expect(await live.charge(await live.card(card))).toMatchObject(expected)
  })

  it('holds, captures a part once, and no second capture is requested', async () => {
    const hold = await live.charge(await live.card(), { pre_auth: true })
    expect(hold).toMatchObject({ status: 'SUCCESS', type: 'pre_auth' })
    expect(await live.followUp(hold.id, 'capture', 5)).toMatchObject({ status: 'SUCCESS' })
    const second = await live.post(`/transaction/${hold.id}/capture`, { total: 1 })
    expect(second.body).toMatchObject({ error: 'wrong_state' })
    expect(movesOf(hold.auth_id)).toEqual([
      ['Authorization', 12_34],
      ['Capture', 5_00],
    ])
  })

  it('is voided by releasing a hold, and by returning a captured charge', async () => {
    for (const pre_auth of [true, false]) {
      const paid = await live.charge(await live.card(), { pre_auth })
      await live.post(`/transaction/${paid.id}/void`)
      const isVoided = async () => (await live.get(`/transaction/${paid.id}`)).body.is_voided
      await soon(async () => expect(await isVoided()).toBe(true))
      const last = pre_auth ? 'Void' : 'Refund'
      expect(movesOf(paid.auth_id).at(-1)).toEqual([last, 12_34])
    }
  })

  it('is refunded in parts once it is in a batch', async () => {
    const paid = await live.charge(await live.card())
    await live.closeBatch()
    for (const total of [5, 7.34]) {
      expect(await live.followUp(paid.id, 'refund', total)).toMatchObject({ status: 'SUCCESS' })
    }
    expect(movesOf(paid.auth_id).slice(2)).toEqual([
      ['Refund', 5_00],
      ['Refund', 7_34],
    ])
  })

  it('ends as FAILED, and holds nothing, if an accepted payment is refused later', async () => {
    live.checkout.failNext('Capture')
    const charge = await live.charge(await live.card())
    expect(charge).toMatchObject({ status: 'FAILED', decline_code: 'processing_error' })
    expect(movesOf(charge.auth_id).at(-1)).toEqual(['Void', 12_34])
  })

  it('is made once though the connection to Checkout.com is cut after the payment was accepted', async () => {
    const card = await live.card()
    let isCut = false
    live.checkout.fault(({ method, path }) => {
      if (isCut || method !== 'POST' || path !== '/payments') return undefined
      isCut = true
      return { kind: 'cut', isExecuted: true }
    })
    const charge = await live.charge(card)
    live.checkout.fault()
    expect(charge).toMatchObject({ status: 'SUCCESS' })
    const paid = live.checkout.ledger().filter(({ reference }) => reference === charge.id)
    expect(paid.map(({ type }) => type)).toEqual(['Authorization', 'Capture'])
  })

  it('waits while Checkout.com refuses our key, and does not fail because of it', async () => {
    const card = await live.card()
    live.checkout.fault(() => ({ kind: 'key refused', status: 401 }))
    const { body } = await live.post('/charge', { total: 3, payment_method_id: card })
    expect(body).toMatchObject({ status: 'PENDING' })
    live.checkout.fault()
    expect(await live.outcome(body.id)).toMatchObject({ status: 'SUCCESS' })
  }, 30_000)

  it.each([
    ['pm_card_visa', 'must be a token of Checkout.com, tok_…'],
    ['tok_nobodyknows', 'is unknown to the gateway, or was used before'],
  ])('is not made with the token %s', async (payment_method_token, fault) => {
    const body = { method: 'card', person_name: 'Ada', payment_method_token }
    const answer = await live.post('/payment-method', body)
    expectRefusal(answer, 400, 'invalid_request')
    expect(answer.body.errors).toEqual({ payment_method_token: [fault] })
  })

  it('is not made with a card that its bank does not verify', async () => {
    await expect(live.card(UNVERIFIED)).rejects.toThrow('was declined: Declined - Do Not Honour')
  })

  it('gets one card for one token, though the answer was lost', async () => {
    const payment_method_token = live.checkout.token()
    const body = { method: 'card', person_name: 'Ada', payment_method_token }
    live.checkout.fault(() => ({ kind: 'cut', isExecuted: true }))
    expectRefusal(await live.post('/payment-method', body), 503, 'unavailable')
    live.checkout.fault()
    expect((await live.post('/payment-method', body)).status).toBe(200)
  })

  it('agrees with the ledger of Checkout.com', async () => {
    const { world } = live.service
    const { accountId } = live.merchant
    const batches = await world.db.prisma.batch.findMany({ where: { accountId } })
    const dates = new Set(batches.map(({ businessDate }) => businessDate.toISOString()))
    for (const date of dates) {
      for (const { differences, ours } of await reconcile(world, date.slice(0, 10), accountId)) {
        expect(differences.filter(({ what }) => !what.includes('told'))).toEqual([])
        expect(ours.count).toBeGreaterThan(0)
      }
    }
  })

  it('names the card of each order, by which our payment method is found', async () => {
    const { world } = live.service
    const { accountId } = live.merchant
    const before = new Date(Date.now() + 60_000)
    const window = { accountId, from: new Date(0), before, madeUntil: before }
    const entries: GatewayEntry[] = []
    for await (const page of world.gateways.named('checkout').entriesBetween(window)) {
      entries.push(...page)
    }
    expect(new Set(entries.map(({ operation }) => operation)).size).toBeGreaterThan(1)
    for (const { paidWith } of entries) {
      expect(paidWith).toEqual({
        lastFour: expect.stringMatching(/^\d{4}$/),
        method: expect.stringMatching(/^src_/),
      })
    }
    const names = entries.flatMap(({ paidWith }) => paidWith?.method ?? [])
    const found = await methodsNamed(world, accountId, names)
    expect([...found.keys()].sort()).toEqual([...new Set(names)].sort())
  })
})

describe('an event of Checkout.com', () => {
  let live: CheckoutService

  beforeAll(async () => {
    live = await openCheckoutService(
      {
        timings: { askAgain: { firstMs: HOUR, mostMs: HOUR } },
      },
      { actionsTakeMs: HOUR },
    )
    const address = await live.service.app.listen({ port: 0, host: '127.0.0.1' })
    live.checkout.events.addEndpoint(`${address}${PATH}`)
  })
  afterAll(() => live[Symbol.asyncDispose]())

  async function underWay(): Promise<string> {
    const method = { payment_method_id: await live.card() }
    const { body } = await live.post('/charge', { total: 8, ...method })
    expect(body.status).toBe('PENDING')
    const where = { id: body.id, authId: { not: null }, owed: 'doubt' } as const
    const known = () => live.service.world.db.prisma.transaction.count({ where })
    await soon(async () => expect(await known()).toBe(1))
    return body.id
  }

  it('has a payment recorded as soon as it is decided', async () => {
    const id = await underWay()
    await live.checkout.advance(HOUR)
    expect(await live.outcome(id)).toMatchObject({ status: 'SUCCESS' })
    const { deliveries } = live.checkout.events
    expect(deliveries.length).toBeGreaterThan(0)
    expect(new Set(deliveries)).toEqual(new Set([204]))
  })

  it('twice, late and in the wrong order records one outcome', async () => {
    live.checkout.events.hold()
    const id = await underWay()
    await live.checkout.advance(HOUR)
    const { held } = live.checkout.events
    await live.checkout.events.deliver(...[...held, ...held].reverse())
    await live.checkout.events.release()
    expect(await live.outcome(id)).toMatchObject({ status: 'SUCCESS' })
    const { world } = live.service
    const events = await world.db.prisma.event.findMany({ where: { resourceId: id } })
    const statuses = events.map(({ snapshot }) => (snapshot as { status: string }).status)
    expect(statuses.filter((status) => status === 'SUCCESS')).toHaveLength(1)
  })

  it('that is signed and false changes nothing: Checkout.com is asked', async () => {
    const id = await underWay()
    const metadata = { lamplighter_account: live.merchant.accountId }
    const body = { type: 'payment_declined', data: { reference: id, metadata } }
    const before = live.checkout.requests.length
    expect((await send(body)).status).toBe(204)
    await soon(() => expect(live.checkout.requests.length).toBeGreaterThan(before))
    expect((await live.get(`/transaction/${id}`)).body.status).toBe('PENDING')
  })

  it.each([
    ['signed with another secret', (text: string) => checkoutSignature(text, 'another-secret')],
    ['unsigned', () => ''],
    ['signed for another body', () => checkoutSignature('{}', live.checkout.webhookSecret)],
  ])('is refused if it is %s', async (_words, sign) => {
    const answer = await send({ type: 'payment_captured', data: {} }, sign)
    expect(answer.status).toBe(403)
    expect(answer.body.error).toBe('invalid_signature')
  })

  it.each([{ data: null }, { data: { reference: "' OR 1=1", metadata: null } }, {}])(
    'about nothing of ours is taken, and changes nothing: %j',
    async (event) => expect((await send({ type: 'x', ...event })).status).toBe(204),
  )

  function send(body: object, sign?: (text: string) => string) {
    const text = JSON.stringify(body)
    const signature = (sign ?? ((all) => checkoutSignature(all, live.checkout.webhookSecret)))(text)
    return call(live.service.app, 'POST', PATH, { 'cko-signature': signature }, body)
  }
})

describe('a team with two live gateways', () => {
  it('moves from one to the other, and its old payments stay', async () => {
    await using stripe = await openStripe()
    await using live = await openCheckoutService({
      settings: {
        STRIPE_SECRET_KEY: stripe.secretKey,
        STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
        STRIPE_API_URL: stripe.url,
      },
    })
    const { world } = live.service
    const { teamId } = live.merchant
    const choose = (liveGateway: string | null) =>
      changeTeam(world, teamId, [{ mode: 'live', account: { liveGateway } }])
    const bring = (payment_method_token: string) =>
      live.post('/payment-method', { method: 'card', person_name: 'A', payment_method_token })

    // Stripe is the default of a team.
    const old = (await bring('pm_card_visa')).body.id
    const paid = await live.charge(old)
    expect(paid).toMatchObject({ status: 'SUCCESS', gateway_name: 'stripe' })
    expectRefusal(await bring(live.checkout.token()), 400, 'invalid_request')

    await choose('checkout')
    expectRefusal(await bring('pm_card_visa'), 400, 'invalid_request')
    const moved = await live.charge(await live.card())
    expect(moved).toMatchObject({ status: 'SUCCESS', gateway_name: 'checkout' })
    // An existing payment method stays where it is stored.
    expect(await live.charge(old)).toMatchObject({ status: 'SUCCESS', gateway_name: 'stripe' })

    await live.closeBatch()
    for (const parent of [paid, moved]) {
      const refund = { status: 'SUCCESS', gateway_name: parent.gateway_name }
      expect(await live.followUp(parent.id, 'refund', 2)).toMatchObject(refund)
    }
    const refunded = stripe.ledger().filter(({ kind }) => kind === 'refund')
    expect(refunded).toMatchObject([{ amount: 2_00 }])

    await choose(null)
    expect((await bring('pm_card_visa')).status).toBe(200)
  })

  it('cannot choose one that is not configured', async () => {
    await using live = await openCheckoutService({ queues: [] })
    const { world } = live.service
    const change = { mode: 'live', account: { liveGateway: 'stripe' } } as const
    const words = 'stripe is not set up: set STRIPE_SECRET_KEY and its other settings first'
    await expect(changeTeam(world, live.merchant.teamId, [change])).rejects.toThrow(words)
  })

  it('cannot use a payment method whose gateway was removed', async () => {
    await using live = await openCheckoutService({ queues: [] })
    const card = await live.card()
    const stored = { where: { id: card }, data: { gatewayName: 'stripe' } }
    await live.service.world.db.prisma.paymentMethod.updateMany(stored)
    const answer = await live.post('/charge', { total: 3, payment_method_id: card })
    expectRefusal(answer, 400, 'invalid_request')
    const fault = 'belongs to the gateway stripe, which is not set up: create it again'
    expect(answer.body.errors).toEqual({ payment_method_id: [fault] })
  })

  it('cannot take live payments if its chosen gateway was removed', async () => {
    await using live = await openCheckoutService({ queues: [] })
    const { accountId } = live.merchant
    const chosen = { where: { id: accountId }, data: { liveGateway: 'stripe' } }
    const card = await live.card()
    await live.service.world.db.prisma.account.update(chosen)
    const charge = { total: 3, payment_method_id: card }
    expectRefusal(await live.post('/charge', charge), 503, 'no_live_gateway')
  })
})

it('an event of Checkout.com is not found in a service without it', async () => {
  await using service = await openTestService({ queues: [] })
  expect((await call(service.app, 'POST', PATH, {}, {})).status).toBe(404)
})
