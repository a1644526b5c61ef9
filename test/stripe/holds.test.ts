import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, errorOf, HOLD } from './client.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

const DAY = 24 * 60 * 60 * 1000

describe('a hold', () => {
  let standIn: StripeStandIn
  let client: ReturnType<typeof clientOf>

  beforeEach(async () => {
    standIn = await openStripe()
    client = clientOf(standIn)
    return () => standIn[Symbol.asyncDispose]()
  })

  const hold = () => client.paymentIntents.create({ ...HOLD, expand: ['latest_charge'] })

  it('has a date until which it can be captured', async () => {
    const held = await hold()
    expect(held).toMatchObject({
      status: 'requires_capture',
      amount_capturable: 5_00,
      amount_received: 0,
      latest_charge: {
        captured: false,
        paid: true,
        payment_method_details: { card: { capture_before: held.created + 7 * 24 * 60 * 60 } },
      },
    })
  })

  it('is captured in whole by default', async () => {
    const { id } = await hold()
    expect(await client.paymentIntents.capture(id)).toMatchObject({
      status: 'succeeded',
      amount_capturable: 0,
      amount_received: 5_00,
    })
    expect(standIn.ledger()).toMatchObject([
      { kind: 'payment', amount: 5_00 },
      { kind: 'capture', amount: 5_00 },
    ])
  })

  it('is captured in part once, and the rest is released', async () => {
    const { id } = await hold()
    const capture = (amount_to_capture: number) =>
      client.paymentIntents.capture(id, { amount_to_capture, expand: ['latest_charge'] })
    expect(await errorOf(capture(5_01))).toMatchObject({ param: 'amount_to_capture' })
    expect(await capture(3_00)).toMatchObject({
      status: 'succeeded',
      amount: 5_00,
      amount_capturable: 0,
      amount_received: 3_00,
      latest_charge: { amount_captured: 3_00 },
    })
    expect(await errorOf(capture(2_00))).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'succeeded' },
    })
    expect(
      await errorOf(client.refunds.create({ payment_intent: id, amount: 3_01 })),
    ).toMatchObject({
      param: 'amount',
    })
    expect((await client.refunds.create({ payment_intent: id })).amount).toBe(3_00)
  })

  it('is captured once by 20 simultaneous requests, each with its own key', async () => {
    const { id } = await hold()
    const captures = Array.from({ length: 20 }, (_, n) =>
      client.paymentIntents.capture(id, { amount_to_capture: 1_00 }, { idempotencyKey: `c${n}` }),
    )
    const results = await Promise.allSettled(captures)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(standIn.ledger()).toMatchObject([{ kind: 'payment' }, { kind: 'capture', amount: 1_00 }])
  })

  it('is released by canceling it, and cannot be captured any more', async () => {
    const { id } = await hold()
    const canceled = await client.paymentIntents.cancel(
      id,
      { cancellation_reason: 'requested_by_customer' },
      { idempotencyKey: 'v' },
    )
    expect(canceled).toMatchObject({
      status: 'canceled',
      amount_capturable: 0,
      cancellation_reason: 'requested_by_customer',
    })
    const codes = [
      await errorOf(client.paymentIntents.capture(id)),
      await errorOf(client.paymentIntents.cancel(id)),
    ].map(({ code }) => code)
    expect(codes).toEqual(['payment_intent_unexpected_state', 'payment_intent_unexpected_state'])
  })

  it('lapses after seven days by the clock', async () => {
    const { id } = await hold()
    await standIn.advance(7 * DAY - 60_000)
    expect((await client.paymentIntents.retrieve(id)).status).toBe('requires_capture')
    await standIn.advance(60_000)
    expect(await client.paymentIntents.retrieve(id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
      amount_capturable: 0,
    })
    expect(await errorOf(client.paymentIntents.capture(id))).toMatchObject({ statusCode: 400 })
    const { data } = await client.events.list({ types: ['payment_intent.canceled'] })
    expect(data).toMatchObject([{ request: { id: null }, data: { object: { id } } }])
  })

  it('does not lapse once it was captured', async () => {
    const { id } = await hold()
    await client.paymentIntents.capture(id)
    await standIn.advance(8 * DAY)
    expect((await client.paymentIntents.retrieve(id)).status).toBe('succeeded')
  })

  it('lapses sooner if the network requires it', async () => {
    await using short = await openStripe({ holdsLastMs: 4.75 * DAY })
    const { id, created, latest_charge } = await clientOf(short).paymentIntents.create({
      ...HOLD,
      expand: ['latest_charge'],
    })
    expect(latest_charge).toMatchObject({
      payment_method_details: { card: { capture_before: created + 4.75 * 24 * 60 * 60 } },
    })
    await short.advance(5 * DAY)
    expect((await clientOf(short).paymentIntents.retrieve(id)).status).toBe('canceled')
  })
})
