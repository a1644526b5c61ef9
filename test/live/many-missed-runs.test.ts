// A live schedule that has missed more runs than are made at once: whatever their number, a
// declined card is tried once in all.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../src/core/time-units.ts'
import { makeCharge } from '../../src/payments/make/make-payment.ts'
import { retryDueInvoices } from '../../src/schedules/retry-due-invoices.ts'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const NEVER = new AbortController().signal

const MISSED = 120
/** Three times fifty, each after the last of those before. */
const ROUNDS = 4

describe('a live schedule that has missed 120 runs', { timeout: 120_000 }, () => {
  let live: LiveService
  let offsetMs = 0
  const now = () => new Date(Date.now() + offsetMs)

  beforeAll(async () => {
    live = await openLiveService({ clock: { now }, queues: [] })
  })
  afterAll(() => live[Symbol.asyncDispose]())

  async function pass(ms: number): Promise<void> {
    offsetMs += ms
    await live.stripe.advance(ms)
  }

  const payments = () =>
    live.service.world.db.prisma.transaction.findMany({ orderBy: { dueAt: 'asc' } })

  const tries = () =>
    live.stripe.requests.filter(
      ({ method, path }) => method === 'POST' && path === '/v1/payment_intents',
    ).length

  /** Those that a worker takes at once, or finds a moment later. */
  const first = async () => {
    const soon = Number(now()) + 6_000
    return (await payments()).filter(({ dueAt }) => dueAt !== null && Number(dueAt) < soon)
  }

  /** Makes payments as long as some are due, the one that is due first before the others. */
  async function makeAll(): Promise<void> {
    for (;;) {
      const waiting = (await payments()).filter(({ owed }) => owed === 'charge')
      if (waiting.length === 0) return
      const { accountId, id, dueAt } = waiting[0] ?? {}
      if (dueAt && dueAt > now()) await pass(Number(dueAt) - Number(now()))
      await makeCharge(live.service.world, { accountId: `${accountId}`, id: `${id}` }, NEVER)
    }
  }

  it('has one payment due at once, and the others wait for it', async () => {
    const { world } = live.service
    const card = await live.method('pm_card_visa')
    const { body: method } = await live.get(`/payment-method/${card}`)
    const row = await world.db.prisma.paymentMethod.findFirst({ where: { id: card } })
    live.stripe.declineCard(row?.gatewayToken?.split(':').at(-1) ?? '', 'insufficient_funds')
    const made = await live.post('/invoice/schedule', {
      total: 12.5,
      rule: `FREQ=DAILY;COUNT=${MISSED}`,
      start: new Date(Number(now()) + DAY / 2).toISOString(),
      customer_id: method.customer_id,
      payment_method_id: card,
    })
    expect(made.status, made.text).toBe(200)
    await pass(MISSED * DAY)

    await runDueSchedules(world)
    expect(await first()).toHaveLength(1)
    for (let round = 0; round < ROUNDS; round += 1) {
      await makeAll()
      await pass(MINUTE)
      await runDueSchedules(world)
    }
    const all = await payments()
    expect(all).toHaveLength(MISSED)
    for (const one of all) {
      expect(one).toMatchObject({ status: 'FAILED', declineCode: 'insufficient_funds' })
    }
    expect(tries()).toBe(1)
  })

  it('has them retried a day later with one try in all', async () => {
    const { world } = live.service
    const before = tries()
    await pass(2 * DAY)
    await retryDueInvoices(world)
    expect(await first()).toHaveLength(1)
    for (let round = 0; round < ROUNDS; round += 1) {
      await makeAll()
      await pass(MINUTE)
      await retryDueInvoices(world)
    }
    expect(await payments()).toHaveLength(2 * MISSED)
    expect(tries() - before).toBe(1)
  })
})
