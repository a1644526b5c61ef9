// The text-message channel: which messages it sends, and how. It first checks for opt-outs, because
// not every provider keeps that list, and others count such messages against the sender.

import { noTarget, type SendAnswer } from '../core/delivery.ts'
import type { ChannelAdapter, TimeLimit } from '../deliveries/channel-adapter.ts'
import type { ClaimedDelivery } from '../deliveries/claim-due-deliveries.ts'
import { hasOptedOut, optOut } from '../deliveries/opt-outs.ts'
import { sendWithinLimit } from '../deliveries/sandbox-limit.ts'
import type { TextMessage } from '../outside/sms/port.ts'
import type { World } from '../world.ts'
import { extentOf, SEGMENT_UNITS } from './gsm7.ts'
import { billWordsOf } from './invoice-words.ts'
import { isTest, writerOf } from './letter-style.ts'
import { billStoryOf, isPayable, readLetterInvoice } from './read-invoice.ts'
import { readLetterTransaction } from './read-transaction.ts'
import type { Sender } from './sender.ts'
import { isolatedLine, shortened } from './shown.ts'
import { transactionWords } from './transaction-words.ts'
import { transliterated } from './transliterated.ts'

const AT_ONCE = 16

export function smsChannel({ config, timings }: World): ChannelAdapter {
  return {
    channel: 'sms',
    atOnce: AT_ONCE,
    timeoutMs: timings.messageTimeoutMs,
    perSecond: config.smsPerSecond,
    send,
  }
}

async function send(
  world: World,
  delivery: ClaimedDelivery,
  timeLimit: TimeLimit,
): Promise<SendAnswer> {
  if (await hasOptedOut(world, delivery.recipient)) return OPTED_OUT
  const written = await write(world, delivery)
  if (written === undefined) return noTarget('its subject is gone')
  if (!written.isEnabled) return noTarget('text messages are not enabled for the team')
  const text = () => world.texter.send(messageOf(world, delivery, written), timeLimit())
  const answer = await (written.isTest ? sendWithinLimit(world, delivery, text) : text())
  const isOptOut = answer.kind === 'refused' && answer.reason === 'opted_out'
  if (isOptOut) await optOut(world, delivery.recipient)
  return answer
}

const OPTED_OUT = {
  kind: 'refused',
  reason: 'opted_out',
  detail: 'the recipient wants no text messages',
} as const

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

function messageOf(
  world: World,
  { accountId, id: deliveryId, recipient: to }: ClaimedDelivery,
  { text }: Written,
): TextMessage {
  return { accountId, deliveryId, to, text, statusUrl: statusUrlOf(world, accountId, deliveryId) }
}

interface Written {
  readonly text: string
  /** False if the team has lost the feature since somebody asked for the message. */
  readonly isEnabled: boolean
  /** It is about a sandbox account. */
  readonly isTest: boolean
}

/** Undefined if its subject is gone, or has changed so that the message is no longer true. */
async function write(
  world: World,
  { accountId, subject, subjectId: id }: ClaimedDelivery,
): Promise<Written | undefined> {
  switch (subject) {
    case 'transaction': {
      const about = await world.db.ask(readLetterTransaction, { accountId, id })
      return about && byTeam(about, transactionWords(about).short)
    }
    case 'invoice': {
      const about = await world.db.ask(readLetterInvoice, { accountId, id })
      const story = about && billStoryOf(about)
      if (about === undefined || story === undefined) return undefined
      const { short } = billWordsOf(about, story)
      const billUrl = `${world.publicAddress()}/bill/${about.invoice.token}`
      return byTeam(about, isPayable(story) ? `${short} ${billUrl}` : short)
    }
    case 'webhook':
    case 'event':
      return undefined
  }
}

function byTeam(sender: Sender, words: string): Written {
  return {
    text: shortText(sender, words),
    isEnabled: sender.smsEnabled,
    isTest: isTest(sender),
  }
}

/** Undefined if the provider could not reach us. */
function statusUrlOf(world: World, account: string, delivery: string): string | undefined {
  const { publicUrl } = world.config
  if (publicUrl === undefined || LOOPBACK.test(new URL(publicUrl).hostname)) return undefined
  const query = new URLSearchParams({ account, delivery })
  return `${world.publicAddress()}/provider/twilio/status?${query}`
}

/** The longest and the shortest form of a name. */
const LONGEST_NAME = 60
const LEAST_NAME = 12

/**
 * A text message in a team's name, in one segment where it can be: the name is shortened, never
 * the words.
 */
export function shortText(sender: Sender, words: string): string {
  const { shortNameless, shortTest } = writerOf(sender).texts.layout
  const nameless = transliterated(shortNameless)
  const name = shortened(transliterated(sender.team.name) || nameless, LONGEST_NAME, '...')
  const text = transliterated(words)
  const test = isTest(sender) ? `${transliterated(shortTest)} ` : ''
  const whole = `${test}${isolatedLine(name)}: ${text}`
  const { encoding, units } = extentOf(whole)
  const most = Math.max(LEAST_NAME, name.length - Math.max(0, units - SEGMENT_UNITS[encoding]))
  return `${test}${isolatedLine(shortened(name, most, '...'))}: ${text}`
}
