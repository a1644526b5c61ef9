// The state of a delivery after its provider's answer.
//
//   pending ──taken──▶ sent ──arrived──▶ delivered
//      │                 └──failed──────▶ parked
//      └──refused, out of tries, too old─▶ parked ──by a person──▶ pending

import { type Backoff, backoffMs, withJitter } from './backoff.ts'
import { after, DAY, HOUR, MINUTE, SECOND } from './time-units.ts'

/** The channels of messages to people. */
export const MESSAGE_CHANNELS = ['email', 'sms'] as const

export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

export const DELIVERY_CHANNELS = [...MESSAGE_CHANNELS, 'webhook'] as const

export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number]

export function isDeliveryChannel(word: string): word is DeliveryChannel {
  return DELIVERY_CHANNELS.some((channel) => channel === word)
}

export const PARKED_DELIVERY_REASONS = [
  'refused',
  'opted_out',
  'out_of_tries',
  'expired',
  'undelivered',
  'no_target',
  'suppressed',
  'sandbox_limit',
] as const

export type ParkedReason = (typeof PARKED_DELIVERY_REASONS)[number]

/** For people. Commands and the API use the reasons themselves. */
export const PARKED_REASON_WORDS: Readonly<Record<ParkedReason, string>> = {
  refused: 'refused for good',
  opted_out: 'recipient opted out',
  out_of_tries: 'every attempt failed',
  expired: 'no answer for days',
  undelivered: 'accepted, but not delivered',
  no_target: 'endpoint or text messages disabled, or content deleted',
  suppressed: 'address does not exist',
  sandbox_limit: 'sandbox limit reached',
}

/** A provider's answer to a message. `detail` is for people, and holds no secret. */
export type SendAnswer =
  | { readonly kind: 'taken'; readonly providerId: string | null; readonly detail?: string }
  /** The provider will never take this message. */
  | {
      readonly kind: 'refused'
      readonly reason: ParkedReason
      readonly detail: string
      /** No mailbox or number has the address, so that no message will ever reach it. */
      readonly isNoSuchAddress?: true
    }
  /** The provider does not take this message now. */
  | { readonly kind: 'failed'; readonly detail: string; readonly waitMs?: number | undefined }
  /** The provider did not answer and may have taken the message, unless `isUntaken`. */
  | { readonly kind: 'silent'; readonly detail: string; readonly isUntaken?: boolean }
  /** The provider takes no message from any sender for a while. */
  | {
      readonly kind: 'throttled'
      readonly detail: string
      readonly waitMs?: number | undefined
      readonly mayBeOfRecipient?: boolean
    }
  /**
   * The provider could not be reached. This counts as no try of the message. With
   * `mayBeOfRecipient` the reason may be this recipient alone.
   */
  | { readonly kind: 'away'; readonly detail: string; readonly mayBeOfRecipient?: boolean }

/** One such answer does not show that the provider takes no other message. */
export function mayBeOfRecipient(answer: SendAnswer): boolean {
  return 'mayBeOfRecipient' in answer && answer.mayBeOfRecipient === true
}

/** Nothing is left to send, or nobody to send it to. */
export function noTarget(detail: string): SendAnswer {
  return { kind: 'refused', reason: 'no_target', detail }
}

export interface DueDelivery {
  readonly channel: DeliveryChannel
  /** Those that are counted. */
  readonly tries: number
  /** Since when it is due. A retry does not change it, unless a person asks for it. */
  readonly owedAt: Date
}

/** The state of a delivery after its provider's answer. */
export interface DeliveryOutcome {
  readonly status: 'sent' | 'pending' | 'parked'
  readonly tries: number
  readonly dueAt: Date | null
  readonly reason: ParkedReason | null
}

interface Plan {
  readonly tries: number
  readonly waitMs: (tries: number) => number
}

/** Greylisting ends after minutes, a full mailbox is often emptied within a day. */
const EMAIL_WAITS: Backoff = { firstMs: MINUTE, mostMs: 4 * HOUR }

/** A text message is useless hours later. */
const SMS_WAITS: Backoff = { firstMs: 30 * SECOND, mostMs: HOUR }

export const WEBHOOK_WAITS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

const PLANS: Readonly<Record<DeliveryChannel, Plan>> = {
  email: { tries: 14, waitMs: (tries) => backoffMs(EMAIL_WAITS, tries) },
  sms: { tries: 6, waitMs: (tries) => backoffMs(SMS_WAITS, tries) },
  webhook: {
    tries: WEBHOOK_WAITS_MS.length + 1,
    waitMs: (tries) => WEBHOOK_WAITS_MS[tries - 1] ?? DAY,
  },
}

/** While its provider is away a whole channel pauses (send-slots.ts), so this may be short. */
const AWAY_WAIT_MS = SECOND

/**
 * As soon as a first retry, and later as seldom as an outage of ours requires. All tries of an
 * endpoint take about four days; after a week a person looks at it.
 */
const PUT_OFF = {
  firstMs: 5 * SECOND,
  mostMs: 10 * MINUTE,
  shareOfAge: 1 / 4,
  untilAgeMs: 7 * DAY,
}

/** Covers Friday evening to Monday. An older message would only confuse its recipient. */
export const OLDEST_MESSAGE_MS = 3 * DAY

/** This is for messages. Events have a longer table, and a person can replay them. */
export function isTooOld({ channel, owedAt }: DueDelivery, now: Date): boolean {
  return channel !== 'webhook' && now.getTime() - owedAt.getTime() > OLDEST_MESSAGE_MS
}

/** `random` is in [0, 1). */
export function deliveryOutcome(
  due: DueDelivery,
  answer: SendAnswer,
  now: Date,
  random: number,
): DeliveryOutcome {
  switch (answer.kind) {
    case 'taken':
      return { status: 'sent', tries: due.tries + 1, dueAt: null, reason: null }
    case 'refused':
      return parked(due.tries + 1, answer.reason)
    case 'failed':
      return tryAgain(due, now, random, answer.waitMs)
    case 'silent':
      return tryAgain(due, now, random)
    case 'throttled':
      return waitFor(due, now, random, answer.waitMs)
    case 'away':
      return due.channel === 'webhook' ? putOff(due, now, random) : waitFor(due, now, random)
  }
}

function tryAgain(due: DueDelivery, now: Date, random: number, askedMs = 0): DeliveryOutcome {
  const plan = PLANS[due.channel]
  const tries = due.tries + 1
  if (tries >= plan.tries) return parked(tries, 'out_of_tries')
  // The jitter is added on top, so that no retry comes before the time that the provider asked for.
  const waitMs = withJitter(Math.max(plan.waitMs(tries), askedMs), random)
  return { status: 'pending', tries, dueAt: after(now, waitMs), reason: null }
}

function waitFor(
  { tries, owedAt }: DueDelivery,
  now: Date,
  random: number,
  askedMs?: number,
): DeliveryOutcome {
  const waitMs = withJitter(askedMs ?? AWAY_WAIT_MS, random)
  const dueAt = after(now, waitMs)
  if (dueAt.getTime() - owedAt.getTime() > OLDEST_MESSAGE_MS) return parked(tries, 'expired')
  return { status: 'pending', tries, dueAt, reason: null }
}

/**
 * A failure of this service is not a try of the endpoint. A provider of all messages is asked again
 * at the channel's pace. Here the waits grow with the age, so that retries do not come too fast.
 */
function putOff(due: DueDelivery, now: Date, random: number): DeliveryOutcome {
  const ageMs = now.getTime() - due.owedAt.getTime()
  const { firstMs, mostMs, shareOfAge, untilAgeMs } = PUT_OFF
  if (ageMs > untilAgeMs) return parked(due.tries, 'expired')
  const waitMs = withJitter(Math.min(mostMs, Math.max(firstMs, ageMs * shareOfAge)), random)
  return { status: 'pending', tries: due.tries, dueAt: after(now, waitMs), reason: null }
}

function parked(tries: number, reason: ParkedReason): DeliveryOutcome {
  return { status: 'parked', tries, dueAt: null, reason }
}

/** An endpoint that fails for this long needs a person: a bad deployment is over by then. */
export const LONG_FAILING_MS = HOUR
