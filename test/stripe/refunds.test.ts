import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, errorOf, HOLD, PAYMENT } from './client.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

describe('a refund', () => {
  let standIn: StripeStandIn
  let client: ReturnType<typeof clientOf>
  let payment_intent: string

  beforeEach(async () => {
    standIn = await openStripe()
    client = clientOf(standIn)
    payment_intent = (await client.paymentIntents.create(PAYMENT)).id
    return () => standIn[Symbol.asyncDispose]()
  })

  const refund = (amount?: number, metadata = {}) =>
    client.refunds.create({ payment_intent, ...(amount !== undefined && { amount }), metadata })

  it('returns the whole payment by default', async () => {
    expect(await refund()).toMatchObject({ amount: 5_00, status: 'succeeded', payment_intent })
    const { latest_charge } = await client.paymentIntents.retrieve(payment_intent, {
      expand: ['latest_charge'],
    })
    expect(latest_charge).toMatchObject({ refunded: true, amount_refunded: 5_00 })
    expect(await errorOf(refund())).toMatchObject({ code: 'charge_already_refunded' })
  })

  it('in part adds up to the payment at most', async () => {
    await refund(2_00, { order: 'a' })
    const tooMuch = await errorOf(refund(3_01))
    expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' })
    expect(tooMuch.code).toBeUndefined()
    await refund(3_00, { order: 'b' })
    const { data } = await client.refunds.list({ payment_intent })
    expect(data.map(({ amount, metadata }) => [amount, metadata?.order])).toEqual([
      [3_00, 'b'],
      [2_00, 'a'],
    ])
    expect(standIn.ledger().filter(({ kind }) => kind === 'refund')).toMatchObject([
      { amount: 2_00, metadata: { order: 'a' }, state: 'succeeded' },
      { amount: 3_00, metadata: { order: 'b' } },
    ])
  })

  it('is made five times for 20 simultaneous requests of a fifth each', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => refund(1_00)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const refunds = standIn.ledger().filter(({ kind }) => kind === 'refund')
    expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(5_00)
  })

  it('is made once for 20 simultaneous requests with one key', async () => {
    const create = () =>
      client.refunds.create({ payment_intent, amount: 1_00 }, { idempotencyKey: 'r' })
    await Promise.allSettled(Array.from({ length: 20 }, create))
    expect(standIn.ledger().filter(({ kind }) => kind === 'refund')).toMatchObject([
      { amount: 1_00, idempotencyKey: 'r' },
    ])
  })

  it('of a hold is refused: a hold is canceled instead', async () => {
    const { id } = await client.paymentIntents.create(HOLD)
    const error = await errorOf(client.refunds.create({ payment_intent: id }))
    expect([error.statusCode, error.code, error.param]).toEqual([400, undefined, undefined])
  })

  it('stays pending while the balance is too low, and succeeds later', async () => {
    standIn.setBalance(1_00)
    const pending = await refund(2_00)
    expect(pending).toMatchObject({
      status: 'pending',
      pending_reason: 'insufficient_funds',
      balance_transaction: null,
    })
    // The money is reserved all the same.
    expect(await errorOf(refund(3_01))).toMatchObject({ param: 'amount' })
    standIn.setBalance(10_00)
    const paid = await client.refunds.retrieve(pending.id)
    expect(paid.status).toBe('succeeded')
    expect(paid.pending_reason).toBeUndefined()
    const { data } = await client.events.list({ type: 'refund.updated' })
    expect(data).toMatchObject([{ data: { object: { id: pending.id } } }])
  })

  it('can fail after it had succeeded, and the money can be returned again', async () => {
    const { id } = await refund()
    standIn.failRefund(id)
    const failed = await client.refunds.retrieve(id, {
      expand: ['failure_balance_transaction'],
    })
    expect(failed).toMatchObject({
      status: 'failed',
      failure_reason: 'lost_or_stolen_card',
      failure_balance_transaction: { amount: 5_00, type: 'refund_failure' },
    })
    const { data } = await client.events.list({ type: 'refund.failed' })
    expect(data).toMatchObject([{ data: { object: { id, status: 'failed' } } }])
    expect((await refund()).status).toBe('succeeded')
  })
})
