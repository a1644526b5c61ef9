// An event of Stripe only makes a payment due: the service asks for the outcome.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { stripeSignature } from '../stripe/stand-in/webhooks.ts'
import { soon } from '../support/soon.ts'
import { call, openTestService } from '../support/test-service.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const PATH = '/provider/stripe'

describe('an event of Stripe', () => {
  let live: LiveService

  beforeAll(async () => {
    live = await openLiveService()
    const address = await live.service.app.listen({ port: 0, host: '127.0.0.1' })
    live.stripe.events.addEndpoint({ url: `${address}${PATH}` })
  })
  afterAll(() => live[Symbol.asyncDispose]())

  async function debit(): Promise<string> {
    const method = await live.method('pm_usBankAccount_success')
    const { body } = await live.post('/charge', { total: 8, payment_method_id: method })
    expect(body.status).toBe('PENDING')
    await soon(async () => expect(await gatewayIdOf(body.id)).toMatch(/^pi_/))
    return body.id
  }

  async function gatewayIdOf(id: string): Promise<string | null | undefined> {
    const row = await live.service.world.db.prisma.transaction.findFirst({ where: { id } })
    return row?.authId
  }

  const statusOf = async (id: string) => (await live.get(`/transaction/${id}`)).body.status

  it('has a debit of several days recorded as soon as it is decided', async () => {
    const id = await debit()
    await live.stripe.advance(5 * DAY)
    expect(await live.outcome(id)).toMatchObject({ status: 'SUCCESS' })
    const { deliveries } = live.stripe.events
    expect(deliveries.map(({ status }) => status)).toEqual(deliveries.map(() => 204))
  })

  it('has a parked payment asked about again, which is final then', async () => {
    const id = await debit()
    await live.service.world.db.query(
      'UPDATE transaction SET parked_at = $2, due_at = NULL WHERE id = $1',
      [id, new Date()],
    )
    await live.stripe.advance(5 * DAY)
    expect(await live.outcome(id)).toMatchObject({ status: 'SUCCESS' })
  })

  it('that is signed and false changes nothing: Stripe is asked', async () => {
    const id = await debit()
    const metadata = { lamplighter_id: id, lamplighter_account: live.merchant.accountId }
    const object = {
      id: await gatewayIdOf(id),
      object: 'payment_intent',
      status: 'canceled',
      metadata,
    }
    const before = live.stripe.requests.length
    const answer = await send(live, { type: 'payment_intent.canceled', data: { object } })
    expect(answer.status).toBe(204)
    await soon(() => expect(live.stripe.requests.length).toBeGreaterThan(before))
    expect(await statusOf(id)).toBe('PENDING')
  })

  it.each([
    ['signed with another secret', { secret: 'whsec_another_one_entirely' }],
    ['signed too long ago', { at: new Date(Date.now() - 301_000) }],
    ['unsigned', { signature: '' }],
    ['signed for another body', { signature: stripeSignature('{}', 'whsec_x', new Date()) }],
  ])('is refused if it is %s', async (_words, how) => {
    const answer = await send(live, { type: 'payment_intent.succeeded', data: { object: {} } }, how)
    expect(answer.status).toBe(403)
    expect(answer.body.error).toBe('invalid_signature')
  })

  it.each([
    { data: { object: {} } },
    { data: { object: { metadata: null } } },
    { data: { object: { metadata: { lamplighter_id: "' OR 1=1", lamplighter_account: 'x' } } } },
  ])('about nothing of ours is accepted, and changes nothing: %j', async (event) => {
    expect((await send(live, { type: 'customer.created', ...event })).status).toBe(204)
  })

  it('in any order, and twice, records one outcome', async () => {
    const id = await debit()
    live.stripe.events.hold()
    await live.stripe.advance(5 * DAY)
    const { held } = live.stripe.events
    await live.stripe.events.deliver(...[...held, ...held].reverse())
    await live.stripe.events.release()
    expect(await live.outcome(id)).toMatchObject({ status: 'SUCCESS' })
    const { world } = live.service
    const events = await world.db.prisma.event.findMany({ where: { resourceId: id } })
    const statuses = events.map(({ snapshot }) => (snapshot as { status: string }).status)
    expect(statuses.filter((status) => status === 'SUCCESS')).toHaveLength(1)
  })
})

it('from Stripe is unknown to a service without Stripe', async () => {
  await using service = await openTestService({ queues: [] })
  expect((await call(service.app, 'POST', PATH, {}, {})).status).toBe(404)
})

interface Signing {
  readonly secret?: string
  readonly at?: Date
  readonly signature?: string
}

function send(live: LiveService, event: object, how: Signing = {}) {
  const { secret = live.stripe.webhookSecret, at = new Date() } = how
  const body = { id: 'evt_1', object: 'event', ...event }
  const signature = how.signature ?? stripeSignature(JSON.stringify(body), secret, at)
  return call(live.service.app, 'POST', PATH, { 'stripe-signature': signature }, body)
}
