import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findTransaction, withFamilies } from '../../src/payments/transaction/find-transaction.ts'
import { audit } from '../chaos/audit.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { booked, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'

describe('a refund', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi()
  })
  afterAll(() => api.service.close())

  const batched = async (body: object = {}) => {
    const id = await api.paid(body)
    await takeIntoBatch(api.service, [id])
    return id
  }

  it.each(['refund', 'void-or-refund'] as const)(
    'by /%s gives back all, and answers the charge with its refund',
    async (operation) => {
      const id = await batched({ total: 12.5 })
      const before = (await api.get(id)).body
      expect(before).toMatchObject({ is_voidable: false, is_refundable: true, total_refunded: 0 })
      const { status, body } = await api.ask(id, operation)
      expect(status).toBe(200)
      const [child, ...others] = body.child_transactions
      expect(others).toEqual([])
      expect(body).toEqual({
        ...before,
        total_refunded: 12.5,
        is_refundable: false,
        updated_at: expect.any(String),
        child_transactions: [child],
      })
      expect(child).toMatchObject({
        type: 'refund',
        status: 'SUCCESS',
        success: true,
        total: 12.5,
        total_refunded: 0,
        method: 'card',
        reference_id: id,
        auth_id: expect.any(String),
        customer_id: before.customer_id,
        payment_method_id: before.payment_method_id,
        last_four: '1111',
        gateway_name: 'sandbox',
        is_captured: false,
        is_voidable: false,
        is_refundable: false,
        is_manual: false,
        batch_id: null,
      })
      expect(await booked(api.service, id)).toEqual(['refund 1250 approved'])
    },
  )

  it('is shown by GET and by /related as it was in the answer', async () => {
    const id = await batched()
    const { body } = await api.ask(id, 'refund', { total: 4 })
    expect((await api.get(id)).body).toEqual(body)
    const [child] = body.child_transactions
    const seen = await api.get(child.id)
    expect([seen.status, seen.body]).toMatchObject([200, child])
    expect((await api.related(id)).body).toEqual([seen.body])
  })

  it('made after its parent was read shows both in their new state', async () => {
    const id = await batched()
    await api.ask(id, 'refund', { total: 4 })
    const { db } = api.service.world
    const { accountId } = api.merchant
    const before = await db.ask(findTransaction, { accountId, id })
    assert(before !== undefined, 'it is there')
    await api.ask(id, 'refund', { total: 3 })
    expect(await withFamilies(db.query, accountId, [before])).toMatchObject([
      {
        row: { refunded: 7_00n, customer: { id: before.customerId } },
        family: [{ total: 4_00n }, { total: 3_00n }],
      },
    ])
  })

  it("writes the event of its creation and that of its parent's change", async () => {
    const id = await batched()
    const first = await api.ask(id, 'refund', { total: 4 })
    const second = await api.ask(id, 'refund')
    const [create, settled, ...updates] = await api.events(id)
    expect(create).toMatchObject({ type: 'create_transaction', sequence: 1 })
    expect(settled).toMatchObject({ type: 'update_transaction_settled', sequence: 2 })
    expect(updates).toEqual([
      { type: 'update_transaction', sequence: 3, snapshot: first.body },
      { type: 'update_transaction', sequence: 5, snapshot: second.body },
    ])
    for (const child of second.body.child_transactions) {
      expect(await api.events(child.id)).toEqual([
        { type: 'create_transaction', sequence: 1, snapshot: (await api.get(child.id)).body },
      ])
    }
  })

  it('is made part by part, until nothing is left', async () => {
    const id = await batched({ total: 30 })
    for (const [total, refunded, isRefundable] of [
      [12.5, 12.5, true],
      ['12.50', 25, true],
      [0.01, 25.01, true],
      [undefined, 30, false],
    ] as const) {
      const { status, body } = await api.ask(id, 'refund', { total })
      expect([status, body.total_refunded, body.is_refundable]).toEqual([
        200,
        refunded,
        isRefundable,
      ])
    }
    for (const total of [undefined, 0.01, 30]) {
      expectRefusal(await api.ask(id, 'refund', { total }), 409, 'refund_exceeds_remaining')
    }
    const { body } = await api.related(id)
    expect(body.map(({ total }: { total: number }) => total)).toEqual([12.5, 12.5, 0.01, 4.99])
    expect(await booked(api.service, id)).toEqual([
      'refund 1250 approved',
      'refund 1250 approved',
      'refund 1 approved',
      'refund 499 approved',
    ])
  })

  it.each(['refund', 'void-or-refund'] as const)(
    'by /%s of more than is left is 409, of more than the charge 400',
    async (operation) => {
      const id = await batched()
      await api.ask(id, 'refund', { total: 4 })
      const before = (await api.get(id)).body
      const over = await api.ask(id, operation, { total: 6.01 })
      expectRefusal(over, 409, 'refund_exceeds_remaining')
      expectRefusal(await api.ask(id, operation, { total: 10 }), 409, 'refund_exceeds_remaining')
      const beyond = await api.ask(id, operation, { total: 10.01 })
      expectRefusal(beyond, 400, 'invalid_request', ['total'])
      expect((await api.get(id)).body).toEqual(before)
      expect((await api.ask(id, operation, { total: 6 })).body.total_refunded).toBe(10)
    },
  )

  it('is not possible before the batch', async () => {
    const id = await api.paid()
    expect((await api.get(id)).body.is_refundable).toBe(false)
    for (const body of [{}, { total: 4 }, { total: 10 }]) {
      const refused = await api.ask(id, 'refund', body)
      expectRefusal(refused, 409, 'not_batched_yet')
      expect(refused.body.message).toMatch(
        /before its batch has closed: void it, or refund it then$/,
      )
    }
    expect(await booked(api.service, id)).toEqual([])
  })

  it('is not possible for a pre_auth or a refund', async () => {
    const pre_auth = await api.authorised()
    expectRefusal(await api.ask(pre_auth, 'refund'), 409, 'wrong_state')
    const id = await batched()
    await api.ask(id, 'refund', { total: 1 })
    const child = await api.childOf(id, 'refund')
    await takeIntoBatch(api.service, [child.id])
    for (const operation of ['refund', 'void', 'void-or-refund'] as const) {
      expectRefusal(await api.ask(child.id, operation), 409, 'wrong_state')
    }
  })

  it.each([
    ['right', 3, 200],
    ['right, as text', '3.00', 200],
    ['nothing', 0, 409],
    ['less', 2.99, 409],
    ['more', 3.01, 409],
  ])(
    'checks the amount that its caller believes refunded: %s',
    async (_, previously_refunded, status) => {
      const id = await batched()
      await api.ask(id, 'refund', { total: 3, previously_refunded: 0 })
      const answer = await api.ask(id, 'refund', { total: 1, previously_refunded })
      if (status === 200) expect([answer.status, answer.body.total_refunded]).toEqual([200, 4])
      else expectRefusal(answer, 409, 'refund_mismatch')
      const { body } = await api.get(id)
      expect([body.total_refunded, body.child_transactions.length]).toEqual(
        status === 200 ? [4, 2] : [3, 1],
      )
    },
  )

  it('of 1.00 of 10.00, requested 20 times at once, is made ten times', async () => {
    const id = await batched()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.ask(id, 'refund', { total: 1 })),
    )
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(10)
    for (const answer of answers.filter((one) => !made.includes(one))) {
      expectRefusal(answer, 409, 'refund_exceeds_remaining')
    }
    const { body } = await api.get(id)
    expect([body.total_refunded, body.is_refundable]).toEqual([10, false])
    expect(await booked(api.service, id)).toEqual(Array(10).fill('refund 100 approved'))
    // The events of the charge, of its batch, and of each refund.
    const sequences = (await api.events(id)).map(({ sequence }) => sequence)
    expect(sequences).toEqual([1, 2, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21])
  })

  it('leaves a ledger that agrees with itself and with the gateway’s', async () => {
    expect(await audit(api.service.databaseUrl, [])).toEqual([])
  })
})
