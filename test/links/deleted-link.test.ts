// A deleted payment link leaves a history that cannot be continued.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { takeIntoBatch } from '../support/batch.ts'
import type { Fault } from '../support/faulty-gateway.ts'
import { type FaultySetup, openFaultySetup } from '../support/faulty-setup.ts'
import { FOLLOW_UPS, type FollowUp, outcomeOf } from '../support/follow-ups.ts'
import { booked, type PaymentsApi, paymentsApiOf } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { call } from '../support/test-service.ts'

const ASYNC = { prefer: 'respond-async' }

let setup: FaultySetup
let api: PaymentsApi

beforeAll(async () => {
  setup = await openFaultySetup({ settings: { CHARGE_WAIT_MS: '500ms' } })
  api = paymentsApiOf(setup.service, setup.merchant, setup.card)
})
beforeEach(() => {
  setup.plan = { fault: () => 'none' }
})
afterAll(() => setup.service.close())

const newLink = async (): Promise<string> => {
  const body = { common_name: 'Coffee' }
  return (await call(api.service.app, 'POST', '/payment-link', api.merchant.headers, body)).body.id
}

const remove = async (link: string) => {
  const url = `/query/payment-links/${link}`
  expect((await call(api.service.app, 'DELETE', url, api.merchant.headers)).status).toBe(200)
}

const timesOrdered = (id: string) => setup.gateway.orders.filter((key) => key === id).length

/** A payment through the link for which the operation is possible. */
async function ready(operation: FollowUp, payment_link_id: string): Promise<string> {
  if (operation === 'capture') return api.authorised({ payment_link_id })
  const id = await api.paid({ payment_link_id })
  if (operation === 'refund') await takeIntoBatch(api.service, [id])
  return id
}

describe('through a deleted link', () => {
  it('no charge is made', async () => {
    const payment_link_id = await newLink()
    await api.paid({ payment_link_id })
    await remove(payment_link_id)
    expectRefusal(await api.charge({ payment_link_id }), 409, 'payment_link_deleted')
    const pre_auth = await api.charge({ payment_link_id, pre_auth: true })
    expectRefusal(pre_auth, 409, 'payment_link_deleted')
  })

  it('the answer to a past charge is repeated for its key, and no other charge is made', async () => {
    const payment_link_id = await newLink()
    const key = { 'idempotency-key': 'before' }
    const first = await api.charge({ payment_link_id }, key)
    await remove(payment_link_id)
    expect((await api.charge({ payment_link_id }, key)).text).toBe(first.text)
    const late = { 'idempotency-key': 'after' }
    expectRefusal(await api.charge({ payment_link_id }, late), 409, 'payment_link_deleted')
  })

  it.each(['charge', 'batched charge', 'pre_auth', 'capture', 'batched capture'])(
    'nothing is done to a %s, and it stays in the history',
    async (what) => {
      const payment_link_id = await newLink()
      const isCharge = what.endsWith('charge')
      const parent = await api.paid({ payment_link_id, pre_auth: !isCharge })
      const isCapture = what.endsWith('capture')
      if (isCapture) await api.ask(parent, 'capture')
      const id = isCapture ? (await api.childOf(parent, 'capture')).id : parent
      if (what.startsWith('batched')) await takeIntoBatch(api.service, [id])
      const before = (await api.get(id)).body
      expect(before.is_voidable || before.is_refundable).toBe(true)
      await remove(payment_link_id)
      const after = await api.get(id)
      expect([after.status, after.body]).toEqual([
        200,
        { ...before, is_voidable: false, is_refundable: false },
      ])
      for (const operation of ['void', 'refund', 'void-or-refund', 'capture'] as const) {
        for (const body of [{}, { total: 1 }]) {
          expectRefusal(await api.ask(id, operation, body), 409, 'payment_link_deleted')
        }
      }
      expect((await api.related(id)).body).toEqual([])
      expect(await booked(api.service, id)).toEqual([])
    },
  )

  it('a charge is batched like any other', async () => {
    const payment_link_id = await newLink()
    const id = await api.paid({ payment_link_id })
    await remove(payment_link_id)
    const batch_id = await takeIntoBatch(api.service, [id])
    expect((await api.get(id)).body).toMatchObject({ batch_id, is_refundable: false })
  })
})

describe('a charge in progress when its link is deleted', () => {
  const begin = async (fault: Fault) => {
    const payment_link_id = await newLink()
    setup.plan = {
      fault: ({ operation }) => (operation === 'lookUp' ? 'silent before' : fault),
      slowMs: 500,
    }
    const { body } = await api.charge({ payment_link_id }, ASYNC)
    await expect.poll(() => timesOrdered(body.id)).toBeGreaterThan(0)
    await remove(payment_link_id)
    // An order that was on its way to the gateway already meets the earlier fault.
    setup.plan = { fault: ({ operation: of }) => (of === 'lookUp' ? 'none' : fault) }
    await expect.poll(async () => (await api.get(body.id)).body.status).not.toBe('PENDING')
    return api.get(body.id)
  }

  it('and turned away so far is FAILED, and is not ordered again', async () => {
    const { body } = await begin('error')
    expect([body.status, body.message]).toEqual(['FAILED', expect.stringMatching(/link/)])
    expect(await outcomesAtGateway(body.id)).toEqual(['given_up'])
  })

  it("and made by the gateway is asked about, and follows the gateway's answer", async () => {
    const { body } = await begin('silent after')
    expect([body.status, body.is_voidable]).toEqual(['SUCCESS', false])
    expect([timesOrdered(body.id), await outcomesAtGateway(body.id)]).toEqual([1, ['approved']])
  })

  it('and perhaps made, but not in fact, is not ordered again', async () => {
    const { body } = await begin('silent before')
    expect(body.status).toBe('FAILED')
    expect([timesOrdered(body.id), await outcomesAtGateway(body.id)]).toEqual([1, ['given_up']])
  })

  it('and answered late is shown as one that cannot be voided', async () => {
    const { body } = await begin('slow')
    expect([body.status, body.is_voidable]).toEqual(['SUCCESS', false])
    const sql = 'SELECT snapshot FROM event WHERE resource_id = $1 ORDER BY sequence DESC LIMIT 1'
    const [event] = await api.service.world.db.query(sql, [body.id])
    expect(event?.snapshot).toEqual(body)
  })

  async function outcomesAtGateway(id: string): Promise<readonly string[]> {
    const sql = 'SELECT outcome FROM sandbox_gateway_payment WHERE key = $1'
    return (await api.service.world.db.query(sql, [id])).map(({ outcome }) => outcome)
  }
})

describe.each(FOLLOW_UPS)('a %s in progress when the link is deleted', (operation) => {
  const begin = async (fault: Fault) => {
    const link = await newLink()
    const id = await ready(operation, link)
    setup.plan = { fault: (call) => (call.operation === 'lookUp' ? 'silent before' : fault) }
    await api.ask(id, operation, {}, ASYNC)
    const child = await api.childOf(id, operation)
    await expect.poll(() => timesOrdered(child.id)).toBeGreaterThan(0)
    await remove(link)
    // An order that was on its way to the gateway already meets the earlier fault.
    setup.plan = { fault: ({ operation: of }) => (of === 'lookUp' ? 'none' : fault) }
    return { id, outcome: await outcomeOf(api, id, operation) }
  }

  it('and turned away so far is FAILED, and its amount is free', async () => {
    const { id, outcome } = await begin('error')
    expect(outcome.status).toBe('FAILED')
    expect(await booked(api.service, id)).toEqual([])
    const [row] = await api.service.world.db.query(
      'SELECT reserved, refunded, void_id, is_voided FROM transaction WHERE id = $1',
      [id],
    )
    expect(row).toEqual({ reserved: '0', refunded: '0', void_id: null, is_voided: false })
  })

  it('and made by the gateway is recorded', async () => {
    const { id, outcome } = await begin('silent after')
    expect(outcome.status).toBe('SUCCESS')
    expect(await booked(api.service, id)).toEqual([`${operation} 1000 approved`])
  })
})

it('leaves a ledger that agrees with itself and with the gateway’s', async () => {
  // The gateway is notified of the last closed batch.
  await expect.poll(() => audit(api.service.databaseUrl, [])).toEqual([])
})
