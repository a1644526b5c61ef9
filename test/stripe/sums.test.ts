// For any captures, refunds, cancellations and failures, in any order and at once: no more is
// captured than was held, no more is returned than was captured, and the balance agrees.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientOf, HOLD } from './client.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

type Step =
  | { readonly kind: 'cancel' | 'fail refund' }
  | { readonly kind: 'capture' | 'refund'; readonly amount: number }

const amount = fc.integer({ min: 1, max: 6_00 })

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cancel', 'fail refund') }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('capture', 'refund'), amount }) },
  ),
  { minLength: 2, maxLength: 12 },
)

describe('the sums of a payment', () => {
  it('are never exceeded', async () => {
    await using standIn = await openStripe({ balanceTransactionsAfterMs: 0, openingBalance: 0 })
    await fc.assert(
      fc.asyncProperty(steps, (todo) => expectSums(standIn, todo)),
      { numRuns: 25 },
    )
  })
})

async function expectSums(standIn: StripeStandIn, todo: readonly Step[]): Promise<void> {
  const client = clientOf(standIn)
  const { id } = await client.paymentIntents.create(HOLD)
  await Promise.allSettled(todo.map((step) => carryOut(standIn, id, step)))
  const moves = standIn.ledger().filter(({ paymentIntent }) => paymentIntent === id)
  const sumOf = (kind: string) =>
    moves
      .filter((one) => one.kind === kind && one.state !== 'failed')
      .reduce((sum, one) => sum + one.amount, 0)
  expect(sumOf('capture')).toBeLessThanOrEqual(HOLD.amount)
  expect(sumOf('refund')).toBeLessThanOrEqual(sumOf('capture'))
  const { latest_charge } = await client.paymentIntents.retrieve(id, {
    expand: ['latest_charge'],
  })
  // What is released of a hold does not count.
  expect(latest_charge).toMatchObject({ amount_refunded: sumOf('refund') })
  await expectBalance(standIn)
}

async function carryOut(standIn: StripeStandIn, id: string, step: Step): Promise<unknown> {
  const client = clientOf(standIn)
  switch (step.kind) {
    case 'cancel':
      return client.paymentIntents.cancel(id)
    case 'capture':
      return client.paymentIntents.capture(id, { amount_to_capture: step.amount })
    case 'refund':
      return client.refunds.create({ payment_intent: id, amount: step.amount })
    case 'fail refund': {
      const { data } = await client.refunds.list({ payment_intent: id })
      const [refund] = data.filter(({ status }) => status === 'succeeded')
      return refund && standIn.failRefund(refund.id)
    }
  }
}

/** The balance is the captured amount, less the fees, less the amount that was really returned. */
async function expectBalance(standIn: StripeStandIn): Promise<void> {
  const client = clientOf(standIn)
  let [gross, fees] = [0, 0]
  for await (const { amount, fee } of client.balanceTransactions.list({ limit: 100 })) {
    gross += amount
    fees += fee
  }
  const sumOf = (kind: string, states: readonly string[]) =>
    standIn
      .ledger()
      .filter((one) => one.kind === kind && states.includes(one.state))
      .reduce((sum, one) => sum + one.amount, 0)
  expect(gross).toBe(sumOf('capture', ['succeeded']) - sumOf('refund', ['succeeded']))
  const { available } = await client.balance.retrieve()
  expect(available[0]?.amount).toBe(gross - fees)
}
