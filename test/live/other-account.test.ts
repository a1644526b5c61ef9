// The keys of another Stripe account, set by mistake or on purpose. It has none of our payments,
// which must not look as if they had never been made.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLog } from '../../src/log.ts'
import { makeCharge, makeRefund, resolveDoubt } from '../../src/payments/make/make-payment.ts'
import { openWorld, type World } from '../../src/world.ts'
import { openStripe, type StripeStandIn } from '../stripe/stand-in/open.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { call } from '../support/test-service.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const NEVER = new AbortController().signal
const AT_ONCE = { prefer: 'respond-async' }

describe('with the keys of another Stripe account', () => {
  let live: LiveService
  let other: StripeStandIn
  let log: string[]
  const worlds: World[] = []

  beforeEach(async () => {
    live = await openLiveService({ queues: [] })
    other = await openStripe({ platformId: 'acct_other' })
    log = []
  })
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close()
    await live[Symbol.asyncDispose]()
    await other[Symbol.asyncDispose]()
  })

  /** A process that starts with the keys of that stand-in. */
  function started({ secretKey, publishableKey, url }: StripeStandIn): World {
    const { config, clock, timings } = live.service.world
    const { stripe } = config
    if (stripe === undefined) throw new Error('it has no live gateway')
    const world = openWorld({
      config: { ...config, stripe: { ...stripe, secretKey, publishableKey, apiUrl: url } },
      databaseUrl: live.service.databaseUrl,
      log: openLog('info', { write: (line: string) => void log.push(line) }),
      clock,
      timings,
    })
    worlds.push(world)
    return world
  }

  async function accepted(path: string, body: object): Promise<string> {
    const { merchant, service } = live
    const headers = { ...merchant.headers, ...AT_ONCE }
    const answer = await call(service.app, 'POST', path, headers, body)
    expect(`${answer.status} ${answer.text}`).toMatch(/^202 /)
    return answer.body.id
  }

  const keyOf = (id: string) => ({ accountId: live.merchant.accountId, id })

  async function rowOf(id: string) {
    const [row] = await live.service.world.db.query('SELECT * FROM transaction WHERE id = $1', [id])
    return row ?? {}
  }

  /** Stripe carries it out, and then nothing reaches it or comes back. */
  async function sentAndLost(): Promise<string> {
    const id = await accepted('/charge', {
      total: 17.01,
      payment_method_id: await live.method('pm_card_visa'),
    })
    live.stripe.fault(({ method, path }) => ({
      kind: 'cut',
      isExecuted: method === 'POST' && path === '/v1/payment_intents',
    }))
    await makeCharge(live.service.world, keyOf(id), NEVER)
    live.stripe.fault()
    expect(await rowOf(id)).toMatchObject({ status: 'PENDING', owed: 'doubt' })
    return id
  }

  async function asked(world: World, id: string): Promise<void> {
    await world.db.query('UPDATE transaction SET due_at = $2, parked_at = NULL WHERE id = $1', [
      id,
      world.clock.now(),
    ])
    await resolveDoubt(world, keyOf(id), NEVER)
  }

  it.each([
    ['before', false],
    ['after', true],
  ])('a payment waits for the account it was sent to, %s its deadline', async (_, isOver) => {
    const id = await sentAndLost()
    if (isOver) {
      await live.service.world.db.query(
        "UPDATE transaction SET deadline_at = now() - interval '1 minute' WHERE id = $1",
        [id],
      )
    }
    const wrong = started(other)
    await asked(wrong, id)
    expect(await rowOf(id)).toMatchObject({ status: 'PENDING' })
    expect(log.join('')).toMatch(/keys of Stripe are those of acct_other.*wait for acct_platform/)
    expect(other.ledger()).toEqual([])
    await asked(started(live.stripe), id)
    expect(await rowOf(id)).toMatchObject({ status: 'SUCCESS' })
  })

  it('a new payment waits, too, while another waits for the former account', async () => {
    await sentAndLost()
    const wrong = started(other)
    const method = await live.method('pm_card_visa')
    const id = await accepted('/charge', { total: 3, payment_method_id: method })
    await makeCharge(wrong, keyOf(id), NEVER)
    expect(await rowOf(id)).toMatchObject({ status: 'PENDING', owed: 'charge' })
  })

  it('payments go there once none waits, and follow-ups of former ones say why they fail', async () => {
    const method = await live.method('pm_card_visa')
    const charge = await accepted('/charge', { total: 3, payment_method_id: method })
    await makeCharge(live.service.world, keyOf(charge), NEVER)
    await takeIntoBatch(live.service, [charge])
    const moved = started(other)
    await accepted(`/transaction/${charge}/refund`, { total: 1 })
    const [{ id: refund } = {}] = await moved.db.query(
      'SELECT id FROM transaction WHERE reference_id = $1',
      [charge],
    )
    await makeRefund(moved, keyOf(refund), NEVER)
    expect(await rowOf(refund)).toMatchObject({
      status: 'FAILED',
      message: 'The gateway does not know what it refers to',
    })
    expect(log.join('')).not.toContain('keys of Stripe')
    const [known] = await moved.db.query('SELECT account FROM gateway_account')
    expect(known).toEqual({ account: 'acct_other, test mode' })
  })

  it('a restricted key is asked once whose it is, and its payments are made', async () => {
    const method = await live.method('pm_card_visa')
    const restricted = started(live.stripe)
    live.stripe.fault(({ path }) =>
      path === '/v1/account' ? { kind: 'key refused', status: 403 } : undefined,
    )
    const asked = () => live.stripe.requests.filter(({ path }) => path === '/v1/account').length
    const before = asked()
    for (const total of [3, 4]) {
      const id = await accepted('/charge', { total, payment_method_id: method })
      await makeCharge(restricted, keyOf(id), NEVER)
      expect(await rowOf(id)).toMatchObject({ status: 'SUCCESS' })
    }
    expect(asked() - before).toBe(1)
  })

  it('a command that reads does not make the account ours', async () => {
    const method = await live.method('pm_card_visa')
    const charge = await accepted('/charge', { total: 3, payment_method_id: method })
    await makeCharge(live.service.world, keyOf(charge), NEVER)
    const reader = started(other)
    const [row] = await reader.db.query(
      `SELECT m.gateway_token, t.auth_id FROM transaction t
       JOIN payment_method m ON m.id = t.payment_method_id WHERE t.id = $1`,
      [charge],
    )
    const name = {
      key: charge,
      gatewayId: row?.auth_id,
      operation: 'charge',
      token: row?.gateway_token,
    } as const
    const gateway = reader.gateways.named('stripe')
    expect(await gateway.entriesOf(live.merchant.accountId, [name])).toEqual([])
    const [known] = await reader.db.query('SELECT account FROM gateway_account')
    expect(known).toEqual({ account: 'acct_platform, test mode' })
  })
})
