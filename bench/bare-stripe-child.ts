// Stripe's own client alone: payments as the service orders them, by so many callers.

import Stripe from 'stripe'
import { SECOND } from '../src/core/time-units.ts'
import { nextKey } from './charge-request.ts'
import { answerParent } from './child.ts'
import type { BareCallers, Paid } from './live.ts'
import { percentile } from './statistics.ts'

answerParent(
  async ({ connections, ms, stripe: { secretKey, url } }: BareCallers): Promise<Paid> => {
    const { hostname, port } = new URL(url)
    const stripe = new Stripe(secretKey, {
      host: hostname,
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    })
    const payers = await Promise.all(Array.from({ length: connections }, () => newPayer(stripe)))
    const latencies: number[] = []
    const startedMs = performance.now()
    await Promise.all(payers.map((payer) => keepPaying(stripe, payer, startedMs + ms, latencies)))
    const tookMs = performance.now() - startedMs
    const sorted = Float64Array.from(latencies).sort()
    return {
      perSecond: (latencies.length / tookMs) * SECOND,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
    }
  },
)

interface Payer {
  readonly customer: string
  readonly method: string
}

async function newPayer(stripe: Stripe): Promise<Payer> {
  const { id: customer } = await stripe.customers.create({})
  const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  return { customer, method }
}

async function keepPaying(
  stripe: Stripe,
  { customer, method }: Payer,
  untilMs: number,
  latencies: number[],
): Promise<void> {
  for (let now = performance.now(); now < untilMs; ) {
    const { status } = await stripe.paymentIntents.create(
      {
        amount: 1250,
        currency: 'usd',
        customer,
        payment_method: method,
        off_session: true,
        confirm: true,
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        metadata: { order: nextKey() },
      },
      { idempotencyKey: nextKey() },
    )
    if (status !== 'succeeded') throw new Error(`a payment is ${status}`)
    const answeredMs = performance.now()
    latencies.push(answeredMs - now)
    now = answeredMs
  }
}
