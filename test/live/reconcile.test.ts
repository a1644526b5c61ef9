// The open batch of a live account is compared with Stripe's ledger, and the differences are shown.

import { describe, expect, it } from 'vitest'
import { reconcile } from '../../src/settlement/reconcile.ts'
import { readNews } from './feed.ts'
import { openLiveService } from './live-service.ts'

describe('the batch of a live account', () => {
  it('is compared with the payments, captures and voids at Stripe', async () => {
    await using live = await openLiveService()
    const { world } = live.service
    const { accountId } = live.merchant
    const card = await live.method('pm_card_visa')
    const charge = async (more: object) =>
      (await live.post('/charge', { payment_method_id: card, ...more })).body

    const paid = await charge({ total: 10 })
    const voided = await charge({ total: 20 })
    await live.post(`/transaction/${voided.id}/void`)
    const held = await charge({ total: 30, pre_auth: true })
    await live.post(`/transaction/${held.id}/capture`, { total: 25 })
    const failing = await live.method('pm_card_chargeCustomerFail')
    await charge({ total: 40, payment_method_id: failing })

    const { businessDate } = await world.db.prisma.batch.findFirstOrThrow({ where: { accountId } })
    const date = businessDate.toISOString().slice(0, 10)
    const [agreed] = await reconcile(world, date, accountId)
    expect(agreed).toMatchObject({
      ours: { count: 2, sales: 35_00n, refunds: 0n },
      gateways: { count: 2, sales: 35_00n, refunds: 0n },
      differences: [],
    })

    // As a control, a payment under another name at Stripe is noticed.
    const renamed = { where: { id: paid.id }, data: { authId: held.auth_id } }
    await world.db.prisma.transaction.updateMany(renamed)
    const [differs] = await reconcile(world, date, accountId)
    expect(differs?.differences).toMatchObject([{ id: paid.id }])
  })

  it('is read from lists, not payment by payment, and shows later changes', async () => {
    await using live = await openLiveService({ queues: ['charge', 'refund', 'doubt'] })
    const { world } = live.service
    const { accountId } = live.merchant
    await readNews(live)
    const card = await live.method('pm_card_visa')
    const made = await Promise.all(
      Array.from({ length: 30 }, () => live.post('/charge', { total: 5, payment_method_id: card })),
    )
    const paid = await Promise.all(made.map(({ body }) => live.outcome(body.id)))
    live.stripe.openDispute(`${paid[0]?.auth_id}`)
    await readNews(live)

    const { businessDate } = await world.db.prisma.batch.findFirstOrThrow({ where: { accountId } })
    const before = live.stripe.requests.length
    const [agreed] = await reconcile(world, businessDate.toISOString().slice(0, 10), accountId)
    expect(agreed).toMatchObject({
      ours: { count: 30 },
      gateways: { count: 30 },
      differences: [],
      afterwards: [{ id: paid[0]?.id, what: 'a dispute of 5: needs response' }],
    })
    expect(live.stripe.requests.length - before).toBeLessThan(10)
  })
})
