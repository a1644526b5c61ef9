// Stripe as a gateway of live accounts. A charge is a PaymentIntent that is confirmed as it is
// made, a pre_auth the same with a manual capture, a refund a Refund. A void releases a hold, and
// returns a captured charge in full.

import type { GatewayChange } from '../feed-port.ts'
import type { Gateway } from '../port.ts'
import type { StripeNeeds } from './ask.ts'
import { carryOutAtStripe } from './carry-out.ts'
import { changesAtStripe, disputeAtStripe, partsOfPayout } from './feed.ts'
import { giveUpAtStripe } from './give-up.ts'
import { entriesAtStripe, entriesAtStripeBetween } from './ledger.ts'
import { lookUpAtStripe } from './look-up.ts'
import { forgetStripeMethod, keepStripeMethod, redeemPageToken } from './methods.ts'
import { readStripeNotice } from './notices.ts'
import { hostedFields, payerStepOf } from './on-page.ts'
import { withoutSecrets } from './refusals.ts'
import { isFromPage, readStripeToken } from './token.ts'

interface StripeGatewayNeeds extends StripeNeeds {
  readonly publishableKey: string
  /** The address of a stand-in for Stripe. */
  readonly apiUrl?: string | undefined
  readonly webhookSecrets: readonly string[]
}

export function stripeGateway({
  publishableKey,
  apiUrl,
  webhookSecrets,
  ...needs
}: StripeGatewayNeeds): Gateway {
  return {
    name: 'stripe',
    // An order that seems lost is sent again under its key, and Stripe carries it out once.
    ordersArriveWithinMs: 0,
    // Stripe grants more than one capture to few merchants.
    capturesOnce: true,
    browserTokens: hostedFields(needs, publishableKey, apiUrl),
    carryOut: (order, signal) => safely(carryOutAtStripe({ ...needs, order, signal })),
    lookUp: (order, signal) => safely(lookUpAtStripe({ ...needs, order, signal })),
    giveUp: (order, signal) => safely(giveUpAtStripe({ ...needs, order, signal })),
    // Stripe settles by itself; its payouts say what became of it.
    entriesOf: (accountId, orders) => safely(entriesAtStripe(needs, accountId, orders)),
    entriesBetween: (window) => safePages(entriesAtStripeBetween(needs, window)),
    redeemToken: (accountId, brought) => safely(redeemPageToken(needs, accountId, brought)),
    payerStepOf: (order) => safely(payerStepOf(needs, order)),
    isForOnePayment: (token) => isFromPage(readStripeToken(token)),
    keepMethod: (accountId, method) => safely(keepStripeMethod(needs, accountId, method)),
    notices: {
      header: 'stripe-signature',
      read: (body, signature) => readStripeNotice(needs, webhookSecrets, body, signature),
    },
    feed: {
      hasPlaces: true,
      since: (place, since) => safeChanges(changesAtStripe(needs, place, since)),
      findDispute: (place, id) => safely(disputeAtStripe(needs, place, id)),
      partsOfPayout: (place, id) => safePages(partsOfPayout(needs, place, id)),
    },
    forgetMethod: (token) => safely(forgetStripeMethod(needs, token)),
  }
}

async function safely<A>(answer: Promise<A>): Promise<A> {
  try {
    return await answer
  } catch (error) {
    throw withoutSecrets(error)
  }
}

async function* safeChanges(changes: AsyncIterable<GatewayChange>): AsyncGenerator<GatewayChange> {
  for await (const change of safePages(changes)) {
    yield { ...change, read: () => safely(change.read()) }
  }
}

async function* safePages<A>(pages: AsyncIterable<A>): AsyncGenerator<A> {
  try {
    yield* pages
  } catch (error) {
    throw withoutSecrets(error)
  }
}
