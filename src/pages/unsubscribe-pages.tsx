// The page on which the owner of an e-mail address opts out of a merchant's scheduled bills. Mail
// scanners open every link, so a GET changes nothing. Mail programs send the POST themselves (RFC
// 8058), without the page, a cookie or an origin: the token is all that it needs.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { isLinkId } from '../core/id.ts'
import { maskedAddress } from '../core/mail-address.ts'
import { deleteStop, type StopKey, stopAddress } from '../deliveries/stopped-addresses.ts'
import { STRANGERS_FORM } from '../web/forms.ts'
import type { World } from '../world.ts'
import { answerPage } from './answer-errors.tsx'
import { limitPayers } from './limit-payers.ts'
import { refuseFromElsewhere } from './page-requests.ts'
import { PayPage } from './parts/pay-page.tsx'
import { PayerRefusal } from './payment-refusals.ts'
import { readUnsubscribePage, type UnsubscribePage } from './read-unsubscribe-page.ts'
import { pathFor, viewerOf } from './viewer.ts'

interface OfToken {
  readonly Params: { readonly token: string }
}

export async function unsubscribePages(app: FastifyInstance, world: World): Promise<void> {
  await app.register(async (own) => {
    readAnyBody(own)
    own.get<OfToken>('/unsubscribe/:token', async (request, reply) =>
      answerChoice(reply, await find(world, request.params.token)),
    )
    own.post<OfToken>('/unsubscribe/:token', STRANGERS_FORM, async (request, reply) => {
      await limitPayers(world, reply, 'unsubscribe')
      const page = await find(world, request.params.token)
      await stopAddress(world, keyOf(page))
      // A mail program follows no redirect.
      return answerChoice(reply, { ...page, isOptedOut: true })
    })
    own.post<OfToken>('/unsubscribe/:token/undo', STRANGERS_FORM, async (request, reply) => {
      refuseFromElsewhere(request)
      await limitPayers(world, reply, 'unsubscribe')
      const { token } = request.params
      await deleteStop(world, keyOf(await find(world, token)))
      return reply.redirect(pathFor(viewerOf(request), `/unsubscribe/${token}`), 303)
    })
  })
}

/** Programs send a form of either kind, and nothing in it matters. */
function readAnyBody(own: FastifyInstance): void {
  own.removeAllContentTypeParsers()
  own.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
}

async function find(world: World, token: string): Promise<UnsubscribePage> {
  const page = isLinkId(token)
    ? await world.db.ask(readUnsubscribePage, { token: token.toLowerCase() })
    : undefined
  if (page === undefined) {
    throw new PayerRefusal(404, ({ refusals }) => refusals.unsubscribeUnknown)
  }
  return page
}

function keyOf({ payee: { accountId }, address }: UnsubscribePage): StopKey {
  return { accountId, channel: 'email', address, reason: 'opted_out' }
}

/** The address is shown in part: a link may be forwarded. */
function answerChoice(
  reply: FastifyReply,
  { payee, address, isOptedOut }: UnsubscribePage,
): FastifyReply {
  const { request } = reply
  const viewer = viewerOf(request, payee)
  const texts = viewer.texts.unsubscribe
  const title = isOptedOut ? texts.doneTitle : texts.askTitle
  const path = request.url.replace(/[?].*$/, '').replace(/\/undo$/, '')
  return answerPage(
    reply,
    viewer,
    <PayPage title={title} payee={payee}>
      <div class="stack notice">
        <h1>{title}</h1>
        <p>
          {isOptedOut ? texts.sendsNoMore : texts.sends} <strong>{maskedAddress(address)}</strong>
        </p>
        <p>{texts.stillSent}</p>
        <p>{texts.stillDue}</p>
        <form method="post" action={pathFor(viewer, isOptedOut ? `${path}/undo` : path)}>
          <button type="submit" class={isOptedOut ? 'plain' : undefined}>
            {isOptedOut ? texts.undo : texts.stop}
          </button>
        </form>
      </div>
    </PayPage>,
  )
}
