// The page of a payment that was started on a payers' page. It shows the payment's current state at
// any time, and sends receipts.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { Refusal } from '../core/errors.ts'
import { addressKey } from '../core/mail-address.ts'
import { digestOf } from '../customers/keep-browser-token.ts'
import { startDueDeliveries } from '../deliveries/start-due-deliveries.ts'
import { requestReceipt } from '../messages/request-receipt.ts'
import { formOf } from '../web/forms.ts'
import type { World } from '../world.ts'
import { answerJson, answerPage, wantsJson } from './answer-errors.tsx'
import { keyOf, type PagePayment, paymentStateOf } from './page-payment.ts'
import { emailFault } from './page-payment-input.ts'
import { allowTokens, hostedOf, isInTestMode, pageTokensOf } from './page-tokens.ts'
import { OutcomePage } from './parts/outcome.tsx'
import { Notice } from './parts/pay-page.tsx'
import { type Payee, payeeContextOf } from './payee.ts'
import { refusePaymentWhileAdvancing } from './payment-refusals.ts'
import { pathFor, type Viewer, viewerOf } from './viewer.ts'

export interface PaymentPage {
  readonly payee: Payee
  /** Undefined when no payment was started under the nonce. */
  readonly payment: PagePayment | undefined
  /** The path of the page on which it was started. */
  readonly from: string
  readonly nonce: string
  /** The merchant's page for payers whose payment was approved. */
  readonly redirect: string | undefined
  /** The page on which to try again. */
  readonly again: string
  /** Describes what the payment was for. */
  readonly about: ComponentChildren
}

export async function answerPaymentPage(
  world: World,
  reply: FastifyReply,
  page: PaymentPage,
): Promise<FastifyReply> {
  const { request } = reply
  const { payee, payment, redirect, from, nonce } = page
  if (wantsJson(request)) {
    return answerJson(reply, 200, {
      state: payment === undefined ? 'unknown' : paymentStateOf(payment),
    })
  }
  const viewer = viewerOf(request, payee)
  if (payment === undefined) return answerUnknown(reply, viewer, page)
  if (redirect !== undefined && paymentStateOf(payment) === 'approved') {
    return reply.header('cache-control', 'no-store').redirect(redirect, 303)
  }
  const tokens = await tokensForStep(world, page)
  allowTokens(reply, tokens)
  const outcome = {
    payee,
    payment,
    again: pathFor(viewer, page.again),
    path: `${from}/${nonce}`,
    subject: from,
    hosted: hostedOf(tokens),
    isTestMode: isInTestMode(world.gateways.of(payee)),
    receipt: receiptOf(request),
  }
  return answerPage(reply, viewer, <OutcomePage {...outcome}>{page.about}</OutcomePage>)
}

/** Only a payment that is not decided can need its payer. */
async function tokensForStep(world: World, { payee, payment }: PaymentPage) {
  const isOpen = payment !== undefined && paymentStateOf(payment) === 'processing'
  const gateway = isOpen ? world.gateways.of(payee) : undefined
  if (gateway?.payerStepOf === undefined) return undefined
  return pageTokensOf(gateway, payee)
}

function answerUnknown(
  reply: FastifyReply,
  viewer: Viewer,
  { payee, from }: PaymentPage,
): FastifyReply {
  const { title, message, goBack } = viewer.texts.refusals.unknownPayment
  return answerPage(
    reply,
    viewer,
    <Notice title={title} payee={payee}>
      <p>{message}</p>
      <a class="button" href={pathFor(viewer, from)}>
        {goBack}
      </a>
    </Notice>,
    404,
  )
}

function receiptOf({ query }: FastifyRequest): 'sent' | 'refused' | undefined {
  const { receipt } = query as Readonly<Record<string, unknown>>
  return receipt === 'sent' || receipt === 'refused' ? receipt : undefined
}

/** A payment's receipts are for its payer and perhaps a bookkeeper, not for a crowd. */
const MOST_RECEIPTS = 5

const COUNT = `
  SELECT count(*)::integer AS count FROM delivery
  WHERE account_id = $1 AND subject_id = $2 AND channel = 'email'`

/** Sends one receipt to each address, however it is spelt. */
export async function sendReceipt(
  world: World,
  reply: FastifyReply,
  page: PaymentPage,
): Promise<FastifyReply> {
  const { request } = reply
  const { payee, from, nonce } = page
  refusePaymentWhileAdvancing(payee)
  const viewer = viewerOf(request, payee)
  const email = (formOf(request).email ?? '').trim()
  const isAddress = email !== '' && emailFault(email, viewer.texts.faults) === undefined
  const isSent = isAddress && (await queueReceipt(world, request.id, page, email))
  if (isSent) startDueDeliveries(world, payee.accountId)
  const next = `${from}/${nonce}?receipt=${isSent ? 'sent' : 'refused'}`
  return reply.redirect(pathFor(viewer, next), 303)
}

/** Returns false if the payment has no receipt to send, or was sent enough. */
async function queueReceipt(
  world: World,
  requestId: string,
  { payee, payment, nonce }: PaymentPage,
  email: string,
): Promise<boolean> {
  if (payment === undefined || paymentStateOf(payment) !== 'approved') return false
  if (!(await hasRoom(world, payee, payment.id))) return false
  const key = `${keyOf(nonce)}-receipt-${digestOf(addressKey(email))}`
  const context = payeeContextOf(payee, requestId, key)
  const input = { transactionId: payment.id, channel: 'email', copies: [email] } as const
  try {
    await requestReceipt(world, payee, context, { ...input, isForCopiesAlone: true })
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Others asked at the same moment.
    if (error.code === 'sent_too_often') return false
    // The same address got its receipt in another spelling.
    if (error.code === 'idempotency_conflict') return true
    throw error
  }
}

async function hasRoom(world: World, { accountId }: Payee, id: string): Promise<boolean> {
  const [row] = await world.db.query(COUNT, [accountId, id])
  return row?.count < MOST_RECEIPTS
}
