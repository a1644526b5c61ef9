// A void, a refund or a capture whose gateway takes longer than its caller waits, or whose caller
// prefers not to wait.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../support/faulty-gateway.ts'
import { type FaultySetup, openFaultySetup } from '../support/faulty-setup.ts'
import { BESIDE, DONE, FOLLOW_UPS, HELD, outcomeOf, ready, stateOf } from '../support/follow-ups.ts'
import { booked, type PaymentsApi, paymentsApiOf } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import type { Answer } from '../support/test-service.ts'

const ASYNC = { prefer: 'respond-async' }

describe.each(FOLLOW_UPS)('a %s that takes longer than the wait', (operation) => {
  let setup: FaultySetup
  let api: PaymentsApi

  beforeAll(async () => {
    setup = await openFaultySetup({ settings: { CHARGE_WAIT_MS: '100ms' } })
    api = paymentsApiOf(setup.service, setup.merchant, setup.card)
  })
  afterAll(() => setup.service.close())

  const slowly = async () => {
    setup.plan = { fault: () => 'none' }
    const id = await ready(api, operation)
    setup.plan = { fault: (call) => (call.operation === operation ? 'slow' : 'none'), slowMs: 600 }
    return id
  }

  it('is answered 200 with the child PENDING, as GET answers it, and goes on', async () => {
    const id = await slowly()
    const first = await api.ask(id, operation)
    expect([first.status, stateOf(first.body)]).toEqual([200, HELD[operation]])
    const pending = await api.childOf(id, operation)
    expect(pending).toMatchObject({ status: 'PENDING', success: null, total: 10 })
    expect((await api.get(id)).body).toEqual(first.body)

    expect(await outcomeOf(api, id, operation)).toMatchObject({ status: 'SUCCESS' })
    const last = await api.get(id)
    expect(stateOf(last.body)).toEqual(DONE[operation])
    expect(await booked(api.service, id)).toEqual([`${operation} 1000 approved`])
    await expectStory(id, first, last)
  })

  it('is answered 202 at once if the caller prefers it', async () => {
    const id = await slowly()
    const first = await api.ask(id, operation, {}, ASYNC)
    expect([first.status, first.body.id, stateOf(first.body)]).toEqual([202, id, HELD[operation]])
    const pending = await api.childOf(id, operation)
    expect(first.headers.location).toBe(`/transaction/${pending.id}`)
    expect(pending.status).toBe('PENDING')
    await outcomeOf(api, id, operation)
    const last = await api.get(id)
    expect(stateOf(last.body)).toEqual(DONE[operation])
    await expectStory(id, first, last)
  })

  it('leaves nothing for a second one of the whole amount', async () => {
    const id = await slowly()
    await api.ask(id, operation, {}, ASYNC)
    expectRefusal(await api.ask(id, operation), 409, BESIDE[operation])
    await outcomeOf(api, id, operation)
    expect((await api.related(id)).body).toHaveLength(1)
  })

  /** The child's events: made PENDING, then decided. The parent's events: changed by either. */
  async function expectStory(id: string, first: Answer, last: Answer): Promise<void> {
    const events = await api.events(id)
    const changes = events.filter(({ type }) => type !== 'update_transaction_settled')
    expect(changes.map(({ sequence }) => sequence)).toEqual(changes.map((_, i) => 2 * i + 1))
    // The parent's own charge comes before them, as one event or two.
    expect(events.slice(-2)).toMatchObject([
      { type: 'update_transaction', snapshot: first.body },
      { type: 'update_transaction', snapshot: last.body },
    ])
    const child = await api.childOf(id, operation)
    expect(await api.events(child.id)).toMatchObject([
      { type: 'create_transaction', sequence: 1, snapshot: { status: 'PENDING' } },
      { type: 'update_transaction', sequence: 3, snapshot: (await api.get(child.id)).body },
    ])
  }
})

describe('while one is in progress', () => {
  let setup: FaultySetup
  let api: PaymentsApi

  beforeAll(async () => {
    setup = await openFaultySetup({ settings: { CHARGE_WAIT_MS: '100ms' } })
    api = paymentsApiOf(setup.service, setup.merchant, setup.card)
  })
  // On a busy machine a first question may fail; the next one must not come too late.
  beforeEach(() => {
    setup.plan = { fault: () => 'none' }
  })
  afterAll(() => setup.service.close())

  /** The worker asks no more about it until the gateway is well. */
  const silent = (operation: string) => {
    setup.plan = {
      fault: (call): Fault =>
        call.operation === operation || call.operation === 'lookUp' ? 'silent before' : 'none',
    }
  }

  it('a refund counts: only the rest can be refunded', async () => {
    const id = await ready(api, 'refund')
    silent('refund')
    await api.ask(id, 'refund', { total: 4 })
    const pending = (await api.get(id)).body
    expect([pending.total_refunded, pending.is_refundable]).toEqual([0, true])
    for (const total of [10, 6.01]) {
      expectRefusal(await api.ask(id, 'refund', { total }), 409, 'refund_exceeds_remaining')
    }
    const blind = await api.ask(id, 'refund', { total: 1, previously_refunded: 0 })
    expectRefusal(blind, 409, 'refund_mismatch')
    const knowing = await api.ask(id, 'refund', { previously_refunded: 4 })
    expect(knowing.body.child_transactions).toMatchObject([{ total: 4 }, { total: 6 }])
    expect(knowing.body.is_refundable).toBe(false)
  })

  it('a capture counts, and closes the pre_auth to a void', async () => {
    const id = await ready(api, 'capture')
    silent('capture')
    await api.ask(id, 'capture', { total: 4 })
    expect((await api.get(id)).body).toMatchObject({ is_captured: false, is_voidable: false })
    expectRefusal(await api.ask(id, 'void'), 409, 'wrong_state')
    const over = await api.ask(id, 'capture', { total: 6.01 })
    expectRefusal(over, 409, 'capture_exceeds_remaining')
    const rest = await api.ask(id, 'capture')
    expect(rest.body.child_captures).toMatchObject([{ total: 4 }, { total: 6 }])
  })

  it.each(['void', 'refund', 'void-or-refund', 'capture'] as const)(
    'a void closes the transaction to a %s',
    async (operation) => {
      const id = await api.authorised()
      silent('void')
      await api.ask(id, 'void')
      expectRefusal(await api.ask(id, operation), 409, 'wrong_state')
    },
  )
})
