// The pages of a payment link: the payment form, and the outcome of a payment.

import type { FastifyInstance } from 'fastify'
import { type Cents, toDecimal } from '../core/money.ts'
import { refusalOfAmount } from '../links/find-link.ts'
import { shownLines } from '../messages/shown.ts'
import type { Gateway } from '../outside/gateway/port.ts'
import { acceptCharge } from '../payments/accept/accept-charge.ts'
import { STRANGERS_FORM } from '../web/forms.ts'
import type { World } from '../world.ts'
import { answerPage } from './answer-errors.tsx'
import { limitPayers } from './limit-payers.ts'
import { beginningOf, findPagePayment } from './page-payment.ts'
import type { PagePaymentInput } from './page-payment-input.ts'
import { nameOfPage, refuseFromElsewhere } from './page-requests.ts'
import { allowTokens, hostedOf, type PageTokens, pageTokensOf } from './page-tokens.ts'
import { PayForm } from './parts/pay-form.tsx'
import { PayPage } from './parts/pay-page.tsx'
import { LargeAmount, MerchantText } from './parts/shown.tsx'
import type { PaymentPage } from './payment-page.tsx'
import { answerPaymentPage } from './payment-page.tsx'
import {
  gatewayForPayers,
  refuseDeleted,
  refuseInactive,
  refusePaymentWhileAdvancing,
  unknownPage,
} from './payment-refusals.ts'
import { type LinkPage, linkPageSettings, readLinkPage } from './read-link-page.ts'
import { answerPagePayment, PAGE_CHANNEL, type Payable } from './take-page-payment.ts'
import { viewerOf } from './viewer.ts'

const CURRENCY = 'USD'

interface LinkParams {
  readonly link: string
  readonly nonce: string
}

export function linkPages(own: FastifyInstance, world: World): void {
  own.get<{ Params: LinkParams; Querystring: { amount?: unknown } }>(
    '/pay/:link',
    async (request, reply) => {
      const page = await findLinkPage(world, request.params.link)
      const tokens = await pageTokensOf(gatewayOfLink(world, page), page.payee)
      const viewer = viewerOf(request, page.payee)
      allowTokens(reply, tokens)
      return answerPage(
        reply,
        viewer,
        <LinkSheet page={page} tokens={tokens} wanted={request.query.amount} />,
      )
    },
  )
  own.post<{ Params: LinkParams }>('/pay/:link', STRANGERS_FORM, async (request, reply) => {
    refuseFromElsewhere(request)
    await limitPayers(world, reply, 'payment')
    const page = await findLinkPage(world, request.params.link)
    return answerPagePayment(world, reply, page.payee, (input) => payableLink(world, page, input))
  })
  own.get<{ Params: LinkParams }>('/pay/:link/:nonce', async (request, reply) => {
    const { link, nonce } = request.params
    const page = await paymentThroughLink(world, link, nonce)
    return answerPaymentPage(world, reply, page)
  })
}

/** Finds the payment that was started under the nonce. */
export async function paymentThroughLink(
  world: World,
  name: string,
  nonce: string,
): Promise<PaymentPage> {
  const { payee, link } = await findLinkPage(world, name)
  const payment = await findPagePayment(world, payee, { paymentLinkId: link.id }, nonce)
  // A payer can still see a payment made through a deleted link; other visitors see it as deleted.
  if (payment === undefined) refuseDeleted(payee, link)
  const from = pathOfLink({ link })
  const { redirect } = linkPageSettings(link)
  const total = payment === undefined ? '' : toDecimal(payment.total).toFixed(2)
  return {
    payee,
    payment,
    from,
    nonce,
    redirect,
    again: isOpen(link) ? `${from}?amount=${total}` : from,
    about: (
      <p class="quiet">
        <MerchantText>{link.commonName}</MerchantText>
      </p>
    ),
  }
}

export function pathOfLink({ link }: Pick<LinkPage, 'link'>): string {
  return `/pay/${link.id}`
}

export async function findLinkPage(world: World, name: string): Promise<LinkPage> {
  const page = await world.db.ask(readLinkPage, { id: nameOfPage(name) })
  if (page === undefined) throw unknownPage()
  return page
}

/** Throws when the link takes no payments. */
export function gatewayOfLink(world: World, { payee, link }: LinkPage): Gateway {
  refuseDeleted(payee, link)
  const gateway = gatewayForPayers(world, payee)
  refuseInactive(payee, link)
  return gateway
}

/** True when the payer may enter the amount. */
function isOpen(link: LinkPage['link']): boolean {
  return link.amount === null || linkPageSettings(link).isTotalEditable
}

function payableLink(world: World, page: LinkPage, input: PagePaymentInput): Payable {
  const { payee, link } = page
  return {
    payee,
    path: pathOfLink(page),
    customerId: undefined,
    refuse() {
      gatewayOfLink(world, page)
      refusePaymentWhileAdvancing(payee)
      const refusal = refusalOfAmount({ ...link, ...linkPageSettings(link) }, input.amount)
      if (refusal !== undefined) throw refusal
    },
    begun: () => beginningOf(world, payee, { paymentLinkId: link.id }, input.nonce),
    accept: (context, paymentMethodId) =>
      acceptCharge(world, payee, context, {
        total: input.amount,
        currency: CURRENCY,
        paymentMethodId,
        isPreAuth: false,
        channel: PAGE_CHANNEL,
        invoiceId: undefined,
        paymentLinkId: link.id,
        funding: undefined,
        receiptTo: input.email,
        meta: {},
      }),
  }
}

interface LinkSheetProps {
  readonly page: LinkPage
  readonly tokens: PageTokens
  /** The amount in the page's query string. */
  readonly wanted: unknown
}

function LinkSheet({ page: { payee, link }, tokens, wanted }: LinkSheetProps) {
  const { memo } = linkPageSettings(link)
  const path = pathOfLink({ link })
  const fixed = isOpen(link) ? undefined : (link.amount ?? undefined)
  return (
    <PayPage
      title={link.commonName}
      payee={payee}
      state="form"
      subject={path}
      hosted={hostedOf(tokens)}
    >
      <div class="stack what">
        <h1>
          <MerchantText>{link.commonName}</MerchantText>
        </h1>
        {fixed === undefined ? null : <LargeAmount cents={fixed} currency={CURRENCY} />}
        {memo === undefined ? null : (
          <p class="memo" dir="auto">
            {shownLines(memo)}
          </p>
        )}
      </div>
      <PayForm
        {...{ payee, path, tokens }}
        subject={{ link: link.id }}
        currency={CURRENCY}
        amount={fixed}
        typedAmount={typedAtFirst(link.amount, wanted)}
      />
    </PayPage>
  )
}

const TYPED = /^[\d.,]{1,16}$/

function typedAtFirst(amount: Cents | null, wanted: unknown): string {
  if (typeof wanted === 'string' && TYPED.test(wanted)) return wanted
  return amount === null ? '' : toDecimal(amount).toFixed(2)
}
