// Takes a payment from a page. Each step's idempotency key is made from the page's nonce, so a
// second click, a duplicated tab and a repeated request all lead to the same payment.
//
//   refuse   every refusal that is known by then comes before anything is written for the payer
//   count    attempts are counted; too many that failed are refused
//   redeem   the gateway binds its token to this payment, and refuses it for any other
//   method   the token becomes a payment method, and the payer a customer where there was none;
//            a crash here leaves a payment method that no payment uses
//   accept   the payment is written with a due time, so a worker will charge it; a refusal here, by
//            what has changed since, leaves that payment method too
//   wait     up to three seconds, and not on while a bank asks the payer: a slower outcome, and the
//            bank's question, appear on the payment's own page

import type { FastifyReply } from 'fastify'
import type { RequestContext } from '../accounts/acting-account.ts'
import { Refusal } from '../core/errors.ts'
import { SECOND } from '../core/time-units.ts'
import { digestOf, keepBrowserToken } from '../customers/keep-browser-token.ts'
import { startDueDeliveries } from '../deliveries/start-due-deliveries.ts'
import type { AcceptedRequest } from '../idempotency/find-claim.ts'
import { startAndAwaitOutcome } from '../payments/answer/await-outcome.ts'
import { contextOfCaller } from '../payments/transaction/account-context.ts'
import type { World } from '../world.ts'
import { answerJson } from './answer-errors.tsx'
import { type CountedAttempt, limitAttempts } from './limit-payers.ts'
import { keyOf, type PagePayment, type PaymentState, paymentStateOf } from './page-payment.ts'
import { type PagePaymentInput, pagePaymentInput } from './page-payment-input.ts'
import { type Payee, payeeContextOf } from './payee.ts'
import { billClosed, PayerRefusal, PaymentRefusal } from './payment-refusals.ts'
import { inLanguage, viewerOf } from './viewer.ts'

/** The channel of transactions that came from a page. */
export const PAGE_CHANNEL = 'page'

/** A page that shows nothing new for longer looks broken. */
const MOST_WAIT_MS = 3 * SECOND

interface Accepted extends AcceptedRequest {
  /** Absent for a payment that was started before. */
  readonly attempt?: CountedAttempt
}

export interface Payable {
  readonly payee: Payee
  readonly path: string
  /** The owner of the payment method; undefined creates a customer. */
  readonly customerId: string | undefined
  /** Throws when the payment is known to be impossible before anything is written. */
  refuse(): void
  accept(context: RequestContext, paymentMethodId: string): Promise<Accepted>
  /** Returns the payment that was started under the nonce, if any. */
  begun(): Promise<PagePayment | undefined>
}

/** Answers the page's script: what is wrong with the fields, or where the outcome is shown. */
export async function answerPagePayment(
  world: World,
  reply: FastifyReply,
  payee: Payee,
  payableOf: (input: PagePaymentInput) => Payable,
): Promise<FastifyReply> {
  const { request } = reply
  const viewer = viewerOf(request, payee)
  const read = pagePaymentInput(request.body, viewer.texts)
  if ('faults' in read) return answerJson(inLanguage(reply, viewer), 400, read)
  const payable = payableOf(read.input)
  const state = await takePagePayment(world, reply, payable, read.input)
  return answerJson(reply, 200, { state, next: `${payable.path}/${read.input.nonce}` })
}

async function takePagePayment(
  world: World,
  reply: FastifyReply,
  payable: Payable,
  input: PagePaymentInput,
): Promise<PaymentState> {
  const { payee } = payable
  const { accountId } = payee
  const { id, work, attempt } = await accepted(world, reply, payable, input)
  const accountContext = contextOfCaller(world, payee)
  const requestId = reply.request.id
  const wait = { work, requestId, waitMs: MOST_WAIT_MS, untilLeftOpen: true }
  const { status } = await startAndAwaitOutcome(world, { accountId, id, accountContext, ...wait })
  startDueDeliveries(world, accountId)
  if (status !== 'FAILED') await attempt?.takeBack()
  if (status === 'PENDING' && attempt !== undefined) countIfItFails(world, payable, attempt)
  // One that was started before may have been voided since.
  const now = work === undefined ? await payable.begun() : undefined
  return paymentStateOf(now ?? { status, isVoided: false, takenBack: 0n })
}

/**
 * A payer's bank may ask, and a debit takes days: neither is a stolen card. But a gateway that is
 * slow to decline must not make the testing of cards free. A process that ends forgets to look.
 */
function countIfItFails(world: World, payable: Payable, attempt: CountedAttempt): void {
  const look = async () => {
    if ((await payable.begun())?.status === 'FAILED') await attempt.countAgain()
  }
  const report = (err: unknown) => world.log.debug({ err }, 'a late failure was not counted')
  setTimeout(() => look().catch(report), world.timings.lateFailureMs).unref()
}

async function accepted(
  world: World,
  reply: FastifyReply,
  payable: Payable,
  input: PagePaymentInput,
): Promise<Accepted> {
  const { id: requestId } = reply.request
  try {
    const before = await payable.begun()
    if (before !== undefined) return { id: before.id, work: undefined }
    payable.refuse()
    const attempt = await limitAttempts(world, reply, payable.path)
    const paymentMethodId = await methodOf(world, requestId, payable, input)
    const context = payeeContextOf(payable.payee, requestId, keyOf(input.nonce))
    return { ...(await acceptOrTakeBack(payable, context, paymentMethodId, attempt)), attempt }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Another tab has started the payment at the same moment, perhaps with another card.
    const begun = error.code === 'idempotency_conflict' ? await payable.begun() : undefined
    if (begun === undefined) throw inWords(payable.payee, error)
    return { id: begun.id, work: undefined }
  }
}

/** A payment that the rows refuse, as another window has paid the bill, has tried no card. */
async function acceptOrTakeBack(
  payable: Payable,
  context: RequestContext,
  paymentMethodId: string,
  attempt: CountedAttempt,
): Promise<Accepted> {
  try {
    return await payable.accept(context, paymentMethodId)
  } catch (error) {
    if (error instanceof Refusal) await attempt.takeBack()
    throw error
  }
}

/** Another card under the same nonce is another payment method, though still the same payment. */
function methodOf(
  world: World,
  requestId: string,
  { payee, path, customerId }: Payable,
  { nonce, token, name, email }: PagePaymentInput,
): Promise<string> {
  const key = `${keyOf(nonce)}-method-${digestOf(token)}`
  const { liveGateway, mode } = payee
  const context = { ...payeeContextOf(payee, requestId, key), liveGateway, mode }
  const brought = { token, page: path, redeemedFor: keyOf(nonce) }
  return keepBrowserToken(world, context, { ...brought, customerId, personName: name, email })
}

/** Explains a refusal that the rows made at acceptance; a reloaded page shows the current state. */
function inWords(payee: Payee, refusal: Refusal): Error {
  const { code, faults = {} } = refusal
  if ('token' in faults) return new PayerRefusal(400, ({ refusals }) => refusals.tooLong)
  if ('customer_id' in faults) return billClosed(payee)
  if ('total' in faults || code === 'partial_payment_not_supported')
    return new PaymentRefusal(payee, 409, ({ refusals }) => refusals.amountChanged)
  switch (code) {
    case 'payment_link_deleted':
      return new PaymentRefusal(payee, 410, ({ refusals }) => refusals.goneMeanwhile)
    case 'payment_link_inactive':
    case 'invoice_already_paid':
    case 'payment_under_way':
    case 'wrong_state':
      return new PaymentRefusal(payee, 409, ({ refusals }) => refusals.notPayable)
    default:
      return refusal
  }
}
