// One message of the outbox, which was not sent because no provider is configured. An e-mail is
// shown in a frame without scripts, forms or other hosts.

import type { FastifyInstance } from 'fastify'
import { findLogo, logosOf } from '../../accounts/keep-logo.ts'
import { isId } from '../../core/id.ts'
import { PICTURE_TYPES } from '../../core/picture.ts'
import type { Delivery, OutboxMessage } from '../../generated/client.ts'
import { LOGO_CID } from '../../messages/templates/layout.ts'
import type { Operator } from '../../operators/session.ts'
import { policyText } from '../../web/browser-rules.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import type { ObjectParams, ObjectRoute } from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { withoutTokens } from '../parts/payers-pages.ts'
import { At, Dash, FactCard, Id, Verbatim } from '../parts/shown.tsx'
import { invoicePath, messagePath, transactionPath } from '../paths.ts'
import { operatorOf } from '../who.ts'

/** The frame has rules of its own, because merchants and customers wrote its contents. */
const FRAMED = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; sandbox",
  'x-frame-options': 'SAMEORIGIN',
}

export function messagePages(own: FastifyInstance, world: World): void {
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

interface OneMessageProps {
  readonly message: OutboxMessage
  readonly delivery: Delivery | undefined
}

function OneMessage({ message, delivery }: OneMessageProps) {
  return (
    <>
      <FactCard
        of={{
          To: message.recipient,
          'Kept (UTC)': <At instant={message.createdAt} />,
          About: delivery === undefined ? <Dash /> : <Subject of={delivery} />,
          Id: <code>{message.id}</code>,
        }}
      />
      {message.channel === 'sms' ? <Bubble text={message.text} /> : <Letter message={message} />}
    </>
  )
}

/** What the message is about. */
function Subject({ of: { accountId, subject, subjectId } }: { of: Delivery }) {
  if (subject === 'invoice')
    return <Id id={subjectId} to={invoicePath({ accountId, id: subjectId })} />
  if (subject !== 'transaction') return <>{subject}</>
  return <Id id={subjectId} to={transactionPath({ accountId, id: subjectId })} />
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
