// The courses that a dispute at Stripe takes over weeks.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { feedEventsOf, readNews } from './feed.ts'
import { type LiveService, openLiveService } from './live-service.ts'

describe('a dispute at Stripe', () => {
  let live: LiveService
  let offsetMs = 0

  beforeAll(async () => {
    live = await openLiveService({
      queues: ['charge', 'refund', 'doubt'],
      clock: { now: () => new Date(Date.now() + offsetMs) },
    })
  })
  afterAll(() => live[Symbol.asyncDispose]())

  async function batched(): Promise<Record<string, unknown>> {
    const payment_method_id = await live.method('pm_card_visa')
    const { body } = await live.post('/charge', { total: 20, payment_method_id })
    const charge = await live.outcome(body.id)
    await takeIntoBatch(live.service, [`${charge.id}`])
    return charge
  }

  async function passDays(days: number): Promise<void> {
    offsetMs += days * DAY
    await live.stripe.advance(days * DAY)
    await readNews(live)
  }

  async function disputeOf({ id }: Record<string, unknown>) {
    const [dispute, ...others] = (await live.get(`/dispute?transaction_id=${id}`)).body.data
    expect(others).toEqual([])
    return dispute
  }

  const statesOf = async (id: string) =>
    (await feedEventsOf(live, 'create_dispute', 'update_dispute'))
      .filter(({ data }) => data.id === id)
      .map(({ data }) => [data.status, data.respond_by !== null])

  it('has nothing to answer once its time is over, though the bank decides later', async () => {
    const charge = await batched()
    const { id: gatewayId } = live.stripe.openDispute(`${charge.auth_id}`)
    await readNews(live)
    const { id } = await disputeOf(charge)
    await passDays(21)
    expect(await disputeOf(charge)).toMatchObject({ respond_by: null, closed_at: null })
    await passDays(40)
    live.stripe.closeDispute(gatewayId, 'lost')
    await readNews(live)
    expect(await statesOf(id)).toEqual([
      ['needs_response', true],
      ['needs_response', false],
      ['lost', false],
    ])
  })

  it('begins as a question of the bank, which is closed, and is opened again as a dispute', async () => {
    const charge = await batched()
    const { id: gatewayId } = live.stripe.openDispute(`${charge.auth_id}`, { isWarning: true })
    await readNews(live)
    const { id } = await disputeOf(charge)
    live.stripe.closeDispute(gatewayId, 'warning_closed')
    await passDays(5)
    live.stripe.escalateDispute(gatewayId)
    await passDays(5)
    expect(await disputeOf(charge)).toMatchObject({ status: 'needs_response', closed_at: null })
    const refund = await live.post(`/transaction/${charge.id}/refund`, { total: 1 })
    expect(refund.text).toContain("the payer's bank has taken back 20.00")
    live.stripe.closeDispute(gatewayId, 'won')
    await passDays(1)
    expect(await statesOf(id)).toEqual([
      ['warning', true],
      ['warning_closed', false],
      ['needs_response', true],
      ['won', false],
    ])
  })

  it('is of a payment that was refunded before', async () => {
    const charge = await batched()
    live.stripe.setBalance(100_00)
    await live.post(`/transaction/${charge.id}/refund`, { total: 15 })
    live.stripe.openDispute(`${charge.auth_id}`)
    await readNews(live)
    expect(await disputeOf(charge)).toMatchObject({ status: 'needs_response', amount: 20 })
    const refund = await live.post(`/transaction/${charge.id}/refund`, { total: 1 })
    expect([refund.status, refund.body.error]).toEqual([409, 'wrong_state'])
    expect((await live.get(`/transaction/${charge.id}`)).body).toMatchObject({
      status: 'SUCCESS',
      total_refunded: 15,
    })
  })
})
