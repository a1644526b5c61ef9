// Holds that lapse at Stripe: the pre_auth shows it, once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { soon } from '../support/soon.ts'
import { feedEventsOf, readNews } from './feed.ts'
import { type LiveService, openLiveService } from './live-service.ts'

describe('a hold at Stripe', () => {
  let live: LiveService
  let offsetMs = 0

  beforeAll(async () => {
    live = await openLiveService({
      queues: ['charge', 'refund', 'doubt'],
      clock: { now: () => new Date(Date.now() + offsetMs) },
    })
    await readNews(live)
  })
  afterAll(() => live[Symbol.asyncDispose]())

  async function hold(): Promise<Record<string, string>> {
    const payment_method_id = await soon(() => live.method('pm_card_visa'))
    const { body } = await live.post('/charge', { total: 20, payment_method_id, pre_auth: true })
    const made = await live.outcome(body.id)
    expect(made).toMatchObject({ status: 'SUCCESS', hold_ended_at: null })
    return made as Record<string, string>
  }

  async function passDays(days: number): Promise<void> {
    offsetMs += days * DAY
    await live.stripe.advance(days * DAY)
    await readNews(live)
  }

  const transactionOf = async (id: string | undefined) =>
    (await live.get(`/transaction/${id}`)).body

  const updatesOf = async (id: string | undefined) =>
    (await feedEventsOf(live, 'update_transaction')).filter(({ data }) => data.id === id)

  it('that lapses is written to its pre_auth, once, and no follow-up is possible any more', async () => {
    const { id } = await hold()
    await passDays(8)
    await readNews(live)
    // Its charge does not tell: since 2025-03-31.basil it does not count as refunded.
    const asked = live.stripe.requests.map(({ path }) => path)
    expect(asked.filter((path) => path.startsWith('/v1/charges/'))).toEqual([])
    const after = await transactionOf(id)
    expect(after).toMatchObject({ status: 'SUCCESS', is_voided: false, is_voidable: false })
    expect(after.hold_ended_at).toBe(after.updated_at)
    expect((await updatesOf(id)).map(({ data }) => data)).toEqual([after])
    for (const operation of ['capture', 'void']) {
      const refused = await live.post(`/transaction/${id}/${operation}`)
      expect(refused.status).toBe(409)
      expect(refused.text).toContain('the hold of the transaction has ended')
    }
  })

  it('that a person cancels at Stripe has ended as well', async () => {
    const { id, auth_id } = await hold()
    const answer = await fetch(`${live.stripe.url}/v1/payment_intents/${auth_id}/cancel`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${live.stripe.secretKey}:`)}` },
    })
    expect(answer.status).toBe(200)
    await readNews(live)
    const after = await transactionOf(id)
    expect(after).toMatchObject({ is_voidable: false, hold_ended_at: after.updated_at })
  })

  it('with a capture that nobody decides is written after ten days, and not forgotten', async () => {
    const { id } = await hold()
    const { accountId } = live.merchant
    const isCapture = ({ path }: { path: string }) => path.endsWith('/capture')
    live.stripe.fault((request) =>
      isCapture(request) ? { kind: 'cut', isExecuted: false } : undefined,
    )
    await live.post(`/transaction/${id}/capture`)
    const { prisma } = live.service.world.db
    const data = { dueAt: null, parkedAt: new Date(), deadlineAt: new Date() }
    const where = { accountId, referenceId: `${id}`, type: 'capture' } as const
    expect(await prisma.transaction.updateMany({ where, data })).toEqual({ count: 1 })
    await passDays(8)
    expect((await transactionOf(id)).hold_ended_at).toBeNull()
    await passDays(9)
    expect((await transactionOf(id)).hold_ended_at).not.toBeNull()
    const told = (await updatesOf(id)).filter(({ data }) => data.hold_ended_at !== null)
    expect(told).toHaveLength(1)
    live.stripe.fault()
  })

  it('that was voided or captured does not lapse', async () => {
    const [voided, captured] = [await hold(), await hold()]
    await live.post(`/transaction/${voided.id}/void`)
    await live.post(`/transaction/${captured.id}/capture`)
    const before = [await transactionOf(voided.id), await transactionOf(captured.id)]
    await passDays(8)
    expect([await transactionOf(voided.id), await transactionOf(captured.id)]).toEqual(before)
    expect(before[0].hold_ended_at).toBeNull()
  })
})
