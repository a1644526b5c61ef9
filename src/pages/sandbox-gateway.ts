// The sandbox gateway's endpoint for cards. It plays an external company to which the payer's
// browser sends the card number directly, so the number reaches no other module and no log.

import type { FastifyInstance } from 'fastify'
import type { Instrument, Tokenising } from '../outside/gateway/port.ts'
import { STRANGERS_FORM } from '../web/forms.ts'
import type { World } from '../world.ts'
import { answerJson } from './answer-errors.tsx'
import { findBillPage, pathOfBill, refuseUnpayableBill } from './bill-pages.tsx'
import { limitPayers } from './limit-payers.ts'
import { findLinkPage, gatewayOfLink, pathOfLink } from './link-pages.tsx'
import { refuseFromElsewhere } from './page-requests.ts'
import type { Payee } from './payee.ts'
import { PayerRefusal, unknownPage } from './payment-refusals.ts'
import type { Texts } from './texts/en.ts'
import { inLanguage, viewerOf } from './viewer.ts'

export function sandboxGatewayRoutes(own: FastifyInstance, world: World): void {
  own.post('/sandbox-gateway/token', STRANGERS_FORM, async (request, reply) => {
    refuseFromElsewhere(request)
    await limitPayers(world, reply, 'token')
    const sent = textsOf(request.body)
    const { payee, path } = await pageOf(world, sent)
    const gateway = world.gateways.of(payee)
    if (gateway?.tokenise === undefined) throw unknownPage()
    const { accountId } = payee
    const now = world.accountNow(payee)
    const method = sent.method === 'bank' ? 'bank' : 'card'
    const instrument = instrumentOf(sent, method)
    const viewer = viewerOf(request, payee)
    const made = await gateway.tokenise(accountId, method, instrument, now, path)
    return answerJson(
      inLanguage(reply, viewer),
      made.kind === 'token' ? 200 : 400,
      answerOf(made, sent, viewer.texts),
    )
  })
}

type Sent = Readonly<Record<string, string>>

function textsOf(body: unknown): Sent {
  if (typeof body !== 'object' || body === null) {
    throw new PayerRefusal(400, ({ refusals }) => refusals.incomplete)
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'))
}

/** A token is valid on one page only, and only if that page takes payments. */
async function pageOf(
  world: World,
  { link, bill }: Sent,
): Promise<{ readonly payee: Payee; readonly path: string }> {
  if (link !== undefined) {
    const page = await findLinkPage(world, link)
    gatewayOfLink(world, page)
    return { payee: page.payee, path: pathOfLink(page) }
  }
  const page = await findBillPage(world, bill ?? '')
  refuseUnpayableBill(world, page)
  return { payee: page.payee, path: pathOfBill(page) }
}

/** Empty fields are errors too: a page accepts no card without its security code. */
function instrumentOf(sent: Sent, method: 'card' | 'bank'): Instrument {
  return method === 'card'
    ? {
        cardNumber: sent.card_number ?? '',
        cardExp: sent.card_exp ?? '',
        cardCvv: sent.card_cvv ?? '',
      }
    : { bankRouting: sent.bank_routing ?? '', bankAccount: sent.bank_account ?? '' }
}

const FIELDS = {
  cardNumber: 'number',
  cardExp: 'exp',
  cardCvv: 'cvc',
  bankRouting: 'routing',
  bankAccount: 'account',
} as const satisfies Readonly<Record<keyof Instrument, string>>

/** Names the faults by the fields of the page. */
function answerOf(made: Tokenising, sent: Sent, texts: Texts): object {
  if (made.kind === 'token') {
    const { token, lastFour, cardType } = made.tokenised
    return { token, last_four: lastFour, card_type: cardType }
  }
  const found = Object.keys(made.faults) as (keyof Instrument)[]
  const faults = found.map((name) => {
    const field = FIELDS[name]
    const isOver = field === 'exp' && MMYY.test(sent.card_exp ?? '')
    return [field, texts.gatewayFaults[isOver ? 'expired' : field]] as const
  })
  return { faults: Object.fromEntries(faults) }
}

/** Only one that has passed is a fault. */
const MMYY = /^(0[1-9]|1[0-2])\d{2}$/
