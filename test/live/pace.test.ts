// Requests to one endpoint of one Stripe account are paced, and no other request is.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NotSent } from '../../src/outside/gateway/port.ts'
import { stripeClient } from '../../src/outside/gateway/stripe/client.ts'
import { openStripe, type StripeStandIn } from '../stripe/stand-in/open.ts'

const A_SECOND = 5
/** The requests sent at once, and in the two seconds that a request waits at most. */
const SENT = 3 * A_SECOND
const MANY = SENT + 10

describe('the pace', () => {
  let stripe: StripeStandIn

  beforeAll(async () => {
    stripe = await openStripe()
  })
  afterAll(() => stripe[Symbol.asyncDispose]())

  it('sends requests up to its limit, refuses the rest unsent, and delays nothing else', async () => {
    const target = { secretKey: stripe.secretKey, apiUrl: stripe.url, requestsPerSecond: A_SECOND }
    const askStripe = stripeClient(target)
    const limit = AbortSignal.timeout(20_000)
    const intents = (account?: string) =>
      askStripe({ account }, limit, ({ paymentIntents }, options) =>
        paymentIntents.list({ limit: 1 }, options),
      )
    await intents('acct_warm')
    const begun = performance.now()
    const all = Promise.allSettled(Array.from({ length: MANY }, () => intents()))
    await intents('acct_other')
    await askStripe({ account: undefined }, limit, ({ paymentMethods }, options) =>
      paymentMethods.list({ limit: 1 }, options),
    )
    expect(performance.now() - begun).toBeLessThan(1_000)

    const ends = await all
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(refused.every((reason) => reason instanceof NotSent)).toBe(true)
    expect(Math.abs(MANY - refused.length - SENT)).toBeLessThanOrEqual(1)
    const sent = stripe.requests.filter(
      ({ account, path }) => path === '/v1/payment_intents' && account === undefined,
    )
    expect(sent.length).toBe(MANY - refused.length)
    expect(performance.now() - begun).toBeGreaterThan(1_500)
  })
})
