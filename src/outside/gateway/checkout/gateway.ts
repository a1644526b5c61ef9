// Checkout.com as a gateway of live accounts. A charge is a payment that is authorized and then
// captured by itself, a pre_auth one that is only authorized. Captures, voids and refunds are
// actions on it, which are accepted at once and decided later. A void releases a hold, and returns
// a captured charge in full.

import { MINUTE } from '../../../core/time-units.ts'
import type { Gateway } from '../port.ts'
import { carryOutAtCheckout } from './carry-out.ts'
import { changesAtCheckout, disputeAtCheckout, holdEndAtCheckout } from './feed.ts'
import { giveUpAtCheckout } from './give-up.ts'
import { entriesAtCheckout, entriesAtCheckoutBetween } from './ledger.ts'
import { lookUpAtCheckout } from './look-up.ts'
import { forgetCheckoutMethod, keepCheckoutMethod } from './methods.ts'
import { readCheckoutNotice } from './notices.ts'
import type { CheckoutNeeds } from './records.ts'
import { readCheckoutToken } from './token.ts'

interface CheckoutGatewayNeeds extends Omit<CheckoutNeeds, 'recordedWithinMs' | 'signal'> {
  readonly webhookSecrets: readonly string[]
  readonly recordedWithinMs?: number
}

/**
 * Checkout.com asks to wait for 30 seconds before a request is repeated, and says nothing of how
 * soon its records are complete. Our clock and its clock may differ by the rest.
 */
const RECORDED_WITHIN_MS = 2 * MINUTE

export function checkoutGateway(given: CheckoutGatewayNeeds): Gateway {
  const needs = { recordedWithinMs: RECORDED_WITHIN_MS, ...given }
  const { recordedWithinMs, webhookSecrets } = needs
  return {
    name: 'checkout',
    // An order that was answered with an error may have been executed without holding its key.
    ordersArriveWithinMs: recordedWithinMs,
    // A capture is sent as the last one of its hold.
    capturesOnce: true,
    browserTokens: { kind: 'none' },
    carryOut: (order, signal) => carryOutAtCheckout({ ...needs, order, signal }),
    lookUp: (order, signal) => lookUpAtCheckout({ ...needs, order, signal }),
    giveUp: (order, signal) => giveUpAtCheckout({ ...needs, order, signal }),
    // Checkout.com settles by itself.
    entriesOf: (accountId, orders) => entriesAtCheckout(needs, accountId, orders),
    entriesBetween: (window) => entriesAtCheckoutBetween(needs, window),
    redeemToken: async () => undefined,
    keepMethod: (accountId, method) => keepCheckoutMethod(needs, accountId, method),
    forgetMethod: (token) => forgetCheckoutMethod(needs, token),
    // The same card, verified twice, may be stored once.
    storedAs: (token) => readCheckoutToken(token).source,
    notices: {
      header: 'cko-signature',
      read: async (body, signature) => readCheckoutNotice(webhookSecrets, body, signature),
    },
    // Its payouts are not read.
    feed: {
      hasPlaces: false,
      since: (_place, since) => changesAtCheckout(needs, since),
      findDispute: (_place, id) => disputeAtCheckout(needs, id),
      findHoldEnd: (payment) => holdEndAtCheckout(needs, payment),
    },
  }
}
