import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { booked, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'

describe('a capture', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi()
  })
  afterAll(() => api.service.close())

  /** Captures from a pre_auth of 10.00, and answers the pre_auth. */
  const captured = async (body: object = {}) => {
    const id = await api.authorised()
    const answer = await api.ask(id, 'capture', body)
    expect(answer.status).toBe(200)
    return answer.body.child_captures[0]
  }

  it('takes the whole amount, and answers the pre_auth with it', async () => {
    const id = await api.authorised({ total: 12.5, channel: 'web' })
    const before = (await api.get(id)).body
    expect(before).toMatchObject({ is_captured: false, is_voidable: true, is_refundable: false })
    const { status, body } = await api.ask(id, 'capture')
    expect(status).toBe(200)
    const [capture, ...others] = body.child_captures
    expect(others).toEqual([])
    expect(body).toEqual({
      ...before,
      is_captured: true,
      is_voidable: false,
      updated_at: expect.any(String),
      child_captures: [capture],
    })
    expect(capture).toMatchObject({
      type: 'capture',
      status: 'SUCCESS',
      success: true,
      total: 12.5,
      total_refunded: 0,
      pre_auth: false,
      method: 'card',
      reference_id: id,
      auth_id: id,
      channel: 'web',
      customer_id: before.customer_id,
      payment_method_id: before.payment_method_id,
      last_four: '1111',
      gateway_name: 'sandbox',
      is_captured: true,
      is_voided: false,
      is_voidable: true,
      is_refundable: false,
      batch_id: null,
      child_transactions: [],
      child_captures: [],
    })
    expect(await booked(api.service, id)).toEqual(['capture 1250 approved'])
  })

  it('is shown by GET and by /related as it was in the answer', async () => {
    const id = await api.authorised()
    const { body } = await api.ask(id, 'capture', { total: 4 })
    expect((await api.get(id)).body).toEqual(body)
    const seen = await api.get(body.child_captures[0].id)
    expect([seen.status, seen.body]).toMatchObject([200, body.child_captures[0]])
    expect((await api.related(id)).body).toEqual([seen.body])
  })

  it("writes the event of its creation and that of the pre_auth's change", async () => {
    const id = await api.authorised()
    const { body } = await api.ask(id, 'capture')
    const [create, ...updates] = await api.events(id)
    expect(create).toMatchObject({ type: 'create_transaction', sequence: 1 })
    expect(updates).toEqual([{ type: 'update_transaction', sequence: 3, snapshot: body }])
    const [{ id: captureId }] = body.child_captures
    expect(await api.events(captureId)).toEqual([
      { type: 'create_transaction', sequence: 1, snapshot: (await api.get(captureId)).body },
    ])
  })

  it('may be one of several, up to the total', async () => {
    const id = await api.authorised()
    expect((await api.ask(id, 'capture', { total: 4 })).body.child_captures).toHaveLength(1)
    expect((await api.ask(id, 'capture', { total: '3.50' })).body.child_captures).toHaveLength(2)
    const over = await api.ask(id, 'capture', { total: 2.51 })
    expectRefusal(over, 409, 'capture_exceeds_remaining')
    const beyond = await api.ask(id, 'capture', { total: 10.01 })
    expectRefusal(beyond, 400, 'invalid_request', ['total'])
    const { body } = await api.ask(id, 'capture')
    expect(body.child_captures).toMatchObject([{ total: 4 }, { total: 3.5 }, { total: 2.5 }])
    for (const total of [undefined, 0.01]) {
      const more = await api.ask(id, 'capture', { total })
      expectRefusal(more, 409, 'capture_exceeds_remaining')
    }
    expect(await booked(api.service, id)).toHaveLength(3)
  })

  it('of 1.00 of 10.00, requested 20 times at once, is made ten times', async () => {
    const id = await api.authorised()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.ask(id, 'capture', { total: 1 })),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(10)
    for (const answer of refused) expectRefusal(answer, 409, 'capture_exceeds_remaining')
    expect((await api.get(id)).body.child_captures).toHaveLength(10)
    expect(await booked(api.service, id)).toEqual(Array(10).fill('capture 100 approved'))
  })

  it.each(['void', 'refund', 'void-or-refund'] as const)(
    'leaves the pre_auth closed to a %s',
    async (operation) => {
      const { reference_id: id } = await captured({ total: 4 })
      expect((await api.get(id)).body).toMatchObject({ is_voidable: false, is_refundable: false })
      expectRefusal(await api.ask(id, operation), 409, 'wrong_state')
      expect(await booked(api.service, id)).toEqual(['capture 400 approved'])
    },
  )

  it.each(['void', 'void-or-refund'] as const)('is voided by its own id: %s', async (operation) => {
    const capture = await captured({ total: 4 })
    const { status, body } = await api.ask(capture.id, operation)
    expect([status, body.id, body.is_voided, body.is_voidable]).toEqual([
      200,
      capture.id,
      true,
      false,
    ])
    expect(body.child_transactions).toMatchObject([
      { type: 'void', total: 4, reference_id: capture.id, status: 'SUCCESS' },
    ])
    const [shown] = (await api.get(capture.reference_id)).body.child_captures
    expect(shown).toMatchObject({ id: capture.id, is_voided: true })
    expectRefusal(await api.ask(capture.id, 'void'), 409, 'already_voided')
    expect(await booked(api.service, capture.id)).toEqual(['void 400 approved'])
  })

  it('is refunded by its own id, once it is in a batch', async () => {
    const capture = await captured({ total: 4 })
    expectRefusal(await api.ask(capture.id, 'refund'), 409, 'not_batched_yet')
    await takeIntoBatch(api.service, [capture.id])
    expect((await api.get(capture.id)).body.is_refundable).toBe(true)
    const beyond = await api.ask(capture.id, 'refund', { total: 4.01 })
    expectRefusal(beyond, 400, 'invalid_request', ['total'])
    const first = await api.ask(capture.id, 'refund', { total: 1.5 })
    expect(first.body).toMatchObject({ total_refunded: 1.5, is_refundable: true })
    const rest = await api.ask(capture.id, 'void-or-refund')
    expect(rest.body).toMatchObject({ total_refunded: 4, is_refundable: false })
    expect(rest.body.child_transactions).toMatchObject([
      { type: 'refund', total: 1.5, reference_id: capture.id },
      { type: 'refund', total: 2.5, reference_id: capture.id },
    ])
    expectRefusal(await api.ask(capture.id, 'void'), 409, 'already_batched')
  })

  it('is possible for a successful pre_auth, and for nothing else', async () => {
    const payment_method_id = await api.service.card(api.merchant, DECLINED_CARD)
    const declined = await api.charge({ pre_auth: true, payment_method_id })
    const wrong = [await api.paid(), (await captured()).id, declined.body.id]
    for (const id of wrong) expectRefusal(await api.ask(id, 'capture'), 409, 'wrong_state')
    const voided = await api.authorised()
    await api.ask(voided, 'void')
    expectRefusal(await api.ask(voided, 'capture'), 409, 'already_voided')
  })

  it('and a void of the pre_auth never both succeed', async () => {
    const outcomes = Array.from({ length: 10 }, async () => {
      const id = await api.authorised()
      const both = [api.ask(id, 'void'), api.ask(id, 'capture')] as const
      const [voiding, capture] = await Promise.all(both)
      const { body } = await api.get(id)
      expect(body.is_captured).toBe(!body.is_voided)
      expect([voiding.status, capture.status]).toEqual(body.is_voided ? [200, 409] : [409, 200])
      expect(await booked(api.service, id)).toHaveLength(1)
    })
    await Promise.all(outcomes)
  })

  it('leaves a ledger that agrees with itself and with the gateway’s', async () => {
    expect(await audit(api.service.databaseUrl, [])).toEqual([])
  })
})
