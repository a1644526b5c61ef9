// The faults of a gateway at a void, a refund or a capture, and the events that must follow. No
// order is carried out twice, and a declined one changes nothing but its own row.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fault, type Plan, timesIn } from '../support/faulty-gateway.ts'
import { type FaultySetup, openFaultySetup } from '../support/faulty-setup.ts'
import { DONE, FOLLOW_UPS, type FollowUp, ready, stateOf } from '../support/follow-ups.ts'
import {
  booked,
  forgetAtGateway,
  type PaymentsApi,
  paymentsApiOf,
} from '../support/payments-api.ts'

const CASES: readonly {
  readonly does: string
  readonly fault: Fault
  readonly plan?: Partial<Plan>
  readonly orders: number
  readonly lookUps: number
}[] = [
  { does: 'answers', fault: 'none', orders: 1, lookUps: 0 },
  { does: 'is slow', fault: 'slow', plan: { slowMs: 200 }, orders: 1, lookUps: 0 },
  { does: 'breaks off after the work', fault: 'silent after', orders: 1, lookUps: 1 },
  { does: 'breaks off before the work', fault: 'silent before', orders: 2, lookUps: 1 },
  { does: 'turns the order away', fault: 'error', orders: 2, lookUps: 0 },
]

describe.each(FOLLOW_UPS)('a gateway asked for a %s', (operation) => {
  let setup: FaultySetup
  let api: PaymentsApi

  beforeAll(async () => {
    setup = await openFaultySetup()
    api = paymentsApiOf(setup.service, setup.merchant, setup.card)
  })
  afterAll(() => setup.service.close())

  it.each(CASES)('that $does carries it out once', async ({ fault, plan, orders, lookUps }) => {
    const id = await ready(api, operation)
    setup.plan = { ...plan, fault: firstOrder(operation, fault) }
    const { status, body } = await api.ask(id, operation)
    expect([status, stateOf(body)]).toEqual([200, DONE[operation]])
    const child = await api.childOf(id, operation)
    expect(child.status).toBe('SUCCESS')
    expect(timesIn(setup.gateway.orders, child.id)).toBe(orders)
    expect(timesIn(setup.gateway.lookUps, child.id)).toBe(lookUps)
    expect(await booked(setup.service, id)).toEqual([`${operation} 1000 approved`])
    expect((await api.get(id)).body).toEqual(body)
  })

  it('that declines it makes the answer 400, with the parent and its FAILED child', async () => {
    setup.plan = { fault: () => 'none' }
    const id = await ready(api, operation)
    const before = (await api.get(id)).body
    const lastChange = (await api.events(id))
      .filter(({ type }) => type !== 'update_transaction_settled')
      .at(-1)
    await forgetAtGateway(setup.service, id)
    const { status, body } = await api.ask(id, operation)
    expect([status, stateOf(body)]).toEqual([400, stateOf(before)])
    const child = await api.childOf(id, operation)
    expect([...body.child_transactions, ...body.child_captures]).toEqual([child])
    expect(child).toMatchObject({ status: 'FAILED', success: false, total: 10 })
    expect(child.message).toMatch(/decline/i)
    expect((await api.get(id)).body).toEqual(body)
    expect(await api.events(child.id)).toMatchObject([
      { type: 'create_transaction', sequence: 1, snapshot: child },
    ])
    expect((await api.events(id)).at(-1)).toMatchObject({
      type: 'update_transaction',
      sequence: (lastChange?.sequence ?? 0) + 2,
      snapshot: body,
    })
  })

  it('that declined it can be asked again', async () => {
    setup.plan = { fault: () => 'none' }
    const id = await ready(api, operation)
    await forgetAtGateway(setup.service, id)
    await api.ask(id, operation)
    await setup.service.world.db.query(
      `UPDATE sandbox_gateway_payment SET outcome = 'approved' WHERE key = $1`,
      [id],
    )
    const { status, body } = await api.ask(id, operation)
    expect([status, stateOf(body)]).toEqual([200, DONE[operation]])
    expect(await booked(setup.service, id)).toEqual([
      `${operation} 1000 declined`,
      `${operation} 1000 approved`,
    ])
  })
})

/** Only the first order for this operation meets the fault. */
function firstOrder(operation: FollowUp, fault: Fault): Plan['fault'] {
  let isFirst = true
  return (call) => {
    if (call.operation !== operation || !isFirst) return 'none'
    isFirst = false
    return fault
  }
}
