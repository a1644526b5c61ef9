// The API server's part of a charge: it writes the due payment. From that commit on the charge will
// be made, whatever happens to the queue, this process, or the caller.

import type { ActingAccount, RequestContext } from '../../accounts/acting-account.ts'
import { Refusal, unknownId, wrongField } from '../../core/errors.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import { undeleted } from '../../core/or-not-found.ts'
import { methodColumns } from '../../customers/payment-method.ts'
import { asStored, type CanonicalRequest } from '../../idempotency/compare-requests.ts'
import { type AcceptedRequest, findClaim } from '../../idempotency/find-claim.ts'
import { linkForCharge, refusalOfPayment } from '../../links/find-link.ts'
import type { World } from '../../world.ts'
import { acceptInvoicePayment, type InvoicePaymentInput } from './accept-invoice-payment.ts'
import { acceptPayment, type PaymentToAccept, workTimes } from './accept-payment.ts'
import { strandedMethod } from './stranded-method.ts'

export interface NewCharge {
  readonly total: Cents
  readonly currency: string
  readonly paymentMethodId: string
  readonly isPreAuth: boolean
  readonly channel: string | undefined
  readonly invoiceId: string | undefined
  readonly paymentLinkId: string | undefined
  readonly funding: readonly Share[] | undefined
  /** The payer's address for the receipt, whatever the account's settings say. */
  readonly receiptTo?: string | undefined
  readonly meta: Readonly<Record<string, unknown>>
}

const OPERATION = 'charge'

export async function acceptCharge(
  world: World,
  caller: ActingAccount,
  context: RequestContext,
  charge: NewCharge,
): Promise<AcceptedRequest> {
  const request = canonical(charge)
  const refusal = refusalOf(world, caller, charge) ?? (await refusalOfLink(world, context, charge))
  if (charge.invoiceId !== undefined) {
    const input = invoicePaymentInput(charge, charge.invoiceId, request, refusal)
    return acceptInvoicePayment(world, context, input)
  }
  const payment = newPayment(world, context, charge, request)
  const written = refusal === undefined ? await world.db.ask(acceptPayment, payment) : undefined
  if (written?.isMade === true) {
    return { id: payment.id, work: 'charge' }
  }
  // A repeat gets its answer even if the same request would be refused by now.
  const claim = await findClaim(world, context, { operation: OPERATION, request })
  if (claim !== undefined) return { id: claim.resourceId, work: undefined }
  if (written?.isClockAdvancing === true) throw new Refusal('clock_advancing')
  throw refusal ?? (await refusalOfMethod(world, payment))
}

/** Faults that the request alone shows. */
function refusalOf(world: World, caller: ActingAccount, charge: NewCharge): Refusal | undefined {
  const refusal = world.gateways.refusalOf(caller)
  if (refusal !== undefined) return refusal
  if (charge.invoiceId !== undefined && charge.isPreAuth) {
    return wrongField('pre_auth', 'cannot be set with invoice_id: a charge pays an invoice')
  }
  return charge.funding && refusalOfShares(caller, charge.total, charge.funding)
}

async function refusalOfLink(
  world: World,
  { accountId }: RequestContext,
  { paymentLinkId, total }: NewCharge,
): Promise<Refusal | undefined> {
  if (paymentLinkId === undefined) return undefined
  return refusalOfPayment(await linkForCharge(world, accountId, paymentLinkId), total)
}

function invoicePaymentInput(
  charge: NewCharge,
  invoiceId: string,
  request: CanonicalRequest,
  refusal: Refusal | undefined,
): InvoicePaymentInput {
  return {
    operation: OPERATION,
    invoiceId,
    paymentMethodId: charge.paymentMethodId,
    total: charge.total,
    channel: charge.channel ?? null,
    meta: charge.meta,
    paymentLinkId: charge.paymentLinkId ?? null,
    funding: charge.funding?.map(shareAsSent) ?? null,
    receiptTo: charge.receiptTo,
    request,
    refusal,
  }
}

function newPayment(
  world: World,
  context: RequestContext,
  charge: NewCharge,
  request: CanonicalRequest,
): PaymentToAccept {
  const createdAt = world.clock.now()
  const { dueAt, deadlineAt } = workTimes(world, createdAt)
  return {
    accountId: context.accountId,
    id: world.newId(),
    type: charge.isPreAuth ? 'pre_auth' : 'charge',
    total: charge.total,
    currency: charge.currency,
    paymentMethodId: charge.paymentMethodId,
    channel: charge.channel ?? null,
    paymentLinkId: charge.paymentLinkId ?? null,
    idempotencyId: context.idempotencyKey ?? null,
    gateways: world.gateways.names,
    request: JSON.stringify(request),
    funding: charge.funding === undefined ? null : JSON.stringify(charge.funding.map(shareAsSent)),
    receiptTo: charge.receiptTo ?? null,
    meta: JSON.stringify(charge.meta),
    requestId: context.requestId,
    dueAt,
    deadlineAt,
    createdAt,
  }
}

/** The payment was not written because of its payment method. */
async function refusalOfMethod(
  world: World,
  { accountId, paymentMethodId: id }: PaymentToAccept,
): Promise<Refusal> {
  const method = undeleted(await methodColumns.find(world.db.query, { accountId, id }))
  if (method === undefined || method.customerId === null) return unknownId('payment_method_id')
  if (!world.gateways.serves(method)) return strandedMethod(method)
  return wrongField('pre_auth', 'cannot be set for a bank account: live gateways hold only cards')
}

/** The parsed request with its defaults: 12.5 and "12.50" are equal here. */
function canonical(charge: NewCharge): CanonicalRequest {
  return asStored({
    total: toDecimal(charge.total),
    currency: charge.currency,
    payment_method_id: charge.paymentMethodId,
    pre_auth: charge.isPreAuth,
    channel: charge.channel,
    invoice_id: charge.invoiceId,
    payment_link_id: charge.paymentLinkId,
    funding: charge.funding?.map(shareAsSent),
    meta: charge.meta,
  })
}

function shareAsSent({ accountId, amount, memo }: Share) {
  return { account_id: accountId, amount: toDecimal(amount), memo: memo ?? null }
}

interface Share {
  readonly accountId: string
  readonly amount: Cents
  readonly memo: string | undefined
}

/** Split Funding: how a charge's money is spread over several accounts of the merchant's choice. */
function refusalOfShares(
  caller: ActingAccount,
  total: Cents,
  shares: readonly Share[],
): Refusal | undefined {
  if (!caller.team.splitFundingEnabled) return new Refusal('split_funding_not_enabled')
  // All the money would go to one account, whatever the shares say.
  if (caller.mode === 'live') {
    const fault = 'is possible in the sandbox only: no live gateway divides a payment'
    return wrongField('funding', fault)
  }
  const sum = shares.reduce((all, share) => all + share.amount, 0n)
  if (sum === total) return undefined
  return wrongField('funding', 'must add up to total')
}
