// The words about a transaction, in a long and a short form.

import { referenceOf } from '../core/reference.ts'
import { localDateText, localMoneyText, shortDateText } from './local-formats.ts'
import { meansText, shortMeansText } from './people.ts'
import type { ToldTransaction } from './read-transaction.ts'
import { sentences } from './shown.ts'
import { LETTER_EN } from './texts/letter-en.ts'

interface Words {
  readonly title: string
  /** The part of the subject before the team's name. */
  readonly subject: string
  readonly lead: string
  /** The text message without the team's name. */
  readonly short: string
}

interface Parts {
  readonly amount: string
  readonly date: string
  readonly day: string
  readonly means: Means
  readonly shortMeans: Means
  readonly noun: string
  /** The parent: `the payment of $48.00 on Mar 7, 2026`. */
  readonly origin: string | undefined
  /** The parent in short, if it differs from the amount. */
  readonly whole: string | undefined
  readonly captured: string | undefined
  readonly refunded: string | undefined
  readonly reference: string
}

/** The payment method at its places in a sentence. Cash and checks need other words than cards. */
interface Means {
  readonly by: string
  readonly from: string
  readonly to: string
  readonly on: string
}

const GOES_AWAY = 'If a bank still shows it as pending, that goes away by itself.'

const TAKES_DAYS = 'It can take a few days until a bank shows it.'

const WORDS: Readonly<Record<Story, (parts: Parts) => Words>> = {
  received: ({ amount, date, day, means, shortMeans, refunded, reference }) => ({
    title: 'Payment received',
    subject: `Receipt for ${amount} from`,
    lead: refunded
      ? `Paid on ${date}${means.by}. ${refunded} of it has been refunded since.`
      : `Paid on ${date}${means.by}. Thank you.`,
    short: refunded
      ? `${amount} paid on ${day}${shortMeans.by}, ${refunded} of it refunded. Ref ${reference}`
      : `${amount} paid on ${day}${shortMeans.by}. Thank you. Ref ${reference}`,
  }),
  canceled: ({ amount, day, means, shortMeans, origin, reference }) => ({
    title: 'Payment canceled',
    subject: `Canceled: payment of ${amount} to`,
    lead: sentences(
      `${capitalised(origin ?? 'this payment')} was canceled, and nothing is taken${means.from}.`,
      GOES_AWAY,
    ),
    short: sentences(
      `payment of ${amount} canceled on ${day}, nothing is taken${shortMeans.from}.`,
      `Ref ${reference}`,
    ),
  }),
  authorized: ({ amount, day, means, shortMeans, captured, reference }) => ({
    title: 'Payment authorized',
    subject: `Authorization of ${amount} for`,
    lead: captured
      ? `${amount} was set aside${means.on}, and ${captured} of it has been taken since.`
      : sentences(
          `${amount} is set aside${means.on}.`,
          'Nothing has been taken yet: this is no receipt of a payment.',
        ),
    short: captured
      ? `${amount} set aside on ${day}${shortMeans.on}, ${captured} of it taken. Ref ${reference}`
      : `${amount} set aside on ${day}${shortMeans.on}, nothing taken yet. Ref ${reference}`,
  }),
  released: ({ amount, day, means, shortMeans, origin, reference }) => ({
    title: 'Authorization canceled',
    subject: `Canceled: authorization of ${amount} for`,
    lead: sentences(
      `${capitalised(origin ?? 'this authorization')} was canceled,`,
      `and nothing is taken${means.from}.`,
      GOES_AWAY,
    ),
    short: sentences(
      `authorization of ${amount} canceled on ${day}, nothing is taken${shortMeans.from}.`,
      `Ref ${reference}`,
    ),
  }),
  refunded: ({ amount, day, means, shortMeans, origin, whole, reference }) => ({
    title: 'Refund',
    subject: `Refund of ${amount} from`,
    lead: sentences(`${ofOrigin(amount, origin, whole)} goes back${means.to}.`, TAKES_DAYS),
    short: sentences(
      `${whole ? `${amount} of ${whole}` : amount} refunded on ${day}${shortMeans.to}.`,
      `Ref ${reference}`,
    ),
  }),
  credited: ({ amount, day, date, means, shortMeans, reference }) => ({
    title: 'Credit',
    subject: `Credit of ${amount} from`,
    lead: sentences(`Credited on ${date}${means.to}.`, TAKES_DAYS),
    short: `${amount} credited on ${day}${shortMeans.to}. Ref ${reference}`,
  }),
  failed: ({ amount, day, noun, means, shortMeans, reference }) => ({
    title: `${capitalised(noun)} not made`,
    subject: `Not made: ${noun} of ${amount},`,
    lead: isTaking(noun)
      ? `It did not go through, and nothing was taken${means.from}.`
      : 'It did not go through.',
    short: sentences(
      `${noun} of ${amount} on ${day} did not go through.`,
      isTaking(noun) ? `Nothing was taken${shortMeans.from}.` : undefined,
      `Ref ${reference}`,
    ),
  }),
  'under way': ({ amount, day, noun, reference }) => ({
    title: `${capitalised(noun)} under way`,
    subject: `Under way: ${noun} of ${amount},`,
    lead: 'What becomes of it is not known yet. There is nothing that you need to do.',
    short: `${noun} of ${amount} of ${day} is still under way. Ref ${reference}`,
  }),
}

export function transactionWords(told: ToldTransaction): Words {
  return WORDS[letterStoryOf(told)](partsOf(told))
}

function partsOf({ transaction: t, parent, timezone }: ToldTransaction): Parts {
  const money = (cents: bigint) => localMoneyText(cents, t.currency)
  const means = { method: t.method, cardType: t.paymentMethod.cardType, lastFour: t.lastFour }
  const noun = nounOf(parent?.type ?? t.type)
  return {
    amount: money(t.total),
    date: localDateText(t.createdAt, timezone),
    day: shortDateText(t.createdAt, timezone),
    means: inPlaces(t.method, meansText(means, LETTER_EN)),
    shortMeans: inPlaces(t.method, shortMeansText(means, LETTER_EN)),
    noun: nounOf(t.type),
    origin:
      parent &&
      `the ${noun} of ${money(parent.total)} on ${localDateText(parent.createdAt, timezone)}`,
    whole: parent && parent.total !== t.total ? money(parent.total) : undefined,
    captured: t.type === 'pre_auth' && t.captured > 0n ? money(t.captured) : undefined,
    refunded: t.refunded > 0n ? money(t.refunded) : undefined,
    reference: referenceOf(t.id),
  }
}

function inPlaces(method: ToldTransaction['transaction']['method'], name: string): Means {
  switch (method) {
    case 'cash':
      return { by: ' in cash', from: '', to: ' in cash', on: '' }
    case 'check':
      return { by: ' by check', from: '', to: ' by check', on: '' }
    case 'card':
    case 'bank':
      return { by: ` with ${name}`, from: ` from ${name}`, to: ` to ${name}`, on: ` on ${name}` }
  }
}

function nounOf(type: ToldTransaction['transaction']['type']): string {
  switch (type) {
    case 'charge':
    case 'capture':
      return 'payment'
    case 'pre_auth':
      return 'authorization'
    case 'void':
      return 'cancellation'
    case 'refund':
      return 'refund'
    case 'credit':
      return 'credit'
  }
}

function isTaking(noun: string): boolean {
  return noun === 'payment' || noun === 'authorization'
}

function ofOrigin(amount: string, origin: string | undefined, whole: string | undefined): string {
  if (origin === undefined) return amount
  return whole === undefined ? capitalised(origin) : `${amount} of ${origin}`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export type Story =
  | 'received'
  /** It was voided before settlement. */
  | 'canceled'
  /** It is authorized, and no money was taken yet. */
  | 'authorized'
  | 'released'
  | 'refunded'
  | 'credited'
  | 'failed'
  | 'under way'

/**
 * What a transaction means to who reads of it.
 *
 * The row as it is now, not as it was when the message was asked for.
 */
export function letterStoryOf({ transaction, parent }: ToldTransaction): Story {
  const { type, status, isVoided } = transaction
  if (status !== 'SUCCESS') return status === 'FAILED' ? 'failed' : 'under way'
  switch (type) {
    case 'charge':
    case 'capture':
      return isVoided ? 'canceled' : 'received'
    case 'pre_auth':
      return isVoided ? 'released' : 'authorized'
    case 'void':
      return parent?.type === 'pre_auth' ? 'released' : 'canceled'
    case 'refund':
      return 'refunded'
    case 'credit':
      return 'credited'
  }
}
