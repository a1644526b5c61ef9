// One message of the outbox, which was not sent because no provider is configured. An e-mail is
// shown in a frame without scripts, forms or other hosts.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findLogo, logosOf } from '../../accounts/keep-logo.ts'
import { PICTURE_TYPES } from '../../core/picture.ts'
import type { RowKey } from '../../db/columns.ts'
import type { Delivery, OutboxMessage } from '../../generated/client.ts'
import { LOGO_CID } from '../../messages/templates/layout.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { namedInAccount, type ObjectParams, type ObjectRoute } from '../account-of.ts'
import type { ObjectPage } from '../parts/object-page.tsx'
import { withoutTokens } from '../parts/payers-pages.ts'
import { Dash, FactCard, Id, Verbatim } from '../parts/shown.tsx'
import { messagePath, OBJECT_PATHS } from '../paths.ts'
import { operatorOf } from '../who.ts'

/** The frame has rules of its own, because merchants and customers wrote its contents. */
const FRAMED = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; sandbox",
  'x-frame-options': 'SAMEORIGIN',
}

export const ONE_MESSAGE: ObjectPage<ObjectParams, MessageAt> = {
  place: 'outbox',
  async find(world, params, request) {
    const message = await messageFor(world, params, request)
    const { accountId, deliveryId: id } = message
    const [delivery] = await world.db.prisma.delivery.findMany({ where: { accountId, id } })
    return { message, delivery }
  },
  title: ({ message: { subject, channel } }) =>
    subject ?? (channel === 'sms' ? 'A text message' : 'A message'),
  policy: { 'frame-src': "'self'" },
  body: ({ found: { message, delivery } }) => (
    <>
      <FactCard
        of={{
          To: message.recipient,
          'Kept (UTC)': message.createdAt,
          About: delivery === undefined ? <Dash /> : <Subject of={delivery} />,
          Id: <code>{message.id}</code>,
        }}
      />
      {message.channel === 'sms' ? <Bubble text={message.text} /> : <Letter message={message} />}
    </>
  ),
}

export function letterRoute(own: FastifyInstance, world: World): void {
  own.get<ObjectRoute>('/outbox/:account/:id/page', async (request, reply) => {
    const { html, accountId } = await messageFor(world, request.params, request)
    if (html === null) throw new PageRefusal(404, 'Not found', 'The message is no e-mail.')
    return reply
      .headers(FRAMED)
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

function findMessage({ db }: World, key: RowKey): Promise<OutboxMessage | null> {
  return db.prisma.outboxMessage.findUnique({ where: { accountId_id: key } })
}

/** The message as the operator of the request may see it. */
async function messageFor(
  world: World,
  params: ObjectParams,
  request: FastifyRequest,
): Promise<OutboxMessage> {
  const named = await namedInAccount(world, params, 'message any more', findMessage)
  const [{ found }, operator] = [named, operatorOf(request)]
  const { text, html } = found
  return {
    ...found,
    text: withoutTokens(text, operator),
    html: html && withoutTokens(html, operator),
  }
}

interface MessageAt {
  readonly message: OutboxMessage
  readonly delivery: Delivery | undefined
}

/** What the message is about. */
function Subject({ of: { accountId, subject, subjectId } }: { of: Delivery }) {
  return <Id id={subjectId} to={OBJECT_PATHS[subject]({ accountId, id: subjectId })} />
}

function Bubble({ text }: { text: string }) {
  return (
    <section class="handset" aria-label="The text message">
      <p class="bubble">{text}</p>
      <p class="quiet number">{[...text].length} characters</p>
    </section>
  )
}

/** The HTML is a page of its own, without scripts or forms. */
function Letter({ message }: { message: OutboxMessage }) {
  const { html, text, subject } = message
  return (
    <>
      {html === null ? null : (
        <iframe
          class="letter"
          title={subject ?? 'The message'}
          sandbox=""
          src={`${messagePath(message)}/page`}
        />
      )}
      <details class="card" open={html === null}>
        <summary>As plain text</summary>
        <Verbatim text={text} />
      </details>
    </>
  )
}
