// A void, a refund or a capture whose outcome cannot be found out: its amount stays reserved until
// it is decided, and not a moment longer.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fault } from '../support/faulty-gateway.ts'
import { type FaultySetup, openFaultySetup } from '../support/faulty-setup.ts'
import { BESIDE, FOLLOW_UPS, HELD, outcomeOf, ready, stateOf } from '../support/follow-ups.ts'
import { booked, type PaymentsApi, paymentsApiOf } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'

describe('a gateway at the deadline of a void, a refund and a capture', () => {
  let setup: FaultySetup
  let api: PaymentsApi

  beforeAll(async () => {
    const settings = { PENDING_DEADLINE_MS: '2s', CHARGE_WAIT_MS: '100ms' }
    setup = await openFaultySetup({ settings })
    api = paymentsApiOf(setup.service, setup.merchant, setup.card)
  })
  afterAll(() => setup.service.close())

  /** One of each, so that they wait for their deadlines together. */
  async function allReady() {
    const all = []
    for (const operation of FOLLOW_UPS) {
      all.push({ operation, id: await ready(api, operation) })
    }
    return all
  }

  const isFollowUp = (operation: string) => FOLLOW_UPS.some((one) => one === operation)

  it.each<[does: string, fault: Fault]>([
    ['never heard of it', 'silent before'],
    ['never took it', 'error'],
  ])('that %s has not made it: it is FAILED, and its amount is free', async (_, fault) => {
    const all = await allReady()
    setup.plan = { fault: ({ operation }) => (isFollowUp(operation) ? fault : 'none') }
    const failed = all.map(async ({ id, operation }) => {
      const before = (await api.get(id)).body
      const { status, body } = await api.ask(id, operation)
      expect([status, stateOf(body)]).toEqual([200, HELD[operation]])
      expect((await outcomeOf(api, id, operation)).status).toBe('FAILED')
      expect(stateOf((await api.get(id)).body)).toEqual(stateOf(before))
      expect(await booked(setup.service, id)).toEqual([])
    })
    await Promise.all(failed)
    setup.plan = { fault: () => 'none' }
    for (const { id, operation } of all) {
      await api.ask(id, operation)
      expect(await outcomeOf(api, id, operation)).toMatchObject({ status: 'SUCCESS' })
    }
  })

  it('that cannot answer leaves it PENDING, and its amount reserved', async () => {
    const all = await allReady()
    setup.plan = { fault: ({ operation: of }) => (of === 'charge' ? 'none' : 'silent after') }
    const parked = all.map(async ({ id, operation }) => {
      await api.ask(id, operation)
      const child = await api.childOf(id, operation)
      await expect.poll(() => parkedAt(setup, child.id)).toEqual(expect.any(Date))
    })
    await Promise.all(parked)
    setup.plan = { fault: () => 'none' }
    for (const { id, operation } of all) {
      const { body } = await api.get(id)
      expect(stateOf(body)).toEqual(HELD[operation])
      expectRefusal(await api.ask(id, operation), 409, BESIDE[operation])
      expect((await api.get(id)).body).toEqual(body)
      expect(await booked(setup.service, id)).toEqual([`${operation} 1000 approved`])
    }
  })
})

async function parkedAt({ service }: FaultySetup, id: string): Promise<unknown> {
  const sql = 'SELECT parked_at FROM transaction WHERE id = $1'
  return (await service.world.db.query(sql, [id]))[0]?.parked_at
}
