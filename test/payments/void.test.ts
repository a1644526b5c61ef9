import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeIntoBatch } from '../support/batch.ts'
import { booked, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'

/** The sandbox gateway calls this amount undecided, until its deadline. */
const UNDECIDED = { total: 763.63 }

describe('a void', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi()
  })
  afterAll(() => api.service.close())

  it.each([
    ['charge', {}],
    ['pre_auth', { pre_auth: true }],
  ])(
    'of a %s takes the whole amount, and answers the transaction with its void',
    async (type, how) => {
      const id = await api.paid({ ...how, total: 12.5 })
      const before = (await api.get(id)).body
      expect(before).toMatchObject({ type, is_voidable: true, is_voided: false })
      const { status, body } = await api.ask(id, 'void')
      expect(status).toBe(200)
      const [child, ...others] = body.child_transactions
      expect(others).toEqual([])
      expect(body).toEqual({
        ...before,
        is_voided: true,
        is_voidable: false,
        updated_at: expect.any(String),
        child_transactions: [child],
      })
      expect(child).toMatchObject({
        type: 'void',
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
        is_voided: false,
        is_voidable: false,
        is_refundable: false,
        is_manual: false,
        batch_id: null,
      })
      expect(await booked(api.service, id)).toEqual(['void 1250 approved'])
    },
  )

  it('is shown by GET and by /related as it was in the answer', async () => {
    const id = await api.paid()
    expect((await api.related(id)).body).toEqual([])
    const { body } = await api.ask(id, 'void', {})
    expect((await api.get(id)).body).toEqual(body)
    const [child] = body.child_transactions
    const seen = await api.get(child.id)
    expect([seen.status, seen.body]).toMatchObject([200, child])
    expect(seen.body.customer).toEqual(body.customer)
    const related = await api.related(id)
    expect([related.status, related.body]).toEqual([200, [seen.body]])
    expect((await api.related(child.id)).body).toEqual([])
  })

  it("writes the event of its creation and that of its parent's change", async () => {
    const id = await api.paid()
    const before = (await api.get(id)).body
    const { body } = await api.ask(id, 'void')
    const [{ id: childId }] = body.child_transactions
    expect(await api.events(id)).toEqual([
      { type: 'create_transaction', sequence: 1, snapshot: before },
      { type: 'update_transaction', sequence: 3, snapshot: body },
    ])
    expect(await api.events(childId)).toEqual([
      { type: 'create_transaction', sequence: 1, snapshot: (await api.get(childId)).body },
    ])
  })

  it.each([
    ['void', 12.5],
    ['void', '12.50'],
    ['void-or-refund', 12.5],
    ['void-or-refund', '12.5'],
    ['void-or-refund', undefined],
  ] as const)('by /%s may name the whole: %j', async (operation, total) => {
    const id = await api.paid({ total: 12.5 })
    const answer = await api.ask(id, operation, { total })
    expect([answer.status, answer.body.is_voided]).toEqual([200, true])
    expect(answer.body.child_transactions).toMatchObject([{ type: 'void', total: 12.5 }])
  })

  it.each([
    ['void', 12.49],
    ['void', 0.01],
    ['void', 12.51],
    ['void-or-refund', 12.49],
    ['void-or-refund', '0.01'],
  ] as const)('by /%s takes no part: %j', async (operation, total) => {
    const id = await api.paid({ total: 12.5 })
    const before = await api.get(id)
    expectRefusal(await api.ask(id, operation, { total }), 409, 'partial_void_not_supported')
    expect((await api.get(id)).body).toEqual(before.body)
  })

  it.each(['void', 'void-or-refund', 'refund'] as const)(
    'is not followed by another: a %s then is 409',
    async (operation) => {
      const id = await api.paid()
      await api.ask(id, 'void')
      expectRefusal(await api.ask(id, operation), 409, 'already_voided')
      expect((await api.related(id)).body).toHaveLength(1)
    },
  )

  it('is not possible once the charge is in a batch', async () => {
    const id = await api.paid()
    const batch_id = await takeIntoBatch(api.service, [id])
    expect((await api.get(id)).body).toMatchObject({ batch_id, is_voidable: false })
    expectRefusal(await api.ask(id, 'void'), 409, 'already_batched')
    expect(await booked(api.service, id)).toEqual([])
  })

  it.each(['void', 'void-or-refund'] as const)(
    'by /%s is of what succeeded, and of nothing else',
    async (operation) => {
      const declined = await api.charge({
        payment_method_id: await api.service.card(api.merchant, DECLINED_CARD),
      })
      const pending = await api.charge(UNDECIDED, { prefer: 'respond-async' })
      const voided = await api.paid()
      await api.ask(voided, 'void')
      const child = await api.childOf(voided, 'void')
      for (const { id, ...rest } of [declined.body, pending.body, child]) {
        expect([id, rest.is_voidable, rest.is_refundable]).toEqual([id, false, false])
        expectRefusal(await api.ask(id, operation), 409, 'wrong_state')
      }
    },
  )

  it('requested ten times at once is made once', async () => {
    const id = await api.paid()
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.ask(id, 'void')))
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(1)
    for (const answer of answers.filter((one) => !made.includes(one))) {
      expect([409, answer.status]).toEqual([409, 409])
      expect(['already_voided', 'wrong_state']).toContain(answer.body.error)
    }
    expect(await booked(api.service, id)).toEqual(['void 1000 approved'])
    expect((await api.get(id)).body).toEqual(made[0]?.body)
  })

  it('and a batch never both take the same charge', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => api.paid()))
    const voids = ids.map((id) => api.ask(id, 'void'))
    // The batches come in the reverse order, so that each side is first somewhere.
    for (const id of ids.toReversed()) await takeIntoBatch(api.service, [id])
    for (const [i, id] of ids.entries()) {
      const answer = await (voids[i] ?? api.get(id))
      const { body } = await api.get(id)
      expect([id, body.is_voided]).toEqual([id, body.batch_id === null])
      if (body.is_voided) expect([answer.status, answer.body.is_voided]).toEqual([200, true])
      else expectRefusal(answer, 409, 'already_batched')
      const orders = await booked(api.service, id)
      expect(orders).toEqual(body.is_voided ? ['void 1000 approved'] : [])
    }
  })
})
