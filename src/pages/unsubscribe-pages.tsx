// The page on which the owner of an e-mail address opts out of a merchant's scheduled bills. Mail
// scanners open every link, so a GET changes nothing. Mail programs send the POST themselves (RFC
// 8058), without the page, a cookie or an origin: the token is all that it needs.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { maskedAddress } from '../core/mail-address.ts'
import { deleteStop, type StopKey, stopAddress } from '../deliveries/stopped-addresses.ts'
import { answerHtml } from '../web/html.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { limitPayers } from './limit-payers.ts'
import { FORM_ROUTE, isPageName, PAGE_ROUTE, refuseFromElsewhere } from './page-requests.ts'
import { PayPage, payeeName } from './parts/pay-page.tsx'
import { MerchantText } from './parts/shown.tsx'
import { readUnsubscribePage, type UnsubscribePage } from './read-unsubscribe-page.ts'

const TEXTS = {
  unknownTitle: 'This link leads nowhere',
  unknown: 'Nothing was changed. Please open the link from the e-mail again.',
  askTitle: 'Stop scheduled bills by e-mail?',
  doneTitle: 'Scheduled bills by e-mail are stopped',
  sends: 'sends scheduled bills to',
  sendsNoMore: 'sends no more scheduled bills to',
  stillSent: 'Receipts, and bills that a person sends to you, still come.',
  stillOwed:
    'Payments go on: what you owe is still due, and automatic payments are still taken. To end them, ask the sender.',
  stop: 'Stop scheduled bills',
  undo: 'Send me scheduled bills again',
} as const

interface OfToken {
  readonly Params: { readonly token: string }
}

export async function unsubscribePages(app: FastifyInstance, world: World): Promise<void> {
  await app.register(async (own) => {
    readAnyBody(own)
    own.get<OfToken>('/unsubscribe/:token', PAGE_ROUTE, async (request, reply) =>
      answerPage(reply, await find(world, request.params.token)),
    )
    own.post<OfToken>('/unsubscribe/:token', FORM_ROUTE, async (request, reply) => {
      await limitPayers(world, request, reply, 'unsubscribe')
      const page = await find(world, request.params.token)
      await stopAddress(world, keyOf(page))
      // A mail program follows no redirect.
      return answerPage(reply, { ...page, isOptedOut: true })
    })
    own.post<OfToken>('/unsubscribe/:token/undo', FORM_ROUTE, async (request, reply) => {
      refuseFromElsewhere(request)
      await limitPayers(world, request, reply, 'unsubscribe')
      const { token } = request.params
      await deleteStop(world.db.prisma, keyOf(await find(world, token)))
      return reply.redirect(`/unsubscribe/${token}`, 303)
    })
  })
}

/** Programs send a form of either kind, and nothing in it matters. */
function readAnyBody(own: FastifyInstance): void {
  own.removeAllContentTypeParsers()
  own.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
}

async function find(world: World, token: string): Promise<UnsubscribePage> {
  const page = isPageName(token)
    ? await world.db.ask(readUnsubscribePage, { token: token.toLowerCase() })
    : undefined
  if (page === undefined) throw new PageRefusal(404, TEXTS.unknownTitle, TEXTS.unknown)
  return page
}

function keyOf({ payee: { accountId }, address }: UnsubscribePage): StopKey {
  return { accountId, channel: 'email', address, reason: 'opted_out' }
}

/** The address is shown in part: a link may be forwarded. */
function answerPage(
  reply: FastifyReply,
  { payee, address, isOptedOut }: UnsubscribePage,
): FastifyReply {
  const title = isOptedOut ? TEXTS.doneTitle : TEXTS.askTitle
  const path = reply.request.url.replace(/[?].*$/, '')
  return answerHtml(
    reply,
    <PayPage title={title} payee={payee}>
      <div class="stack notice">
        <h1>{title}</h1>
        <p>
          <MerchantText>{payeeName(payee)}</MerchantText>{' '}
          {isOptedOut ? TEXTS.sendsNoMore : TEXTS.sends} <strong>{maskedAddress(address)}</strong>.
        </p>
        <p>{TEXTS.stillSent}</p>
        <p>{TEXTS.stillOwed}</p>
        <form method="post" action={isOptedOut ? `${path}/undo` : path}>
          <button type="submit" class={isOptedOut ? 'plain' : undefined}>
            {isOptedOut ? TEXTS.undo : TEXTS.stop}
          </button>
        </form>
      </div>
    </PayPage>,
  )
}
