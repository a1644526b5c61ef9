// The e-mail channel: which messages it sends, and how.

import type { ChannelAdapter } from '../deliveries/channel-adapter.ts'
import type { TakenDelivery } from '../deliveries/claim-due.ts'
import type { Mail } from '../outside/mail/port.ts'
import type { World } from '../world.ts'
import { htmlOf } from './html-of.ts'
import { invoiceLetter } from './invoice-letter.ts'
import type { Letter } from './letter.ts'
import { headerName } from './letter-style.ts'
import { plainOf } from './plain-of.ts'
import { billStoryOf, readToldInvoice } from './read-invoice.ts'
import { readToldTransaction } from './read-transaction.ts'
import type { Sender } from './sender.ts'
import { transactionLetter } from './transaction-letter.ts'
import { readToldWebhook, webhookLetter } from './webhook-letter.ts'

/** As many as there are connections, so that a message with a send slot never waits for one. */
const AT_ONCE = 10

export function emailChannel({ config, timings }: World): ChannelAdapter {
  return {
    channel: 'email',
    atOnce: AT_ONCE,
    atOnceALane: AT_ONCE / 2,
    timeoutMs: timings.messageTimeoutMs,
    perSecond: config.emailPerSecond,
    async send(world, delivery, timeLimit) {
      const mail = await emailOf(world, delivery)
      if (mail === undefined) return NO_TARGET
      return world.mailer.send(mail, timeLimit())
    },
  }
}

const NO_TARGET = {
  kind: 'refused',
  reason: 'no_target',
  detail: 'what it tells of is gone',
} as const

/** The sender's name of notices that the service itself sends to a team. */
const SERVICE = 'Lamplighter'

interface Written {
  readonly letter: Letter
  readonly fromName: string
  readonly replyTo: string | null
}

/**
 * The e-mail of a delivery, as it is to be read.
 *
 * Undefined where what it tells of is gone, or is no longer so.
 */
export async function emailOf(world: World, delivery: TakenDelivery): Promise<Mail | undefined> {
  const written = await write(world, delivery)
  if (written === undefined) return undefined
  const { letter, fromName, replyTo } = written
  return {
    accountId: delivery.accountId,
    deliveryId: delivery.id,
    fromName,
    to: delivery.recipient,
    replyTo,
    subject: letter.subject,
    text: plainOf(letter),
    html: await htmlOf(letter),
    // A retry is the same message, with the same date.
    date: delivery.owedAt,
  }
}

async function write(world: World, delivery: TakenDelivery): Promise<Written | undefined> {
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
  { accountId, subjectId: id }: TakenDelivery,
): Promise<Written | undefined> {
  const told = await world.db.ask(readToldTransaction, { accountId, id })
  return told && byTeam(told, transactionLetter(told))
}

async function writeOfInvoice(
  world: World,
  { accountId, subjectId: id }: TakenDelivery,
): Promise<Written | undefined> {
  const told = await world.db.ask(readToldInvoice, { accountId, id })
  const story = told && billStoryOf(told.invoice)
  if (told === undefined || story === undefined) return undefined
  const billUrl = `${world.publicAddress()}/bill/${told.invoice.token}`
  return byTeam(told, invoiceLetter(told, story, billUrl))
}

/** Undefined if the endpoint is enabled again by now. */
async function writeOfWebhook(
  world: World,
  { accountId, subjectId: id, createdAt }: TakenDelivery,
): Promise<Written | undefined> {
  const told = await world.db.ask(readToldWebhook, { accountId, id })
  if (told === undefined) return undefined
  const { status, deletedAt } = told.webhook
  if (status === 'active' || deletedAt !== null) return undefined
  const letter = webhookLetter(told, createdAt)
  return { letter, fromName: SERVICE, replyTo: null }
}

function byTeam(sender: Sender, letter: Letter): Written {
  return { letter, fromName: headerName(sender), replyTo: sender.team.email }
}
