import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, errorOf, PAYMENT } from './client.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

let standIn: StripeStandIn
let client: ReturnType<typeof clientOf>

beforeEach(async () => {
  standIn = await openStripe()
  client = clientOf(standIn)
  return () => standIn[Symbol.asyncDispose]()
})

const pay = async () => (await client.paymentIntents.create(PAYMENT)).id

describe('a payout', () => {
  it('takes everything since the last one, and its transactions add up to it', async () => {
    const payment_intent = await pay()
    const { id: refund } = await client.refunds.create({ payment_intent, amount: 1_00 })
    await standIn.advance(2000)
    const { id } = standIn.payOut()
    const payout = await client.payouts.retrieve(id)
    expect(payout).toMatchObject({
      amount: 5_00 - 45 - 1_00,
      automatic: true,
      reconciliation_status: 'completed',
      status: 'paid',
    })
    const { data } = await client.balanceTransactions.list({ payout: id })
    expect(data.map(({ type }) => type).toSorted()).toEqual(['charge', 'payout', 'refund'])
    expect(data.reduce((sum, { net }) => sum + net, 0)).toBe(0)
    expect(data.find(({ type }) => type === 'refund')?.source).toBe(refund)
    // The next one has only later payments.
    await pay()
    await standIn.advance(2000)
    expect(standIn.payOut().amount).toBe(4_55)
    expect((await client.payouts.list()).data).toHaveLength(2)
  })

  it('lists its transactions once it was reconciled', async () => {
    await pay()
    await standIn.advance(2000)
    const { id } = standIn.payOut({ reconciledAfterMs: 60_000 })
    expect((await client.payouts.retrieve(id)).reconciliation_status).toBe('in_progress')
    const completed = async () =>
      (await client.events.list({ type: 'payout.reconciliation_completed' })).data
    expect(await completed()).toEqual([])
    await standIn.advance(60_000)
    expect(await completed()).toMatchObject([
      { data: { object: { id, reconciliation_status: 'completed' } } },
    ])
  })

  it('made by hand does not list its transactions', async () => {
    const { id } = standIn.payOut({ isAutomatic: false })
    expect((await client.payouts.retrieve(id)).reconciliation_status).toBe('not_applicable')
    const list = client.balanceTransactions.list({ payout: id })
    expect(await errorOf(list)).toMatchObject({ statusCode: 400, param: 'payout' })
  })

  it('does not contain a payment whose balance transaction is not written yet', async () => {
    await pay()
    expect(standIn.payOut().amount).toBe(0)
  })

  it('of a connected account is separate', async () => {
    const options = { stripeAccount: 'acct_one' }
    await client.paymentIntents.create(PAYMENT, options)
    await standIn.advance(2000)
    expect(standIn.payOut().amount).toBe(0)
    const { id } = standIn.payOut({}, 'acct_one')
    const { data } = await client.balanceTransactions.list({ payout: id }, options)
    expect(data).toHaveLength(2)
  })
})

describe('a dispute', () => {
  it('takes the money and a fee, and returns the money if it is won', async () => {
    const payment_intent = await pay()
    const { id } = standIn.openDispute(payment_intent, { reason: 'product_not_received' })
    const opened = await client.disputes.retrieve(id)
    expect(opened).toMatchObject({
      amount: 5_00,
      payment_intent,
      reason: 'product_not_received',
      status: 'needs_response',
      balance_transactions: [{ amount: -5_00, fee: 15_00, type: 'adjustment' }],
    })
    expect(await errorOf(client.refunds.create({ payment_intent }))).toMatchObject({
      code: 'refund_disputed_payment',
    })
    standIn.closeDispute(id, 'won')
    const { data } = await client.disputes.list({ payment_intent })
    expect(data).toMatchObject([{ status: 'won', balance_transactions: [{}, { amount: 5_00 }] }])
    const events = (await client.events.list({ limit: 100 })).data.map(({ type }) => type)
    expect(events.filter((type) => type.startsWith('charge.dispute')).toReversed()).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
    ])
  })

  it('that is lost keeps the money', async () => {
    const { id } = standIn.openDispute(await pay())
    standIn.closeDispute(id, 'lost')
    const { balance_transactions, status } = await client.disputes.retrieve(id)
    expect([status, balance_transactions.length]).toEqual(['lost', 1])
  })
})
