// Holds that end at Checkout.com without us: the pre_auth shows it, once.

import { expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { movableClock } from '../support/end-windows.ts'
import { type CheckoutService, openCheckoutService } from './checkout-service.ts'
import { feedEventsOf, readNews } from './feed.ts'

async function open() {
  const clock = movableClock()
  const live = await openCheckoutService({ queues: ['charge', 'refund', 'doubt'], clock })
  await readNews(live)
  const passDays = async (days: number) => {
    clock.move(days * DAY)
    await live.checkout.advance(days * DAY)
    await readNews(live)
  }
  return { live, passDays }
}

async function hold(live: CheckoutService) {
  const made = await live.charge(await live.card(), { pre_auth: true })
  expect(made).toMatchObject({ status: 'SUCCESS', hold_ended_at: null })
  return made
}

const read = async (live: CheckoutService, id: unknown) =>
  (await live.get(`/transaction/${id}`)).body

it('a hold that lapses is written to its pre_auth, once, and no follow-up is possible any more', async () => {
  const { live, passDays } = await open()
  await using _ = live
  const { auth_id, id } = await hold(live)
  live.checkout.lapse(`${auth_id}`)
  await passDays(6)
  await passDays(1)
  const after = await read(live, id)
  expect(after).toMatchObject({ status: 'SUCCESS', is_voided: false, is_voidable: false })
  expect(after.hold_ended_at).toBe(after.updated_at)
  const events = (await feedEventsOf(live, 'update_transaction')).map(({ data }) => data)
  expect(events.filter((one) => one.id === id && one.hold_ended_at !== null)).toEqual([after])
  for (const operation of ['capture', 'void']) {
    const refused = await live.post(`/transaction/${id}/${operation}`)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('the hold of the transaction has ended')
  }
})

it('a hold that is void or captured at Checkout.com, not by us, has ended as well', async () => {
  const { live, passDays } = await open()
  await using _ = live
  const [voided, captured] = [await hold(live), await hold(live)]
  const inDashboard = (id: unknown, what: string) =>
    fetch(`${live.checkout.url}/payments/${id}/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${live.checkout.secretKey}` },
    })
  await inDashboard(voided.auth_id, 'voids')
  await inDashboard(captured.auth_id, 'captures')
  await passDays(6)
  for (const { id } of [voided, captured]) {
    const after = await read(live, id)
    expect(after).toMatchObject({ is_voidable: false, hold_ended_at: after.updated_at })
  }
})

it('a hold that has ended with a capture that nobody decides is written after ten days', async () => {
  const { live, passDays } = await open()
  await using _ = live
  const { auth_id, id } = await hold(live)
  live.checkout.fault(({ path }) =>
    path.endsWith('/captures') ? { kind: 'cut', isExecuted: false } : undefined,
  )
  await live.post(`/transaction/${id}/capture`)
  const { accountId } = live.merchant
  const where = { accountId, referenceId: `${id}`, type: 'capture' } as const
  const data = { dueAt: null, parkedAt: new Date(), deadlineAt: new Date() }
  const { prisma } = live.service.world.db
  expect(await prisma.transaction.updateMany({ where, data })).toEqual({ count: 1 })
  live.checkout.lapse(`${auth_id}`)
  await passDays(14)
  expect(await read(live, id)).toMatchObject({ hold_ended_at: null })
  await passDays(2)
  expect(await read(live, id)).toMatchObject({ hold_ended_at: expect.any(String) })
})

it('a hold that lasts, or that we have ended, stays as it is, and is asked about only while it lasts', async () => {
  const { live, passDays } = await open()
  await using _ = live
  const [lasting, voided, captured] = [await hold(live), await hold(live), await hold(live)]
  await live.post(`/transaction/${voided.id}/void`)
  await live.followUp(captured.id, 'capture', 12.34)
  const all = () => Promise.all([lasting, voided, captured].map(({ id }) => read(live, id)))
  const before = await all()
  const asked = () =>
    live.checkout.requests.filter(({ path }) => path === `/payments/${lasting.auth_id}`).length
  await passDays(4)
  expect(asked()).toBe(0)
  const requests = live.checkout.requests.length
  await passDays(2)
  expect(asked()).toBe(1)
  const later = live.checkout.requests.slice(requests).map(({ path }) => path)
  expect(later.toSorted()).toEqual(['/disputes', `/payments/${lasting.auth_id}`])
  expect(await all()).toEqual(before)
})
