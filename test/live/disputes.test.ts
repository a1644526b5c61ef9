// Disputes and reversals: changes of a payment at Stripe after its end.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../src/core/time-units.ts'
import { findingsOf } from '../../src/doctor/check.ts'
import { checkGatewayNews } from '../../src/doctor/check-work.ts'
import { clientOf, PAYMENT } from '../stripe/client.ts'
import type { StripeFault } from '../stripe/stand-in/faults.ts'
import { stripeSignature } from '../stripe/stand-in/webhooks.ts'
import { movableClock } from '../support/end-windows.ts'
import { setTeam } from '../support/set-team.ts'
import { soon } from '../support/soon.ts'
import { call } from '../support/test-service.ts'
import { feedEventsOf, readNews } from './feed.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const PATH = '/provider/stripe'

const NEWS = ['create_dispute', 'update_dispute', 'create_reversal'] as const

/** A feed is read only when a test nudges it: no round comes by the clock. */
const QUEUES = ['charge', 'refund', 'doubt'] as const

async function paid(live: LiveService, more: object = {}): Promise<Record<string, string>> {
  const card = await live.method('pm_card_visa')
  const { body } = await live.post('/charge', { total: 20, payment_method_id: card, ...more })
  expect(body.status).toBe('SUCCESS')
  return body
}

const listed = async (live: LiveService, path: string) => (await live.get(path)).body.data

const typesOf = (events: Awaited<ReturnType<typeof feedEventsOf>>) => events.map(({ type }) => type)

describe('without events of Stripe', () => {
  let live: LiveService

  beforeAll(async () => {
    live = await openLiveService({ queues: QUEUES })
    await readNews(live)
  })
  afterAll(() => live[Symbol.asyncDispose]())

  const disputesOf = (id: string) => listed(live, `/dispute?transaction_id=${id}`)
  const reversalsOf = (id: string) => listed(live, `/reversal?transaction_id=${id}`)
  const ofTransaction = async (id: string) =>
    (await feedEventsOf(live, ...NEWS)).filter(({ data }) => data.transaction_id === id)

  it('a dispute is a row with its event, and the payment stays as it is', async () => {
    const charge = await paid(live)
    const { id: gatewayId } = live.stripe.openDispute(`${charge.auth_id}`)
    await readNews(live)
    const [dispute, ...others] = await disputesOf(`${charge.id}`)
    expect(others).toEqual([])
    expect(dispute).toMatchObject({
      transaction_id: charge.id,
      status: 'needs_response',
      reason: 'fraudulent',
      amount: 20,
      currency: 'USD',
      gateway_name: 'stripe',
      gateway_id: gatewayId,
      closed_at: null,
    })
    const daysLeft = (Date.parse(dispute.respond_by) - live.stripe.now().getTime()) / DAY
    expect(Math.round(daysLeft)).toBe(20)
    expect((await live.get(`/dispute/${dispute.id}`)).body).toEqual(dispute)
    const events = await ofTransaction(`${charge.id}`)
    expect(events).toMatchObject([{ type: 'create_dispute', sequence: 1, data: dispute }])
    expect((await live.get(`/transaction/${charge.id}`)).body).toMatchObject({
      status: 'SUCCESS',
      total_refunded: 0,
      updated_at: charge.updated_at,
    })
  })

  it.each(['won', 'lost'] as const)('a dispute that is %s is closed', async (status) => {
    const charge = await paid(live)
    const { id } = live.stripe.openDispute(`${charge.auth_id}`, { amount: 7_50 })
    await readNews(live)
    live.stripe.closeDispute(id, status)
    await readNews(live)
    await readNews(live)
    const [dispute] = await disputesOf(`${charge.id}`)
    expect(dispute).toMatchObject({ status, amount: 7.5, respond_by: null })
    expect(dispute.closed_at).not.toBeNull()
    const events = await ofTransaction(`${charge.id}`)
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['create_dispute', 1],
      ['update_dispute', 2],
    ])
  })

  it('an open dispute is read again, even if Stripe lists no event of its change', async () => {
    const charge = await paid(live)
    const { id } = live.stripe.openDispute(`${charge.auth_id}`)
    await readNews(live)
    live.stripe.closeDispute(id, 'lost')
    await live.service.world.db.query("UPDATE gateway_feed SET read_through = '2100-01-01'")
    await readNews(live)
    expect(await disputesOf(`${charge.id}`)).toMatchObject([{ status: 'lost' }])
    await live.service.world.db.query("UPDATE gateway_feed SET read_through = '2026-01-01'")
  })

  it('a warning needs an answer, and ends without a dispute', async () => {
    const charge = await paid(live)
    const { id } = live.stripe.openDispute(`${charge.auth_id}`, { isWarning: true })
    await readNews(live)
    const [warning] = await disputesOf(`${charge.id}`)
    expect(warning).toMatchObject({ status: 'warning', closed_at: null })
    expect(warning.respond_by).not.toBeNull()
    live.stripe.closeDispute(id, 'warning_closed')
    await readNews(live)
    expect(await disputesOf(`${charge.id}`)).toMatchObject([
      { id: warning.id, status: 'warning_closed', respond_by: null },
    ])
  })

  it('a dispute of a held payment belongs to its capture', async () => {
    const hold = await paid(live, { pre_auth: true })
    const { body: captured } = await live.post(`/transaction/${hold.id}/capture`, { total: 15 })
    const child = captured.child_captures?.[0] ?? captured
    live.stripe.openDispute(`${hold.auth_id}`)
    await readNews(live)
    expect(await disputesOf(`${hold.id}`)).toEqual([])
    expect(await disputesOf(child.id)).toMatchObject([{ amount: 15 }])
  })

  it('a refund that fails after its success stays a success, with a reversal', async () => {
    const charge = await paid(live)
    live.stripe.setBalance(1_000_00)
    const { body: refunded } = await live.post(`/transaction/${charge.id}/void-or-refund`)
    const children = (await live.get(`/transaction/${charge.id}`)).body.child_transactions
    const [child] = children
    expect([refunded.status, child.status]).toEqual(['SUCCESS', 'SUCCESS'])
    live.stripe.failRefund(child.auth_id, 'expired_or_canceled_card')
    await readNews(live)
    await readNews(live)
    expect(await reversalsOf(child.id)).toMatchObject([
      { kind: 'refund_failed', amount: 20, reason: 'expired_or_canceled_card' },
    ])
    const events = await ofTransaction(child.id)
    expect(typesOf(events)).toEqual(['create_reversal'])
    expect((await live.get(`/transaction/${child.id}`)).body.status).toBe('SUCCESS')
  })

  it('a reason with characters that no database stores is written without them', async () => {
    const charge = await paid(live)
    live.stripe.setBalance(1_000_00)
    await live.post(`/transaction/${charge.id}/void-or-refund`)
    const [child] = (await live.get(`/transaction/${charge.id}`)).body.child_transactions
    live.stripe.failRefund(child.auth_id, 'lost\0card\ud800')
    await readNews(live)
    expect(await reversalsOf(child.id)).toMatchObject([{ reason: 'lost card\ufffd' }])
  })

  it('a bank debit that the bank takes back is a reversal, and no dispute to answer', async () => {
    const method = await live.method('pm_usBankAccount_dispute')
    const { body } = await live.post('/charge', { total: 8, payment_method_id: method })
    await live.stripe.advance(5 * DAY)
    // Its outcome is not recorded yet, so the feed's entry is read again later.
    const before = await feeds(live)
    await readNews(live)
    expect(await feeds(live)).toEqual(before)
    expect(await reversalsOf(body.id)).toEqual([])
    await askNow(live, body.id)
    expect(await live.outcome(body.id)).toMatchObject({ status: 'SUCCESS' })
    await readNews(live)
    const [reversal] = await reversalsOf(body.id)
    expect(reversal).toMatchObject({
      kind: 'debit_returned',
      amount: 8,
      reason: 'incorrect_account_details',
    })
    expect((await live.get(`/reversal/${reversal.id}`)).body).toEqual(reversal)
    expect(await disputesOf(body.id)).toEqual([])
  })

  it.each<StripeFault>([{ kind: 'cut', isExecuted: false }, { kind: 'wrong form' }])(
    'entries that could not be read are read later, and none is missed: $kind',
    async (fault) => {
      const charge = await paid(live)
      live.stripe.openDispute(`${charge.auth_id}`)
      live.stripe.fault(({ path }) => (path.startsWith('/v1/disputes/') ? fault : undefined))
      const before = await feeds(live)
      await readNews(live)
      expect(await disputesOf(`${charge.id}`)).toEqual([])
      expect((await feeds(live))[0]?.read_through).toEqual(before[0]?.read_through)
      live.stripe.fault(() => undefined)
      await readNews(live)
      expect(await disputesOf(`${charge.id}`)).toHaveLength(1)
    },
  )

  it('an entry that cannot be read leaves the others alone, old and new', async () => {
    const charges = [await paid(live), await paid(live), await paid(live)]
    const ids = charges.map(({ auth_id }) => live.stripe.openDispute(`${auth_id}`).id)
    const unreadable = (id?: string) =>
      live.stripe.fault(({ path }) =>
        path === `/v1/disputes/${id}` ? { kind: 'wrong form' } : undefined,
      )
    const count = async () =>
      (await Promise.all(charges.map(({ id }) => disputesOf(`${id}`)))).map(({ length }) => length)
    unreadable(ids[0])
    const before = await feeds(live)
    await readNews(live)
    expect(await count()).toEqual([0, 1, 1])
    expect((await feeds(live))[0]?.read_through).toEqual(before[0]?.read_through)
    unreadable()
    await readNews(live)
    expect(await count()).toEqual([1, 1, 1])

    // Stripe lists no event of these any more.
    await live.service.world.db.query("UPDATE gateway_feed SET read_through = '2100-01-01'")
    for (const id of ids) live.stripe.closeDispute(id, 'lost')
    unreadable(ids[1])
    await readNews(live)
    const states = await Promise.all(charges.map(({ id }) => disputesOf(`${id}`)))
    expect(states.flat().map(({ status }) => status)).toEqual(['lost', 'needs_response', 'lost'])
    unreadable()
    await live.service.world.db.query("UPDATE gateway_feed SET read_through = '2026-01-01'")
  })

  it('a crash before the feed is recorded writes nothing twice', async () => {
    const charge = await paid(live)
    const { id } = live.stripe.openDispute(`${charge.auth_id}`)
    const before = await feeds(live)
    await readNews(live)
    live.stripe.closeDispute(id, 'won')
    await live.service.world.db.query('UPDATE gateway_feed SET read_through = $1', [
      before[0]?.read_through,
    ])
    await Promise.all([readNews(live), readNews(live), readNews(live)])
    expect(typesOf(await ofTransaction(`${charge.id}`))).toEqual([
      'create_dispute',
      'update_dispute',
    ])
  })

  it('another team sees none of it', async () => {
    const [dispute] = await listed(live, '/dispute')
    const [reversal] = await listed(live, '/reversal')
    const other = await live.service.merchant('live')
    const ask = (path: string) => call(live.service.app, 'GET', path, other.headers)
    expect((await ask(`/dispute/${dispute.id}`)).status).toBe(404)
    expect((await ask(`/reversal/${reversal.id}`)).status).toBe(404)
    expect((await ask('/dispute')).body.total).toBe(0)
    expect((await ask('/reversal')).body.total).toBe(0)
  })

  it('lists are filtered by state and by time', async () => {
    const open = await listed(live, '/dispute?status=needs_response')
    expect(open.length).toBeGreaterThan(0)
    expect(new Set(open.map(({ status }: { status: string }) => status)).size).toBe(1)
    expect((await live.get('/dispute?end_date=2020-01-01')).body.total).toBe(0)
    expect((await live.get('/dispute?status=unknown')).status).toBe(400)
    expect((await live.get('/reversal?kind=debit_returned')).body.total).toBe(1)
  })
})

describe('with events of Stripe', () => {
  let live: LiveService

  beforeAll(async () => {
    live = await openLiveService()
    const address = await live.service.app.listen({ port: 0, host: '127.0.0.1' })
    live.stripe.events.addEndpoint({ url: `${address}${PATH}` })
    await readNews(live)
  })
  afterAll(() => live[Symbol.asyncDispose]())

  const until = (id: string, expected: readonly object[]) =>
    soon(async () =>
      expect(await listed(live, `/dispute?transaction_id=${id}`)).toMatchObject(expected),
    )

  it('a dispute is recorded at once', async () => {
    const charge = await paid(live)
    const { id } = live.stripe.openDispute(`${charge.auth_id}`)
    await until(`${charge.id}`, [{ status: 'needs_response' }])
    live.stripe.closeDispute(id, 'won')
    await until(`${charge.id}`, [{ status: 'won' }])
  })

  it('doubled and out of order, they write each change once', async () => {
    const charge = await paid(live)
    live.stripe.events.hold()
    const { id } = live.stripe.openDispute(`${charge.auth_id}`)
    live.stripe.closeDispute(id, 'lost')
    const { held } = live.stripe.events
    await live.stripe.events.deliver(...[...held, ...held].reverse())
    await live.stripe.events.release()
    await until(`${charge.id}`, [{ status: 'lost' }])
    const events = (await feedEventsOf(live, ...NEWS)).filter(
      ({ data }) => data.transaction_id === charge.id,
    )
    expect(typesOf(events)).toEqual(['create_dispute'])
  })

  it('an event that is signed and false changes nothing', async () => {
    const charge = await paid(live)
    const object = { id: 'du_invented', object: 'dispute', status: 'lost', charge: charge.auth_id }
    const before = live.stripe.requests.length
    const answer = await send(live, { type: 'charge.dispute.created', data: { object } })
    expect(answer.status).toBe(204)
    await soon(() => expect(live.stripe.requests.length).toBeGreaterThan(before))
    expect(await listed(live, `/dispute?transaction_id=${charge.id}`)).toEqual([])
  })

  it('a forged event is refused, and makes nothing due', async () => {
    const { world } = live.service
    const due = async () => (await world.db.query('SELECT due_at FROM gateway_feed'))[0]?.due_at
    // Everything that earlier tests made due has been read.
    const rests = async () => expect((await due()) - Date.now()).toBeGreaterThan(10 * MINUTE)
    await soon(rests)
    const dueBefore = await due()
    const event = { type: 'charge.dispute.created', data: { object: { id: 'du_1' } } }
    expect((await send(live, event, 'whsec_another_one_entirely')).status).toBe(403)
    expect(await due()).toEqual(dueBefore)
  })
})

it('each connected account has its own feed, whose failure does not affect the others', async () => {
  await using live = await openLiveService({ queues: QUEUES }, { accounts: ['acct_a', 'acct_b'] })
  const { world } = live.service
  const [own, other] = [live.merchant, await live.service.merchant('live')]
  const connect = 'UPDATE account SET gateway_account = $2 WHERE id = $1'
  await world.db.query(connect, [own.accountId, 'acct_a'])
  await world.db.query(connect, [other.accountId, 'acct_b'])
  await readNews(live)
  const charge = await paid(live)
  live.stripe.openDispute(`${charge.auth_id}`)
  live.stripe.revokeAccess('acct_b')
  await readNews(live)
  expect(await listed(live, '/dispute')).toMatchObject([{ transaction_id: charge.id }])
  expect((await feeds(live)).map(({ place }) => place)).toEqual(['acct_a', 'acct_b'])
  expect(await findingsOf(checkGatewayNews, world)).toEqual([])
  const behind = `
    UPDATE gateway_feed SET read_through = read_through - interval '3 hours', read_at = NULL`
  await world.db.query(behind)
  await readNews(live)
  expect(await findingsOf(checkGatewayNews, world)).toEqual([
    {
      subject: 'disputes and payouts',
      state: 'fault',
      says: 'of account acct_b not read for 3 hours',
      remedy: expect.stringContaining('the key may lack access'),
    },
  ])
})

it('an account of Stripe that was a team’s for a moment has its news read', async () => {
  await using live = await openLiveService({ queues: QUEUES }, { accounts: ['acct_a', 'acct_b'] })
  const { world } = live.service
  const { teamId } = live.merchant
  // Mistyped, and corrected at once.
  await setTeam(world, teamId, ['live_stripe_account=acct_zzz'])
  await setTeam(world, teamId, ['live_stripe_account=acct_a'])
  const charge = await paid(live)
  await setTeam(world, teamId, ['live_stripe_account=acct_b'])
  await readNews(live)
  expect((await feeds(live)).map(({ place }) => place)).toEqual(['acct_a', 'acct_b'])
  live.stripe.openDispute(`${charge.auth_id}`)
  await readNews(live)
  expect(await listed(live, '/dispute')).toMatchObject([{ transaction_id: charge.id }])
})

it("a connected account that names another team's payment gets nothing written there", async () => {
  await using live = await openLiveService({ queues: QUEUES }, { accounts: ['acct_a'] })
  const { world } = live.service
  await readNews(live)
  const charge = await paid(live)
  const thief = await live.service.merchant('live')
  await world.db.query('UPDATE account SET gateway_account = $2 WHERE id = $1', [
    thief.accountId,
    'acct_a',
  ])
  const forged = await fetch(`${live.stripe.url}/v1/payment_intents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${live.stripe.secretKey}`,
      'stripe-account': 'acct_a',
      'stripe-version': '2025-01-01',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      amount: '2000',
      currency: 'usd',
      confirm: 'true',
      payment_method: 'pm_card_visa',
      'automatic_payment_methods[enabled]': 'true',
      'automatic_payment_methods[allow_redirects]': 'never',
      'metadata[lamplighter_id]': `${charge.id}`,
      'metadata[lamplighter_account]': live.merchant.accountId,
    }),
  })
  const intent = (await forged.json()) as { id: string; status: string }
  expect(intent.status).toBe('succeeded')
  const dispute = live.stripe.openDispute(intent.id)
  await readNews(live)
  const asked = live.stripe.requests.map(({ path }) => path)
  expect(asked).toContain(`/v1/disputes/${dispute.id}`)
  expect(await listed(live, '/dispute')).toEqual([])
})

it('news of a payment that is not in the database is an error in the log, and counted', async () => {
  const log: string[] = []
  const written = { write: (line: string) => void log.push(line) }
  await using live = await openLiveService({ queues: QUEUES, log: written })
  const { world } = live.service
  await readNews(live)
  const pay = (metadata: Record<string, string>) =>
    clientOf(live.stripe).paymentIntents.create({ ...PAYMENT, metadata })
  const id = world.newId()
  const ours = { lamplighter_id: id, lamplighter_account: live.merchant.accountId }
  const { id: gatewayId } = live.stripe.openDispute((await pay(ours)).id)
  live.stripe.openDispute((await pay({})).id)
  await readNews(live)
  const errors = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
  expect(errors).toMatchObject([
    {
      kind: 'dispute',
      gatewayId,
      id,
      msg: 'one news of a gateway is not written: no payment has its ids',
    },
  ])
  const counted = await world.metrics.registry.getSingleMetricAsString(
    'lamplighter_gateway_news_lost_total',
  )
  expect(counted).toMatch(/\{gateway="stripe",kind="dispute"\} 1$/m)
  expect(await listed(live, '/dispute')).toEqual([])
})

it('news that was too early for ten days is given up with an error in the log', async () => {
  const log: string[] = []
  const written = { write: (line: string) => void log.push(line) }
  const clock = movableClock()
  await using live = await openLiveService({ queues: ['charge'], log: written, clock })
  await readNews(live)
  const method = await live.method('pm_usBankAccount_dispute')
  await live.post('/charge', { total: 8, payment_method_id: method })
  await live.stripe.advance(5 * DAY)
  clock.move(5 * DAY)
  const givenUp = 'a payment of it has no outcome after ten days'
  for (const days of [0, 8]) {
    clock.move(days * DAY)
    await readNews(live)
    expect(log.join('')).not.toContain(givenUp)
    // All of it could be read.
    expect(await findingsOf(checkGatewayNews, live.service.world)).toEqual([])
  }
  clock.move(DAY + 20 * MINUTE)
  await readNews(live)
  expect(log.join('')).toContain(givenUp)
  // It is read no more.
  const before = log.length
  await readNews(live)
  expect(log.slice(before).join('')).not.toContain(givenUp)
  // Nothing else is waited for.
  const [feed] = await feeds(live)
  expect(clock.now().getTime() - feed?.read_through.getTime()).toBeLessThan(MINUTE)
})

it('many objects of one kind that cannot be read keep no news of another kind away', async () => {
  const log: string[] = []
  const written = { write: (line: string) => void log.push(line) }
  const clock = movableClock()
  await using live = await openLiveService({ queues: QUEUES, log: written, clock })
  const pass = async (ms: number) => {
    clock.move(ms)
    await live.stripe.advance(ms)
  }
  await readNews(live)
  const charge = await paid(live)
  for (let day = 0; day < 12; day += 1) {
    await paid(live)
    await pass(2_000)
    live.stripe.payOut({ arrivesAfterMs: 0 })
  }
  const payouts = /^\/v1\/payouts\//
  live.stripe.fault(({ path }) => (payouts.test(path) ? { kind: 'wrong form' } : undefined))
  live.stripe.openDispute(`${charge.auth_id}`)
  const asked = live.stripe.requests.length
  await readNews(live)
  expect(await listed(live, '/dispute')).toMatchObject([{ transaction_id: charge.id }])
  const askedFor = live.stripe.requests.slice(asked).filter(({ path }) => payouts.test(path))
  expect(askedFor).toHaveLength(10)
  // They are asked for until they are ten days old, and then reported as lost.
  await pass(9 * DAY)
  await readNews(live)
  const lost = 'it could not be read for ten days'
  expect(log.join('')).not.toContain(lost)
  await pass(2 * DAY)
  const late = await paid(live)
  live.stripe.payOut({ arrivesAfterMs: 0 })
  await readNews(live)
  expect(log.filter((line) => line.includes(lost))).toHaveLength(12)
  live.stripe.fault()
  live.stripe.openDispute(`${late.auth_id}`)
  const before = live.stripe.requests.length
  await readNews(live)
  const again = live.stripe.requests.slice(before).filter(({ path }) => payouts.test(path))
  expect(again).toHaveLength(1)
  expect(await listed(live, '/dispute')).toHaveLength(2)
})

/** Asks now, as the hourly question about a long payment does. */
async function askNow({ service: { world } }: LiveService, id: string): Promise<void> {
  const due = 'UPDATE transaction SET due_at = $2 WHERE id = $1 RETURNING account_id, request_id'
  const [row] = await world.db.query(due, [id, world.clock.now()])
  const item = { accountId: row?.account_id, id, requestId: row?.request_id }
  world.queues.nudge('doubt', item)
}

async function feeds({ service: { world } }: LiveService) {
  return world.db.query('SELECT place, read_through FROM gateway_feed ORDER BY place')
}

function send(live: LiveService, event: object, secret = live.stripe.webhookSecret) {
  const body = { id: 'evt_1', object: 'event', ...event }
  const signature = stripeSignature(JSON.stringify(body), secret, new Date())
  return call(live.service.app, 'POST', PATH, { 'stripe-signature': signature }, body)
}
