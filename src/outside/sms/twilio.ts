// Text messages through Twilio.
//
// Twilio has no idempotency key. A message that was sent but not answered may have been accepted,
// and is sent again anyway, unless a callback in between says that it was accepted.

import { validateRequest } from 'twilio/lib/webhooks/webhooks.js'
import type { SendAnswer } from '../../core/delivery.ts'
import type { Texter } from './port.ts'
import { meaningOf } from './twilio-answers.ts'
import {
  openTwilioClient,
  type TwilioClient,
  type TwilioOutcome,
  type TwilioSettings,
} from './twilio-request.ts'

/**
 * How Twilio repeats its callbacks: if there is no connection, or the answer is slow or an error.
 * By default it repeats them only without a connection.
 */
const CALLBACK_POLICY = '#rc=5&rp=ct,rt,5xx'

export function twilioTexter(settings: TwilioSettings): Texter {
  const blame = newBlame()
  let opening: Promise<TwilioClient> | undefined

  return {
    kind: 'twilio',
    async send({ deliveryId, to, text, statusUrl }, signal) {
      const statusCallback = statusUrl === undefined ? undefined : statusUrl + CALLBACK_POLICY
      try {
        opening ??= openTwilioClient(settings)
        const client = await opening
        const outcome = await client.create({ to, body: text, statusCallback }, signal)
        return answerOf(outcome, deliveryId, blame)
      } catch {
        opening = undefined
        return { kind: 'away', detail: "Twilio's client could not be loaded" }
      }
    },
    isFromProvider(url, form, signature) {
      try {
        return validateRequest(settings.authToken, signature, url, { ...form })
      } catch {
        return false
      }
    },
    async close() {
      const opened = await opening?.catch(() => undefined)
      opened?.close()
    },
  }
}

function answerOf(outcome: TwilioOutcome, deliveryId: string, blame: Blame): SendAnswer {
  switch (outcome.kind) {
    case 'created':
      blame.gotThrough(deliveryId)
      return { kind: 'taken', providerId: outcome.sid }
    case 'unanswered':
      return { kind: outcome.isSent ? 'silent' : 'away', detail: outcome.detail }
    case 'refused': {
      const meaning = meaningOf(outcome)
      if (meaning.kind === 'refused') blame.gotThrough(deliveryId)
      if (meaning.kind !== 'unable') return meaning
      const kind = blame.failed(deliveryId) ? 'failed' : 'away'
      return { kind, detail: meaning.detail }
    }
  }
}

interface Blame {
  /** The provider handled this message, whatever it decided. */
  gotThrough(deliveryId: string): void
  /** The provider failed on this message. Returns true if the message is to blame. */
  failed(deliveryId: string): boolean
}

/**
 * The most failures remembered, the oldest dropped first. In an outage few messages are sent, one
 * after another.
 */
const MOST_REMEMBERED = 1_000

/**
 * Decides whether a failure of the provider is its own fault or the message's. In an outage no
 * message must lose a try; but one message that always makes the provider fail must not stop all
 * others.
 *
 * So a failure is the provider's, until others have got through since the same message failed
 * before. This is kept in the process only: a new process gives every message the benefit of the
 * doubt once more.
 */
function newBlame(): Blame {
  let through = 0
  const throughAtFailure = new Map<string, number>()
  return {
    gotThrough(deliveryId) {
      through += 1
      throughAtFailure.delete(deliveryId)
    },
    failed(deliveryId) {
      const before = throughAtFailure.get(deliveryId)
      throughAtFailure.delete(deliveryId)
      throughAtFailure.set(deliveryId, through)
      const [oldest] = throughAtFailure.keys()
      if (throughAtFailure.size > MOST_REMEMBERED && oldest !== undefined) {
        throughAtFailure.delete(oldest)
      }
      return before !== undefined && through > before
    },
  }
}
