// The outbox: messages that were not sent because no provider is configured. An e-mail is shown in
// a frame without scripts, forms or other hosts.

import type { FastifyInstance } from 'fastify'
import { findLogo, logosOf } from '../../accounts/keep-logo.ts'
import { isId } from '../../core/id.ts'
import { PICTURE_TYPES } from '../../core/picture.ts'
import type { OutboxMessage } from '../../generated/client.ts'
import { LOGO_CID } from '../../messages/templates/layout.ts'
import type { Operator } from '../../operators/session.ts'
import { policyText } from '../../web/browser-rules.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import type { ObjectParams, ObjectRoute } from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { OUTBOX_LIST } from '../outbox/list.tsx'
import { OneMessage } from '../outbox/one.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { withoutTokens } from '../parts/payers-pages.ts'
import { operatorOf } from '../who.ts'

/** The frame has rules of its own, because merchants and customers wrote its contents. */
const FRAMED = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; sandbox",
  'x-frame-options': 'SAMEORIGIN',
}

export function outboxPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, OUTBOX_LIST)
  own.get<ObjectRoute>('/outbox/:account/:id', async (request, reply) => {
    const message = shownTo(operatorOf(request), await messageOf(world, request.params))
    const { accountId, deliveryId, subject, channel } = message
    const [delivery] = await world.db.prisma.delivery.findMany({
      where: { accountId, id: deliveryId },
    })
    reply.header('content-security-policy', policyText({ 'frame-src': "'self'" }))
    return answerConsole(
      reply,
      { title: subject ?? (channel === 'sms' ? 'A text message' : 'A message'), place: 'outbox' },
      <OneMessage message={message} delivery={delivery} />,
    )
  })
  own.get<ObjectRoute>('/outbox/:account/:id/page', async (request, reply) => {
    const { html, accountId } = shownTo(operatorOf(request), await messageOf(world, request.params))
    if (html === null) throw NOT_FOUND
    return reply
      .headers(FRAMED)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(await withLogo(world, accountId, html))
  })
}

/** The frame loads nothing, so the logo stands in the page, as it is part of the e-mail. */
async function withLogo({ db }: World, accountId: string, html: string): Promise<string> {
  const place = `cid:${LOGO_CID}`
  const known = html.includes(place) ? (await logosOf(db, [accountId])).get(accountId) : undefined
  const logo = known && (await findLogo(db, known.hash))
  if (logo === undefined) return html
  const { kind, bytes } = logo
  return html.replaceAll(
    place,
    () => `data:${PICTURE_TYPES[kind]};base64,${bytes.toString('base64')}`,
  )
}

const NOT_FOUND = new PageRefusal(
  404,
  'Not found',
  'There is no such message; it may have been deleted.',
)

async function messageOf(world: World, { account, id }: ObjectParams): Promise<OutboxMessage> {
  const message =
    isId(account) && isId(id)
      ? await world.db.prisma.outboxMessage.findUnique({
          where: { accountId_id: { accountId: account, id } },
        })
      : null
  if (message === null) throw NOT_FOUND
  return message
}

function shownTo(operator: Operator, message: OutboxMessage): OutboxMessage {
  const { text, html } = message
  return {
    ...message,
    text: withoutTokens(text, operator),
    html: html && withoutTokens(html, operator),
  }
}
