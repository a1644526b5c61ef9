// The payments of one schedule that are made at the same moment: those of missed runs, and their
// retries. On a live account they go to the gateway one after the other, since each try of a
// declined card counts with the card's network, and a bank may block a card that is tried fifty
// times in a second. Once one is declined, the others are not sent, as `declined-run.ts` of
// `payments/make` decides.

import type { Mode } from '../accounts/key.ts'
import { after, SECOND } from '../core/time-units.ts'
import type { Transaction } from '../generated/client.ts'

/** A gateway has nearly always answered by then. */
const APART_MS = 7 * SECOND

/**
 * The last of them waits no longer than a payment may: the sweep makes due what lies further ahead.
 * The others are made after them.
 */
export const MOST_IN_TURN = 50

/** How long the payment at this place of its schedule's payments waits for those before it. */
export function waitMsOf(mode: Mode, place: number): number {
  return mode === 'live' ? place * APART_MS : 0
}

export function waitingInTurn(payment: Transaction, mode: Mode, place: number): Transaction {
  const { dueAt } = payment
  return { ...payment, dueAt: dueAt && after(dueAt, waitMsOf(mode, place)) }
}
