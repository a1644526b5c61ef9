// Checkout.com as a gateway of live accounts. A charge is a payment that is authorized and then
// captured by itself, a pre_auth one that is only authorized. Captures, voids and refunds are
// actions on it, which are accepted at once and decided later. A void releases a hold, and returns
// a captured charge in full.

import { MINUTE } from '../../../core/time-units.ts'
import type { Gateway } from '../port.ts'
import { carryOut } from './carry-out.ts'
import { changesSince, fetchDispute, fetchHoldEnd } from './feed.ts'
import { giveUp } from './give-up.ts'
import { entriesBetween, entriesOf } from './ledger.ts'
import { lookUp } from './look-up.ts'
import { forgetMethod, keepMethod } from './methods.ts'
import { readNotice } from './notices.ts'
import type { CheckoutNeeds } from './records.ts'
import { readCheckoutToken } from './token.ts'

interface CheckoutGatewayNeeds extends Omit<CheckoutNeeds, 'recordedWithinMs'> {
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
    carryOut: (order, signal) => carryOut(needs, order, signal),
    lookUp: (order, signal) => lookUp(needs, order, signal),
    giveUp: (order, signal) => giveUp(needs, order, signal),
    // Checkout.com settles by itself.
    entriesOf: (accountId, orders) => entriesOf(needs, accountId, orders),
    entriesBetween: (window) => entriesBetween(needs, window),
    redeemToken: async () => undefined,
    keepMethod: (accountId, method) => keepMethod(needs, accountId, method),
    forgetMethod: (token) => forgetMethod(needs, token),
    // The same card, verified twice, may be stored once.
    storedAs: (token) => readCheckoutToken(token).source,
    notices: {
      header: 'cko-signature',
      read: async (body, signature) => readNotice(webhookSecrets, body, signature),
    },
    // Its payouts are not read.
    feed: {
      hasPlaces: false,
      since: (_place, since) => changesSince(needs, since),
      findDispute: (_place, id) => fetchDispute(needs, id),
      findHoldEnd: (payment) => fetchHoldEnd(needs, payment),
    },
  }
}
