// Stripe as a gateway of live accounts. A charge is a PaymentIntent that is confirmed as it is
// made, a pre_auth the same with a manual capture, a refund a Refund. A void releases a hold, and
// returns a captured charge in full.

import { MINUTE } from '../../../core/time-units.ts'
import type { Gateway } from '../port.ts'
import type { StripeNeeds } from './ask.ts'
import { carryOut } from './carry-out.ts'
import { giveUp } from './give-up.ts'
import { entriesBetween, entriesOf } from './ledger.ts'
import { lookUp } from './look-up.ts'
import { forgetMethod, keepMethod, redeemToken } from './methods.ts'
import { readNotice } from './notices.ts'

const SCRIPT = 'https://js.stripe.com/v3/'

/** A request that has left us is executed within seconds, if ever. */
const ORDERS_ARRIVE_WITHIN_MS = MINUTE

interface StripeGatewayNeeds extends StripeNeeds {
  readonly publishableKey: string
  readonly webhookSecrets: readonly string[]
}

export function stripeGateway({
  publishableKey,
  webhookSecrets,
  ...needs
}: StripeGatewayNeeds): Gateway {
  return {
    name: 'stripe',
    ordersArriveWithinMs: ORDERS_ARRIVE_WITHIN_MS,
    browserTokens: { kind: 'hosted fields', script: SCRIPT, publishableKey },
    carryOut: (order, signal) => carryOut(needs, order, signal),
    lookUp: (order, signal) => lookUp(needs, order, signal),
    giveUp: (order, signal) => giveUp(needs, order, signal),
    // Stripe settles by itself; its payouts say what became of it.
    closeBatch: async () => {},
    entriesOf: (accountId, orders) => entriesOf(needs, accountId, orders),
    entriesBetween: (window) => entriesBetween(needs, window),
    redeemToken: (accountId, brought) => redeemToken(needs, accountId, brought),
    keepMethod: (accountId, method) => keepMethod(needs, accountId, method),
    notices: {
      header: 'stripe-signature',
      read: (body, signature) => readNotice(needs, webhookSecrets, body, signature),
    },
    forgetMethod: (token) => forgetMethod(needs, token),
  }
}
