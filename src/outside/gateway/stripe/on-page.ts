// Payments on payers' pages: what a page loads from Stripe, and what a bank asks the payer.

import type { BrowserTokens, PayerOrder, PayerStep } from '../port.ts'
import { needsSmallDeposits } from './answers.ts'
import { askInTime, named, type StripeNeeds } from './ask.ts'
import { readStripeToken } from './token.ts'

const STRIPE = {
  script: 'https://js.stripe.com/v3/',
  scripts: 'https://js.stripe.com https://*.js.stripe.com',
  frames: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connections: 'https://api.stripe.com',
}

type HostedFields = Extract<BrowserTokens, { kind: 'hosted fields' }>

/** A stand-in for Stripe has everything at one address. */
export function hostedFields(
  { connectedAccountOf }: StripeNeeds,
  publishableKey: string,
  apiUrl: string | undefined,
): HostedFields {
  const { script, ...loads } = apiUrl === undefined ? STRIPE : placesAt(new URL(apiUrl).origin)
  return {
    kind: 'hosted fields',
    script,
    publishableKey,
    isTest: publishableKey.startsWith('pk_test_'),
    loads,
    accountOf: connectedAccountOf,
  }
}

function placesAt(origin: string): typeof STRIPE {
  return { script: `${origin}/v3/`, scripts: origin, frames: origin, connections: origin }
}

export async function payerStepOf(
  needs: StripeNeeds,
  { token, gatewayId }: PayerOrder,
): Promise<PayerStep> {
  const { account } = readStripeToken(token)
  const intent = await askInTime(needs, { account }, ({ paymentIntents }, options) =>
    named(gatewayId, paymentIntents.retrieve(gatewayId, {}, options)),
  )
  switch (intent.status) {
    case 'requires_action':
      return intent.client_secret === null || needsSmallDeposits(intent)
        ? { kind: 'waiting' }
        : { kind: 'asked', clientSecret: intent.client_secret, account: account ?? null }
    case 'processing':
      return { kind: 'waiting' }
    default:
      return { kind: 'decided' }
  }
}
