// The end of a business day, run by the service's own workers: at the cutoff they close the day's
// batch and notify its gateway; its money arrives on the next working day.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchView } from '../../src/settlement/batch.ts'
import { reconcile } from '../../src/settlement/reconcile.ts'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import { audit } from '../chaos/audit.ts'
import { type DayEnd, expectEventsAsShown, openDayEnd } from '../support/day-end.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'

const LONG_TEST = { timeout: 90_000 }

describe('a business day', () => {
  let day: DayEnd
  const ids: Record<string, string> = {}
  let batchId: string

  beforeAll(async () => {
    day = await openDayEnd()
  })
  afterAll(() => day.close())

  const batch = async () => (await day.batches()).find(({ id }) => id === batchId)

  it('gathers its successful transactions in one open batch', LONG_TEST, async () => {
    ids.charge = await day.paid({ total: 10 })
    ids.other = await day.paid({ total: 20.5, meta: { order: 7 } })
    ids.preAuth = await day.authorised({ total: 40 })
    await day.ask(ids.preAuth, 'capture', { total: 30 })
    ids.capture = (await day.childOf(ids.preAuth, 'capture')).id
    ids.voided = await day.paid({ total: 99 })
    await day.ask(ids.voided, 'void')
    // A void that the gateway declines leaves the charge as it was, with a child to show.
    ids.notVoided = await day.paid({ total: 5 })
    day.plan = { fault: ({ operation }) => (operation === 'void' ? 'decline' : 'none') }
    expect((await day.ask(ids.notVoided, 'void')).status).toBe(400)
    day.plan = { fault: () => 'none' }
    const declined = await day.service.card(day.merchant, DECLINED_CARD)
    expect((await day.charge({ payment_method_id: declined })).status).toBe(400)

    const [open, ...others] = await day.batches()
    expect(others).toEqual([])
    expect(open).toMatchObject({ status: 'open', count: 0, closedAt: null, depositAt: null })
    batchId = open?.id ?? ''
  })

  it('closes its batch at the cutoff, with the amounts of that moment', LONG_TEST, async () => {
    await day.passCutoff()
    await expect.poll(batch).toMatchObject({ status: 'closed', eventsWritten: 4 })
    const closed = await batch()
    expect(closed).toMatchObject({ count: 4, sales: 65_50n, refunds: 0n, depositedAt: null })
    expect(closed?.closedAt?.getTime()).toBeGreaterThanOrEqual(closed?.cutoffAt.getTime() ?? 0)

    const taken = ['charge', 'other', 'capture', 'notVoided']
    for (const [name, id] of Object.entries(ids)) {
      const { body } = await day.get(id)
      expect([name, body.batch_id]).toEqual([name, taken.includes(name) ? batchId : null])
      if (!taken.includes(name)) continue
      const at = closed?.closedAt?.toISOString()
      expect(body).toMatchObject({ batched_at: at, settled_at: at, is_voidable: false })
      // Settling a transaction changes its batch, and not the transaction itself.
      expect(Date.parse(body.updated_at)).toBeLessThanOrEqual(Date.parse(body.batched_at))
    }
  })

  it('writes one event for its batch, and one for each transaction in it', LONG_TEST, async () => {
    const closed = await batch()
    const shown = closed && JSON.parse(JSON.stringify(batchView(closed)))
    expect(await day.eventsOfBatch(batchId)).toEqual([{ type: 'create_batch', snapshot: shown }])
    expect(shown).toMatchObject({ status: 'closed', count: 4, sales: 65.5, refunds: 0, net: 65.5 })
    await expectEventsAsShown(day, batchId)
    const last = (await day.events(ids.notVoided ?? '')).at(-1)
    expect(last).toMatchObject({ type: 'update_transaction_settled' })
    expect(last?.snapshot.child_transactions).toMatchObject([{ type: 'void', status: 'FAILED' }])
    expect(await audit(day.service.databaseUrl, [])).toEqual([])
  })

  it('agrees with what the gateway has', LONG_TEST, async () => {
    const { accountId } = day.merchant
    const date = (await batch())?.businessDate.toISOString().slice(0, 10) ?? ''
    const [compared, ...others] = await reconcile(day.world, date, accountId)
    expect(others).toEqual([])
    expect(compared?.differences).toEqual([])
    expect(compared?.gateways).toEqual({ count: 4, sales: 65_50n, refunds: 0n })
  })

  it('is paid out on the next working day at nine, with an event', LONG_TEST, async () => {
    const depositAt = (await batch())?.depositAt ?? new Date(0)
    day.moveTo(new Date(depositAt.getTime() - 60_000))
    const scope = { accountId: day.merchant.accountId, now: day.clock.now() }
    expect(await settleAccount(day.world, scope)).toBe(0)
    expect((await day.eventsOfBatch(batchId)).length).toBe(1)
    day.moveTo(depositAt)
    await expect.poll(async () => (await day.eventsOfBatch(batchId)).length).toBe(2)
    expect((await day.eventsOfBatch(batchId))[1]).toEqual({
      type: 'create_deposit',
      snapshot: (await day.eventsOfBatch(batchId))[0]?.snapshot,
    })
    expect(await batch()).toMatchObject({ count: 4, sales: 65_50n, version: 2, dueAt: null })
  })

  it('is followed by a batch with the refunds of its charges', LONG_TEST, async () => {
    const refunded = await day.ask(ids.charge ?? '', 'refund', { total: 4 })
    expect(refunded.status).toBe(200)
    await day.paid({ total: 3 })
    const next = await day.passCutoff()
    await expect
      .poll(async () => (await day.batches()).at(-1))
      .toMatchObject({ id: next.id, eventsWritten: 2 })
    expect((await day.batches()).at(-1)).toMatchObject({ count: 2, sales: 3_00n, refunds: 4_00n })
    expect(await batch()).toMatchObject({ count: 4, sales: 65_50n, refunds: 0n })
    expect(await audit(day.service.databaseUrl, [])).toEqual([])
  })
})
