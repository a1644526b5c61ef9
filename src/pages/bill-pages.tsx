// The pages of a bill: the amount due and its details, the payment form, and a payment's outcome.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { obstacleToPayment, viewed } from '../core/invoice.ts'
import { referenceOf } from '../core/reference.ts'
import { startDueDeliveries } from '../deliveries/start-due-deliveries.ts'
import { markViewed } from '../invoices/mark-viewed.ts'
import { billStoryOf } from '../messages/read-invoice.ts'
import { acceptInvoicePayment, refuseByInvoice } from '../payments/accept/accept-invoice-payment.ts'
import { STRANGERS_FORM } from '../web/forms.ts'
import type { World } from '../world.ts'
import { answerJson, answerPage, wantsJson } from './answer-errors.tsx'
import { limitPayers } from './limit-payers.ts'
import { beginningOf, findPagePayment } from './page-payment.ts'
import type { PagePaymentInput } from './page-payment-input.ts'
import { nameOfPage, refuseFromElsewhere } from './page-requests.ts'
import { allowTokens, isInTestMode, pageTokensOf } from './page-tokens.ts'
import { BillSheet } from './parts/bill-sheet.tsx'
import { answerPaymentPage, type PaymentPage } from './payment-page.tsx'
import {
  billClosed,
  gatewayForPayers,
  PaymentRefusal,
  refusePaymentWhileAdvancing,
  unknownPage,
} from './payment-refusals.ts'
import { type BillPage, readBillPage } from './read-bill-page.ts'
import { answerPagePayment, PAGE_CHANNEL, type Payable } from './take-page-payment.ts'
import { usePageViewer, viewerOf } from './viewer.ts'

interface BillParams {
  readonly bill: string
  readonly nonce: string
}

export function billPages(own: FastifyInstance, world: World): void {
  own.get<{ Params: BillParams }>('/bill/:bill', async (request, reply) => {
    const page = await findBillPage(world, request.params.bill)
    const { payee } = page
    const story = billStoryOf(page)
    if (wantsJson(request)) {
      return answerJson(reply, 200, { state: story === 'under way' ? 'processing' : 'final' })
    }
    if (story === undefined) throw canceled(page)
    const isPayable = story === 'to pay' || story === 'failed'
    if (isPayable) refuseDeletedCustomer(page)
    const gateway = isPayable ? gatewayForPayers(world, payee) : undefined
    const tokens = gateway && (await pageTokensOf(gateway, payee))
    await noteLook(world, request, page)
    allowTokens(reply, tokens)
    const viewer = viewerOf(request, payee)
    const isTestMode = isInTestMode(world.gateways.of(payee))
    const address = world.publicAddress() + pathOfBill(page)
    return answerPage(
      reply,
      viewer,
      <BillSheet {...{ page, story, tokens, isTestMode, address }} />,
    )
  })
  own.post<{ Params: BillParams }>('/bill/:bill', STRANGERS_FORM, async (request, reply) => {
    refuseFromElsewhere(request)
    await limitPayers(world, reply, 'payment')
    const page = await findBillPage(world, request.params.bill)
    return answerPagePayment(world, reply, page.payee, (input) => payableBill(world, page, input))
  })
  own.get<{ Params: BillParams }>('/bill/:bill/:nonce', async (request, reply) => {
    const { bill, nonce } = request.params
    return answerPaymentPage(world, reply, await paymentOfBill(world, bill, nonce))
  })
}

/** Finds the payment that was started under the nonce. */
export async function paymentOfBill(
  world: World,
  name: string,
  nonce: string,
): Promise<PaymentPage> {
  const page = await findBillPage(world, name)
  const { payee, invoice } = page
  const payment = await findPagePayment(world, payee, { invoiceId: invoice.id }, nonce)
  const from = pathOfBill(page)
  const about = <BillNumber id={invoice.id} />
  return { payee, payment, from, nonce, redirect: undefined, again: from, about }
}

function BillNumber({ id }: { id: string }) {
  return <p class="quiet">{usePageViewer().texts.bill.numbered(referenceOf(id))}</p>
}

export function pathOfBill({ invoice }: BillPage): string {
  return `/bill/${invoice.token}`
}

export async function findBillPage(world: World, name: string): Promise<BillPage> {
  const page = await world.db.ask(readBillPage, { token: nameOfPage(name) })
  if (page === undefined) throw unknownPage()
  return page
}

/** The first time a bill is shown marks it as viewed. A HEAD or a prefetch does not. */
async function noteLook(world: World, request: FastifyRequest, page: BillPage): Promise<void> {
  const { payee, invoice } = page
  const { method, headers, id } = request
  const isPrefetch = /prefetch/i.test(`${headers['sec-purpose']} ${headers.purpose}`)
  if (method !== 'GET' || isPrefetch || payee.isClockAdvancing) return
  if (viewed(invoice, world.accountNow(payee)) === undefined) return
  const isFirst = await markViewed(world, invoice, { clockAt: payee.clockAt, requestId: id })
  if (isFirst) startDueDeliveries(world, payee.accountId)
}

function canceled({ payee }: BillPage): PaymentRefusal {
  return new PaymentRefusal(payee, 410, ({ refusals }) => refusals.billCanceled)
}

/** Checked before a token is made and before it is stored; the row decides again at acceptance. */
export function refuseUnpayableBill(world: World, page: BillPage): void {
  const { payee, invoice } = page
  if (billStoryOf(page) === undefined) throw canceled(page)
  gatewayForPayers(world, payee)
  refusePaymentWhileAdvancing(payee)
  if (obstacleToPayment(invoice) !== undefined) {
    throw new PaymentRefusal(payee, 409, ({ refusals }) => refusals.paidTwice)
  }
  refuseDeletedCustomer(page)
}

/** A card belongs to a customer, and a deleted one gets none. */
function refuseDeletedCustomer({ payee, customer }: BillPage): void {
  if (customer.deletedAt !== null) throw billClosed(payee)
}

function payableBill(world: World, page: BillPage, input: PagePaymentInput): Payable {
  const { payee, invoice } = page
  const { id, customerId } = invoice
  return {
    payee,
    path: pathOfBill(page),
    customerId,
    refuse() {
      refuseUnpayableBill(world, page)
      refuseByInvoice(invoice, 'pay_invoice', input.amount)
    },
    begun: () => beginningOf(world, payee, { invoiceId: id }, input.nonce),
    accept: (context, paymentMethodId) =>
      acceptInvoicePayment(world, context, {
        operation: 'pay_invoice',
        invoiceId: id,
        paymentMethodId,
        total: input.amount,
        channel: PAGE_CHANNEL,
        paymentLinkId: null,
        funding: null,
        receiptTo: input.email,
        request: { invoice_id: id },
        refusal: undefined,
      }),
  }
}
