// A refund that waits at Stripe for longer than ten days: a person is told, Stripe is asked once a
// day, and nobody can record that it was never made.

import { expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { decidePayment } from '../../src/operators/decide-payment.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const ADA = { name: 'Ada', address: '::1' }

it('is asked about each day without a webhook, and cannot be recorded as never made', async () => {
  let offsetMs = 0
  await using live = await openLiveService({
    clock: { now: () => new Date(Date.now() + offsetMs) },
    queues: ['charge', 'refund', 'doubt', 'sweep'],
    settings: { STRIPE_WEBHOOK_SECRET: '' },
  })
  const { world } = live.service
  const pass = async (ms: number) => {
    offsetMs += ms
    await live.stripe.advance(ms)
  }
  const id = await refundAboveBalance(live)
  const key = { accountId: live.merchant.accountId, id }
  const row = () => world.db.prisma.transaction.findFirst({ where: key })
  const becomesParked = () =>
    expect
      .poll(async () => {
        await world.queues.ensureRound('sweep')
        return (await row())?.parkedAt ?? null
      })
      .not.toBeNull()

  await expect.poll(async () => (await row())?.authId).toMatch(/^re_/)
  await pass(11 * DAY)
  await becomesParked()

  const never = { made: false, evenIfUnsaid: true } as const
  await expect(decidePayment(world, ADA, key, never, 'it took too long')).rejects.toThrow(
    'the gateway has it, and has not decided it yet, so money may still move',
  )
  expect(await row()).toMatchObject({ status: 'PENDING', parkedAt: expect.any(Date) })

  live.stripe.setBalance(20_00)
  await world.queues.ensureRound('sweep')
  expect(await row()).toMatchObject({ status: 'PENDING' })
  await pass(DAY)
  await expect
    .poll(async () => {
      await world.queues.ensureRound('sweep')
      return (await row())?.status
    })
    .toBe('SUCCESS')
})

/** The void of a captured charge, which is a refund at Stripe: its id. */
async function refundAboveBalance(live: LiveService): Promise<string> {
  const payment_method_id = await live.method('pm_card_visa')
  const { body } = await live.post('/charge', { total: 20, payment_method_id })
  const { id } = await live.outcome(body.id)
  live.stripe.setBalance(19_99)
  const voided = await live.post(`/transaction/${id}/void`)
  return voided.body.child_transactions.at(-1).id
}
