// The API server's part of a payment of an invoice. It decides by the invoice's row and writes the
// due payment, in one commit that locks the invoice: of two payers, the second sees the first one's
// payment.

import type { RequestContext } from '../../accounts/acting-account.ts'
import type { Caller } from '../../accounts/find-caller.ts'
import { holdReadyClock } from '../../accounts/hold-clock.ts'
import { Refusal, unknownId, wrongField } from '../../core/errors.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import { methodColumns } from '../../customers/payment-method.ts'
import type { Query } from '../../db/database.ts'
import type { PaymentMethod, Prisma, Transaction } from '../../generated/client.ts'
import { claimKey } from '../../idempotency/claim-key.ts'
import type { CanonicalRequest } from '../../idempotency/compare-requests.ts'
import { type AcceptedRequest, acceptedBefore } from '../../idempotency/find-claim.ts'
import {
  holdInvoice,
  type InvoiceRow,
  invoices,
  refuseUnpayable,
  turnOfInvoice,
} from '../../invoices/invoice.ts'
import { writeInvoices } from '../../invoices/write-invoices.ts'
import type { World } from '../../world.ts'
import { insertNewOwn, transactionWith } from '../transaction/transaction-row.ts'
import { workTimes } from './accept-payment.ts'
import { strandedMethod } from './stranded-method.ts'

/** A request to pay an invoice. */
export interface InvoicePaymentInput {
  readonly operation: 'charge' | 'pay_invoice'
  readonly invoiceId: string
  /** The invoice's own if absent. */
  readonly paymentMethodId: string | undefined
  /** The amount that the payer expects. Undefined if the payer accepts any. */
  readonly total: Cents | undefined
  /** The invoice's own if absent. */
  readonly channel?: string | null
  readonly meta?: Readonly<Record<string, unknown>>
  readonly paymentLinkId: string | null
  readonly funding: Prisma.JsonValue
  /** The payer's address for the receipt, whatever the account's settings say. */
  readonly receiptTo?: string | undefined
  /** All fields except the payment method. */
  readonly request: CanonicalRequest
  /** A refusal that does not depend on the invoice. A repeat gets its answer all the same. */
  readonly refusal: Refusal | undefined
}

export async function acceptInvoicePayment(
  world: World,
  context: RequestContext,
  input: InvoicePaymentInput,
): Promise<AcceptedRequest> {
  const id = world.newId()
  const { accountId } = context
  const key = { accountId, id: input.invoiceId }
  const { operation } = input
  const repeatOf = await world.db.commit(turnOfInvoice(key), async (query) => {
    const timed = await holdReadyClock(query, context)
    const known = await invoices.find(query, key)
    if (known === undefined) throw unknownInvoice(operation)
    const named = input.paymentMethodId ?? known.paymentMethodId
    const request = { ...input.request, payment_method_id: named }
    // A repeat gets its answer even if the same request would be refused by now. The key comes
    // before the row, as for all requests, so that two with one key never wait for each other.
    const claim = { operation, request, resourceId: id }
    if (!(await claimKey(world, query, context, claim))) return request
    const invoice = await holdInvoice(query, key)
    if (input.refusal !== undefined) throw input.refusal
    refuseByInvoice(invoice, operation, input.total)
    // A change may have come in between: its total goes with its payment method.
    const paymentMethodId = input.paymentMethodId ?? invoice.paymentMethodId
    if (paymentMethodId === null) {
      throw wrongField('payment_method_id', 'is required: the invoice has none')
    }
    const paymentMethod = await requirePaymentMethod(query, invoice, input, paymentMethodId)
    if (!world.gateways.serves(paymentMethod)) throw strandedMethod(paymentMethod)
    await begin(world, query, timed, invoice, input, { id, paymentMethod })
    return undefined
  })
  if (repeatOf !== undefined) {
    // The invoice's own payment method may have changed since.
    const left = input.paymentMethodId === undefined ? ['payment_method_id'] : []
    return acceptedBefore(world, context, { operation, request: repeatOf, left })
  }
  return { id, work: 'charge' }
}

/** A charge names the invoice in a field, all others in the path. */
function unknownInvoice(operation: InvoicePaymentInput['operation']): Refusal {
  return operation === 'charge' ? unknownId('invoice_id') : new Refusal('not_found')
}

/** Throws if the invoice cannot be paid in this way now. */
export function refuseByInvoice(
  invoice: InvoiceRow,
  operation: InvoicePaymentInput['operation'] | 'pay_invoice_by_hand',
  total: Cents | undefined,
): void {
  refuseUnpayable(invoice)
  const due = invoice.total - invoice.totalPaid
  if (total === undefined || total === due) return
  const fault = `must be ${toDecimal(due)}, the balance due of the invoice`
  if (operation === 'charge') throw wrongField('total', fault)
  const field = operation === 'pay_invoice' ? 'apply_balance' : 'total'
  throw new Refusal('partial_payment_not_supported', { faults: { [field]: [fault] } })
}

/**
 * A deletion locks the same rows, the customer first, and then looks for payments: so it waits for
 * this one and is refused, or this one finds nothing.
 */
const HOLD_PAYMENT_METHOD = `
  SELECT ${methodColumns.list} FROM payment_method m
  JOIN customer c ON c.account_id = m.account_id AND c.id = m.customer_id
  WHERE m.account_id = $1 AND m.id = $2 AND m.deleted_at IS NULL
  FOR KEY SHARE OF c, m`

/** Cash and check are unknown here, because no gateway charges them. */
async function requirePaymentMethod(
  query: Query,
  { accountId, customerId }: InvoiceRow,
  input: InvoicePaymentInput,
  paymentMethodId: string,
): Promise<PaymentMethod> {
  const [found] = await query(HOLD_PAYMENT_METHOD, [accountId, paymentMethodId])
  if (found?.m_customer_id === customerId) return methodColumns.read(found)
  const field = 'payment_method_id'
  if (found !== undefined) throw wrongField(field, 'belongs to another customer')
  if (input.paymentMethodId === undefined) {
    throw wrongField(field, "is required: the invoice's own is deleted")
  }
  throw unknownId(field)
}

async function begin(
  world: World,
  query: Query,
  context: RequestContext,
  invoice: InvoiceRow,
  input: InvoicePaymentInput,
  { id, paymentMethod }: { readonly id: string; readonly paymentMethod: PaymentMethod },
): Promise<void> {
  const at = world.accountNow(context)
  const { requestId } = context
  const payment = newInvoicePayment(world, invoice, paymentMethod, at, {
    id,
    channel: input.channel === undefined ? invoice.channel : input.channel,
    paymentLinkId: input.paymentLinkId,
    idempotencyId: context.idempotencyKey ?? null,
    funding: input.funding,
    receiptTo: input.receiptTo ?? null,
    meta: (input.meta ?? invoice.meta) as Prisma.JsonObject,
    requestId,
  })
  const made = await insertNewOwn(query, payment)
  if (!made.has(id)) throw new Refusal('payment_under_way')
  const change = { paymentId: id, retryAt: null, dueAt: null }
  await writeInvoices(world, query, [{ held: invoice, change, requestId, at }])
}

/**
 * A due payment of the rest of an invoice. `at` is in the account's own time. `own` has the columns
 * that do not come from the invoice.
 */
export function newInvoicePayment(
  world: World,
  invoice: InvoiceRow,
  { id: paymentMethodId, method, gatewayName, lastFour }: PaymentMethod,
  at: Date,
  own: Pick<Transaction, 'id'> & Partial<Transaction>,
): Transaction {
  const { accountId, currency, channel, customerId, scheduleId, meta, requestId } = invoice
  return transactionWith({
    accountId,
    type: 'charge',
    method,
    status: 'PENDING',
    currency,
    total: invoice.total - invoice.totalPaid,
    channel,
    customerId,
    paymentMethodId,
    invoiceId: invoice.id,
    scheduleId,
    gatewayName,
    lastFour,
    meta,
    requestId,
    owed: 'charge',
    ...workTimes(world, at),
    createdAt: at,
    updatedAt: at,
    ...own,
  })
}

interface PayInvoice {
  readonly invoiceId: string
  /** The invoice's own if absent. */
  readonly paymentMethodId: string | undefined
  /** The amount that the caller expects to be due. */
  readonly applyBalance: Cents | undefined
  /** The invoice's own if absent. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

/** Pays the due amount of an invoice, for a request of the API. */
export function payInvoice(
  world: World,
  caller: Caller,
  context: RequestContext,
  { invoiceId, paymentMethodId, applyBalance, meta }: PayInvoice,
): Promise<AcceptedRequest> {
  return acceptInvoicePayment(world, context, {
    operation: 'pay_invoice',
    invoiceId,
    paymentMethodId,
    total: applyBalance,
    ...(meta === undefined ? {} : { meta }),
    paymentLinkId: null,
    funding: null,
    request: {
      invoice_id: invoiceId,
      ...(applyBalance === undefined ? {} : { apply_balance: toDecimal(applyBalance) }),
      ...(meta === undefined ? {} : { meta }),
    },
    refusal: world.gateways.refusalOf(caller),
  })
}
