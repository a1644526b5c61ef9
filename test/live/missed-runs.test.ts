// A live schedule that has missed many runs makes them one after the other, and does not try a
// declined card once for each.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, SECOND } from '../../src/core/time-units.ts'
import type { DeclineReason } from '../stripe/stand-in/test-methods.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const MISSED = 5

describe('a live schedule that has missed five runs', () => {
  let live: LiveService
  let offsetMs = 0

  beforeAll(async () => {
    live = await openLiveService({ clock: { now: () => new Date(Date.now() + offsetMs) } })
  })
  afterAll(() => live[Symbol.asyncDispose]())

  /** Stripe's id of a card that is declined like this. */
  async function declineCard(id: string, reason?: DeclineReason): Promise<void> {
    const row = await live.service.world.db.prisma.paymentMethod.findFirst({ where: { id } })
    live.stripe.declineCard(row?.gatewayToken?.split(':').at(-1) ?? '', reason)
  }

  async function daily(card: string): Promise<string> {
    const { body: method } = await live.get(`/payment-method/${card}`)
    const made = await live.post('/invoice/schedule', {
      total: 12.5,
      rule: 'FREQ=DAILY',
      start: new Date(Date.now() + offsetMs + DAY / 2).toISOString(),
      customer_id: method.customer_id,
      payment_method_id: card,
    })
    expect(made.status, made.text).toBe(200)
    return made.body.id
  }

  /** Time passes here and at Stripe, in one step, as if no worker had run. */
  async function pass(ms: number): Promise<void> {
    offsetMs += ms
    await live.stripe.advance(ms)
  }

  /** Time here passes faster than Stripe answers, so it must stand still while Stripe is asked. */
  async function isAsking(): Promise<boolean> {
    const { prisma } = live.service.world.db
    const waiting = await prisma.transaction.findMany({ where: { status: 'PENDING' } })
    // The first of a round needs no wait.
    if (waiting.length === MISSED) return true
    const now = Date.now() + offsetMs
    return waiting.some(({ owed, dueAt }) => owed === 'doubt' || Number(dueAt) <= now)
  }

  /** Looks again and again, while a few seconds pass each time. */
  async function settled(schedule: string, most: number) {
    const payments = async () => {
      const query = `schedule_id=${schedule}&sort=created_at&order=ASC`
      return (await live.get(`/transaction?${query}`)).body.data
    }
    for (let looks = 0; looks < 120; looks += 1) {
      await live.service.world.queues.ensureRound('schedules')
      await live.service.world.queues.ensureRound('sweep')
      const found = await payments()
      const isDecided = found.every(({ status }: { status: string }) => status !== 'PENDING')
      if (found.length >= most && isDecided) return found
      if (!(await isAsking())) await pass(2 * SECOND)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`not settled: ${JSON.stringify(await payments())}`)
  }

  const triesAtStripe = (payments: readonly { readonly id: string }[]) =>
    live.stripe.requests
      .filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
      .filter(({ idempotencyKey = '' }) => payments.some(({ id }) => idempotencyKey.includes(id)))

  it('tries a declined card once, and once again a day later', async () => {
    const card = await live.method('pm_card_visa')
    await declineCard(card, 'insufficient_funds')
    const schedule = await daily(card)
    await pass(MISSED * DAY)
    const payments = await settled(schedule, MISSED)
    expect(payments).toHaveLength(MISSED)
    for (const one of payments) {
      expect(one).toMatchObject({ status: 'FAILED', decline_code: 'insufficient_funds' })
    }
    expect(triesAtStripe(payments)).toHaveLength(1)

    // The card has money again: every invoice is retried, and paid.
    await live.put(`/invoice/schedule/${schedule}`, { status: 'paused' })
    await declineCard(card)
    await pass(DAY)
    const all = await settled(schedule, 2 * MISSED)
    const isPaid = ({ status }: { status: string }) => status === 'SUCCESS'
    expect(all.filter(isPaid)).toHaveLength(MISSED)
    expect(triesAtStripe(all)).toHaveLength(1 + MISSED)
  })

  it('never tries the others if the bank says never', async () => {
    const card = await live.method('pm_card_visa')
    await declineCard(card, 'stolen_card')
    const schedule = await daily(card)
    await pass(MISSED * DAY)
    const payments = await settled(schedule, MISSED)
    for (const one of payments) expect(one).toMatchObject({ status: 'FAILED', retry: 'never' })
    expect(triesAtStripe(payments)).toHaveLength(1)
    const { body } = await live.get(`/invoice?schedule_id=${schedule}`)
    for (const one of body.data) {
      expect(one).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
    }
  })

  it('charges a good card for each of them', async () => {
    const schedule = await daily(await live.method('pm_card_visa'))
    await pass(MISSED * DAY)
    const payments = await settled(schedule, MISSED)
    for (const one of payments) expect(one).toMatchObject({ status: 'SUCCESS' })
    expect(triesAtStripe(payments)).toHaveLength(MISSED)
  })
})
