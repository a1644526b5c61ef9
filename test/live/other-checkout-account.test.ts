// The key of another account of Checkout.com. It finds none of our payments, which must not look as
// if they had never been made, nor as if they had failed.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLog } from '../../src/log.ts'
import { makeCharge, makeRefund, resolveDoubt } from '../../src/payments/make/make-payment.ts'
import { openWorld, type World } from '../../src/world.ts'
import { type CheckoutStandIn, openCheckout } from '../checkout/stand-in/open.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { call } from '../support/test-service.ts'
import { type CheckoutService, openCheckoutService } from './checkout-service.ts'

const NEVER = new AbortController().signal
const LATER_MS = 5 * 60_000

describe('with the key of another account of Checkout.com', () => {
  let live: CheckoutService
  let other: CheckoutStandIn
  let log: string[]
  const worlds: World[] = []

  beforeEach(async () => {
    live = await openCheckoutService({ queues: [] })
    other = await openCheckout()
    log = []
  })
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close()
    await live[Symbol.asyncDispose]()
    await other[Symbol.asyncDispose]()
  })

  /** A process that starts with the key of that stand-in, when late orders have arrived. */
  function started({ secretKey, url }: CheckoutStandIn, afterMs = LATER_MS): World {
    const { config, clock, timings } = live.service.world
    const { checkout } = config
    if (checkout === undefined) throw new Error('it has no live gateway')
    const world = openWorld({
      config: { ...config, checkout: { ...checkout, secretKey, apiUrl: url } },
      databaseUrl: live.service.databaseUrl,
      log: openLog('info', { write: (line: string) => void log.push(line) }),
      clock: { ...clock, now: () => new Date(clock.now().getTime() + afterMs) },
      timings,
    })
    worlds.push(world)
    return world
  }

  async function accepted(path: string, body: object): Promise<string> {
    const { merchant, service } = live
    const headers = { ...merchant.headers, prefer: 'respond-async' }
    const answer = await call(service.app, 'POST', path, headers, body)
    expect(`${answer.status} ${answer.text}`).toMatch(/^202 /)
    return answer.body.id
  }

  const keyOf = (id: string) => ({ accountId: live.merchant.accountId, id })

  async function rowOf(id: string) {
    const [row] = await live.service.world.db.query('SELECT * FROM transaction WHERE id = $1', [id])
    return row ?? {}
  }

  /** Checkout.com carries out what is posted, and then nothing reaches it or comes back. */
  function loseAnswers(): void {
    live.checkout.fault(({ method }) => ({ kind: 'cut', isExecuted: method === 'POST' }))
  }

  async function asked(world: World, id: string): Promise<void> {
    const dueAt = [id, world.clock.now()]
    const makeDue = 'UPDATE transaction SET due_at = $2, parked_at = NULL WHERE id = $1'
    await world.db.query(makeDue, dueAt)
    const { owed } = await rowOf(id)
    const make = { charge: makeCharge, refund: makeRefund, doubt: resolveDoubt }[owed as 'doubt']
    await make(world, keyOf(id), NEVER)
  }

  async function decided(world: World, id: string): Promise<void> {
    for (let asks = 0; asks < 4; asks += 1) {
      if ((await rowOf(id)).status !== 'PENDING') break
      await live.checkout.advance(LATER_MS)
      await asked(world, id)
    }
    expect(await rowOf(id)).toMatchObject({ status: 'SUCCESS' })
  }

  async function passDeadline(id: string): Promise<void> {
    await live.service.world.db.query(
      "UPDATE transaction SET deadline_at = now() - interval '1 minute' WHERE id = $1",
      [id],
    )
  }

  async function charge(): Promise<string> {
    return accepted('/charge', { total: 17.01, payment_method_id: await live.card() })
  }

  async function refund(): Promise<string> {
    const paid = await charge()
    await decided(live.service.world, paid)
    await takeIntoBatch(live.service, [paid])
    await accepted(`/transaction/${paid}/refund`, { total: 17.01 })
    const { db } = live.service.world
    const children = 'SELECT id FROM transaction WHERE reference_id = $1'
    return (await db.query(children, [paid]))[0]?.id
  }

  it.each([
    ['charge', 'before', false],
    ['charge', 'after', true],
    ['refund', 'before', false],
    ['refund', 'after', true],
  ])('a %s whose answer was lost waits, %s its deadline', async (type, _, isOver) => {
    const id = type === 'charge' ? await charge() : await refund()
    loseAnswers()
    await asked(live.service.world, id)
    live.checkout.fault()
    expect(await rowOf(id)).toMatchObject({ status: 'PENDING', owed: 'doubt' })
    const made = live.checkout.ledger().length
    if (isOver) await passDeadline(id)
    const wrong = started(other)
    for (let asks = 0; asks < 3; asks += 1) await asked(wrong, id)
    const parkedAt = isOver ? expect.any(Date) : null
    expect(await rowOf(id)).toMatchObject({ status: 'PENDING', owed: 'doubt', parked_at: parkedAt })
    expect(log.join('')).toContain('is of another account than a payment was sent to')
    expect(other.ledger()).toEqual([])
    await decided(started(live.checkout), id)
    expect(live.checkout.ledger()).toHaveLength(made)
  })

  it.each(['charge', 'refund'])('a new %s is not failed, and is made later', async (type) => {
    const id = type === 'charge' ? await charge() : await refund()
    await asked(started(other), id)
    expect(await rowOf(id)).toMatchObject({ status: 'PENDING', owed: 'doubt' })
    await decided(started(live.checkout, 2 * LATER_MS), id)
  })
})
