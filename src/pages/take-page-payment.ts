// The way of a payment from a page. Every step has a key that is made of the page's nonce: a second
// click, a tab that was doubled, a request that the browser repeats since its answer was lost, all
// come to the one payment.
//
//   refuse   everything that can be refused is refused, before anything is written for the payer
//   count    an attempt; too many that are not approved are refused
//   redeem   the gateway gives its token to this payment, and to no other from here on
//   method   the token becomes a payment method, and its payer a customer where there was none
//              died here: a payment method that nobody used
//   accept   the payment is written and owed; from here on it is made
//   wait     a moment, for those who are quick; whoever is not is told on the payment's own page

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import { SECOND } from '../core/time-units.ts'
import { digestOf, keepBrowserToken } from '../customers/keep-browser-token.ts'
import { promptDeliveries } from '../deliveries/prompt-deliveries.ts'
import { awaitOutcome } from '../payments/await-outcome.ts'
import { booksOfCaller } from '../payments/books.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { limitAttempts } from './limit-payers.ts'
import { keyOf, type PagePayment, type PaymentState, stateOf } from './page-payment.ts'
import { askingOf, type Payee } from './payee.ts'
import type { PageWish } from './read-wish.ts'
import { Standstill } from './standing.ts'

/** How transactions tell that they came from a page. */
export const PAGE_CHANNEL = 'page'

/** A page that shows nothing new for longer than this looks broken. */
const MOST_WAIT_MS = 3 * SECOND

interface Accepted {
  readonly id: string
  readonly isNew: boolean
  /** Once it is approved; absent of a payment that was begun before. */
  readonly uncount?: () => Promise<void>
}

export interface Payable {
  readonly payee: Payee
  /** The path of the page. */
  readonly path: string
  /** Whose payment method it is to be; undefined for somebody new. */
  readonly customerId: string | undefined
  /** Throws where the payment cannot be made, as far as can be known before anything is written. */
  refuse(): void
  accept(asking: Asking, paymentMethodId: string): Promise<Accepted>
  /** The payment that was begun under the nonce, if there is one. */
  begun(): Promise<PagePayment | undefined>
}

/** The request that brings the payment, and its answer. */
interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export async function takePagePayment(
  world: World,
  exchange: Exchange,
  payable: Payable,
  wish: PageWish,
): Promise<PaymentState> {
  const { payee } = payable
  const { accountId } = payee
  const { id, isNew, uncount } = await accepted(world, exchange, payable, wish)
  const books = booksOfCaller(world, payee)
  const waiting = { accountId, id, books, isRepeat: !isNew, waitMs: MOST_WAIT_MS }
  const { status } = await awaitOutcome(world, waiting)
  promptDeliveries(world, accountId)
  if (status === 'SUCCESS') await uncount?.()
  return stateOf({ status, isVoided: false })
}

async function accepted(
  world: World,
  { request, reply }: Exchange,
  payable: Payable,
  wish: PageWish,
): Promise<Accepted> {
  try {
    const before = await payable.begun()
    if (before !== undefined) return { id: before.id, isNew: false }
    payable.refuse()
    const uncount = await limitAttempts(world, request, reply, payable.path)
    const paymentMethodId = await methodOf(world, request.id, payable, wish)
    const asking = askingOf(payable.payee, request.id, keyOf(wish.nonce))
    return { ...(await payable.accept(asking, paymentMethodId)), uncount }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Begun by another tab in this very moment, perhaps with another card.
    const begun = error.code === 'idempotency_conflict' ? await payable.begun() : undefined
    if (begun === undefined) throw inWords(payable.payee, error)
    return { id: begun.id, isNew: false }
  }
}

/** Another card under the same nonce is another payment method: only the payment is but one. */
function methodOf(
  world: World,
  requestId: string,
  { payee, path, customerId }: Payable,
  { nonce, token, name, email }: PageWish,
): Promise<string> {
  const key = `${keyOf(nonce)}-method-${digestOf(token)}`
  const asking = { ...askingOf(payee, requestId, key), mode: payee.mode }
  const brought = { token, page: path, redeemedFor: keyOf(nonce) }
  return keepBrowserToken(world, asking, { ...brought, customerId, personName: name, email })
}

/** What the rows refused at the last moment; the page, loaded again, says how things are by now. */
function inWords(payee: Payee, refusal: Refusal): Error {
  const { code, faults = {} } = refusal
  if ('token' in faults) {
    const message = 'It was open for too long. Nothing was charged: please type the card again.'
    return new PageRefusal(400, 'Please type the card again', message)
  }
  if ('total' in faults || code === 'partial_payment_not_supported')
    return new Standstill(payee, 409, 'The amount has changed', NOTHING)
  switch (code) {
    case 'payment_link_deleted':
      return new Standstill(payee, 410, 'This payment page is gone', NOTHING)
    case 'payment_link_inactive':
    case 'invoice_already_paid':
    case 'payment_under_way':
    case 'wrong_state':
      return new Standstill(payee, 409, 'It cannot be paid any more', NOTHING)
    default:
      return refusal
  }
}

const NOTHING = 'Nothing was charged by this try.'
