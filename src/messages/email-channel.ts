// The e-mail channel: which messages it sends, and how.

import { findLogo } from '../accounts/keep-logo.ts'
import type { LogoFacts } from '../accounts/look.ts'
import { noTarget } from '../core/delivery.ts'
import { addressKey } from '../core/mail-address.ts'
import { PICTURE_TYPES } from '../core/picture.ts'
import type { ChannelAdapter } from '../deliveries/channel-adapter.ts'
import type { ClaimedDelivery } from '../deliveries/claim-due-deliveries.ts'
import { sendWithinLimit } from '../deliveries/sandbox-limit.ts'
import { unsubscribeToken } from '../deliveries/unsubscribe-token.ts'
import type { Mail } from '../outside/mail/port.ts'
import type { World } from '../world.ts'
import { letterHtml } from './html-of.ts'
import { invoiceLetter } from './invoice-letter.ts'
import type { Letter } from './letter.ts'
import { headerName, isTest, replyAddress } from './letter-style.ts'
import { plainOf } from './plain-of.ts'
import { billStoryOf, readLetterInvoice } from './read-invoice.ts'
import { readLetterTransaction } from './read-transaction.ts'
import type { Sender } from './sender.ts'
import { LOGO_CID } from './templates/layout.ts'
import { transactionLetter } from './transaction-letter.ts'
import { readLetterWebhook, webhookLetter } from './webhook-letter.ts'

/** As many as there are connections, so that a message with a place never waits for one. */
const AT_ONCE = 10

export function emailChannel({ config, timings }: World): ChannelAdapter {
  return {
    channel: 'email',
    atOnce: AT_ONCE,
    timeoutMs: timings.messageTimeoutMs,
    perSecond: config.emailPerSecond,
    async send(world, delivery, timeLimit) {
      const written = await write(world, delivery)
      if (written === undefined) return noTarget('its subject is gone')
      const send = async () =>
        world.mailer.send(await mailOf(world, delivery, written), timeLimit())
      if (!written.isTest) return send()
      // A bounce counts too: each needs the attention of an operator.
      const sendTest = async () => (isBouncing(delivery) ? TEST_BOUNCE : send())
      return sendWithinLimit(world, delivery, sendTest)
    },
  }
}

/** No mail server has this domain (RFC 6761). */
const BOUNCING_DOMAIN = '@bounce.test'

/** Sandbox accounts get the answer that a mail server would give. */
const TEST_BOUNCE = {
  kind: 'refused',
  reason: 'refused',
  detail: `the sandbox says: 550 5.1.1 No such mailbox: ${BOUNCING_DOMAIN} bounces`,
  isNoSuchAddress: true,
} as const

function isBouncing({ recipient }: ClaimedDelivery): boolean {
  return addressKey(recipient).endsWith(BOUNCING_DOMAIN)
}

/** The sender's name of notices that the service itself sends to a team. */
const SERVICE = 'Lamplighter'

interface Written {
  readonly letter: Letter
  readonly fromName: string
  readonly replyTo: string | null
  /** It is about a sandbox account. */
  readonly isTest: boolean
  readonly logo?: LogoFacts | undefined
}

async function mailOf(
  world: World,
  delivery: ClaimedDelivery,
  { letter, fromName, replyTo, logo }: Written,
): Promise<Mail> {
  return {
    accountId: delivery.accountId,
    deliveryId: delivery.id,
    fromName,
    to: delivery.recipient,
    replyTo,
    subject: letter.subject,
    text: plainOf(letter),
    html: await letterHtml(letter),
    optOutUrl: letter.optOut?.url ?? null,
    // A retry is the same message, with the same date.
    date: delivery.owedAt,
    picture: logo && (await pictureOf(world, logo)),
  }
}

/** One that was removed meanwhile leaves its place empty. */
async function pictureOf(world: World, { hash, kind }: LogoFacts) {
  const logo = await findLogo(world.db, hash)
  return logo && { cid: LOGO_CID, contentType: PICTURE_TYPES[kind], bytes: logo.bytes }
}

/** Undefined if its subject is gone, or has changed so that the message is no longer true. */
async function write(world: World, delivery: ClaimedDelivery): Promise<Written | undefined> {
  switch (delivery.subject) {
    case 'transaction':
      return writeOfTransaction(world, delivery)
    case 'invoice':
      return writeOfInvoice(world, delivery)
    case 'webhook':
      return writeOfWebhook(world, delivery)
    case 'event':
      return undefined
  }
}

async function writeOfTransaction(
  world: World,
  { accountId, subjectId: id }: ClaimedDelivery,
): Promise<Written | undefined> {
  const about = await world.db.ask(readLetterTransaction, { accountId, id })
  return about && byTeam(about, transactionLetter(about))
}

async function writeOfInvoice(
  world: World,
  { accountId, subjectId: id, recipient, isScheduled }: ClaimedDelivery,
): Promise<Written | undefined> {
  const about = await world.db.ask(readLetterInvoice, { accountId, id })
  const story = about && billStoryOf(about)
  if (about === undefined || story === undefined) return undefined
  const pages = world.publicAddress()
  const billUrl = `${pages}/bill/${about.invoice.token}`
  const optOutUrl = isScheduled
    ? `${pages}/unsubscribe/${await unsubscribeToken(world, accountId, recipient)}`
    : undefined
  return byTeam(about, invoiceLetter(about, story, billUrl, optOutUrl))
}

/** Undefined if the endpoint is enabled again by now. */
async function writeOfWebhook(
  world: World,
  { accountId, subjectId: id, createdAt }: ClaimedDelivery,
): Promise<Written | undefined> {
  const about = await world.db.ask(readLetterWebhook, { accountId, id })
  if (about === undefined) return undefined
  const { status, deletedAt } = about.webhook
  if (status === 'active' || deletedAt !== null) return undefined
  const letter = webhookLetter(about, createdAt)
  return { letter, fromName: SERVICE, replyTo: null, isTest: isTest(about) }
}

function byTeam(sender: Sender, letter: Letter): Written {
  return {
    letter,
    fromName: headerName(sender),
    replyTo: replyAddress(sender),
    isTest: isTest(sender),
    logo: sender.look.logo,
  }
}
