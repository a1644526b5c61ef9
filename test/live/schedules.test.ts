// Schedules of a live account: each occurrence is an invoice, paid through Stripe without the payer.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../src/core/time-units.ts'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import type { DeclineReason } from '../stripe/stand-in/test-methods.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const ASKED = 'authentication_required'

describe('a schedule of a live account', () => {
  let live: LiveService
  let offsetMs = 0

  beforeAll(async () => {
    const clock = { now: () => new Date(Date.now() + offsetMs) }
    live = await openLiveService({ clock, queues: QUEUE_NAMES })
  })
  afterAll(() => live[Symbol.asyncDispose]())

  /** Time passes here and at Stripe. */
  async function pass(ms: number): Promise<void> {
    offsetMs += ms
    await live.stripe.advance(ms)
    await live.service.world.queues.ensureRound('schedules')
  }

  /** Makes one occurrence that has just fallen due. */
  async function occur(stripeMethod: string, declined?: DeclineReason): Promise<string> {
    const id = await live.method(stripeMethod)
    if (declined !== undefined) live.stripe.declineCard(await stripeMethodOf(id), declined)
    const { body: method } = await live.get(`/payment-method/${id}`)
    const start = new Date(Date.now() + offsetMs + MINUTE).toISOString()
    const made = await live.post('/invoice/schedule', {
      total: 12.5,
      rule: 'FREQ=YEARLY',
      start,
      customer_id: method.customer_id,
      payment_method_id: id,
    })
    expect(made.status, made.text).toBe(200)
    await pass(2 * MINUTE)
    return made.body.id
  }

  /** Starts it again, as the sweep does: a round that is ending does not look again. */
  async function invoiceOf(schedule: string) {
    await live.service.world.queues.ensureRound('schedules')
    return (await live.get(`/invoice?schedule_id=${schedule}`)).body.data[0]
  }

  async function paymentsOf(schedule: string) {
    const query = `schedule_id=${schedule}&sort=created_at&order=ASC`
    return (await live.get(`/transaction?${query}`)).body.data
  }

  const becomes = (schedule: string, status: string) =>
    expect.poll(async () => (await invoiceOf(schedule))?.status).toBe(status)

  const paidAtStripe = (id: string) =>
    live.stripe
      .ledger()
      .filter(({ isPaid, metadata }) => isPaid && metadata.lamplighter_id === id)
      .map(({ amount, kind }) => ({ amount, kind }))
      .filter(({ kind }) => kind === 'payment')

  it('is paid through Stripe while the payer is away', async () => {
    const id = await occur('pm_card_visa')
    await becomes(id, 'PAID')
    const [payment, ...more] = await paymentsOf(id)
    expect(payment).toMatchObject({ status: 'SUCCESS', total: 12.5, method: 'card' })
    expect(more).toEqual([])
    expect(paidAtStripe(payment.id)).toEqual([{ kind: 'payment', amount: 12_50 }])
  })

  it('retries on later days after a decline that Stripe calls temporary', async () => {
    const id = await occur('pm_card_visa', 'insufficient_funds')
    await becomes(id, 'ATTEMPTED')
    const [first] = await paymentsOf(id)
    expect(first).toMatchObject({ decline_code: 'insufficient_funds', retry: 'later' })
    live.stripe.declineCard(await stripeMethodOf(first.payment_method_id))
    await pass(4 * DAY)
    await becomes(id, 'PAID')
    const payments = await paymentsOf(id)
    expect(payments.map(({ status }: { status: string }) => status)).toEqual(['FAILED', 'SUCCESS'])
    expect(paidAtStripe(first.id)).toEqual([])
    expect(paidAtStripe(payments[1].id)).toHaveLength(1)
  })

  it.each([
    ['a stolen card', 'pm_card_visa', 'stolen_card', 'lost_or_stolen_card'],
    ['a bank that asks for the payer', 'pm_card_authenticationRequired', undefined, ASKED],
  ] as const)('does not try %s again', async (_what, method, declined, code) => {
    const id = await occur(method, declined)
    await becomes(id, 'ATTEMPTED')
    await pass(20 * DAY)
    const invoice = await invoiceOf(id)
    expect(invoice).toMatchObject({ status: 'ATTEMPTED', balance_due: 12.5 })
    const payments = await paymentsOf(id)
    expect(payments).toMatchObject([{ status: 'FAILED', decline_code: code, retry: 'never' }])
  })

  it('waits days for a bank debit, and orders no second one meanwhile', async () => {
    const id = await occur('pm_usBankAccount_success')
    // The order is at Stripe: one that begins after these days would be past its deadline.
    const isAtStripe = async () => {
      const [payment] = await paymentsOf(id)
      return live.stripe.ledger().some(({ metadata }) => metadata.lamplighter_id === payment?.id)
    }
    await expect.poll(isAtStripe).toBe(true)
    await pass(3 * DAY)
    expect(await paymentsOf(id)).toMatchObject([{ status: 'PENDING' }])
    await pass(2 * DAY)
    await becomes(id, 'PAID')
    expect(await paymentsOf(id)).toMatchObject([{ status: 'SUCCESS', method: 'bank' }])
  })

  it('is charged once though Stripe was silent at every run', async () => {
    live.stripe.fault(({ method, path }) =>
      method === 'POST' && path === '/v1/payment_intents'
        ? { kind: 'cut', isExecuted: true }
        : undefined,
    )
    const id = await occur('pm_card_visa')
    await becomes(id, 'PAID')
    live.stripe.fault()
    const payments = await paymentsOf(id)
    expect(payments).toMatchObject([{ status: 'SUCCESS' }])
    expect(paidAtStripe(payments[0].id)).toHaveLength(1)
  })

  /** Stripe's id of the payment method. */
  async function stripeMethodOf(id: string): Promise<string> {
    const row = await live.service.world.db.prisma.paymentMethod.findFirst({ where: { id } })
    return row?.gatewayToken?.split(':').at(-1) ?? ''
  }
})
