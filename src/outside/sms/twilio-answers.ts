// Translates Twilio's responses into answers for a message.

import type { SendAnswer } from '../../core/delivery.ts'
import { SECOND } from '../../core/time-units.ts'

/** A response that is not a success. */
export interface TwilioRefusal {
  readonly status: number
  /** Twilio's own error code. Undefined if another server answered. */
  readonly code: number | undefined
  readonly message: string
  readonly waitMs: number | undefined
}

/** Twilio failed. One response cannot show whether this message is the reason. */
export interface Unable {
  readonly kind: 'unable'
  readonly detail: string
}

/** The recipient has replied STOP. */
const UNSUBSCRIBED = 21610

/** It is not a phone number, or not one that can be texted. */
const NO_SUCH_NUMBER: ReadonlySet<number> = new Set([21211, 21614])

/** Too many messages to this one number; other recipients are not affected. */
const TOO_MANY_TO_ONE = 14107
const TOO_MANY_TO_ONE_WAIT_MS = 30 * SECOND

/** Too many requests, too many queued, too many today. */
const TOO_MANY: ReadonlySet<number> = new Set([20429, 21611, 63038])

/** Wrong credentials, or an account that was closed or suspended. */
const NOT_LET_IN: ReadonlySet<number> = new Set([20003, 20005, 20006, 20404, 30002])

/**
 * A problem with the sending number or service, or with the callback address. It usually stops all
 * messages until an operator fixes it.
 */
const WRONG_SETTINGS: ReadonlySet<number> = new Set([
  21212, 21603, 21606, 21609, 21659, 21660, 21661, 21701, 21703, 21704, 21705,
])

/** Twilio's words for credentials or an account that may not do this, whatever the code. */
const FORBIDDEN = 403

const LONGEST_MESSAGE = 200

export function meaningOf(refusal: TwilioRefusal): SendAnswer | Unable {
  const { status, code = 0, waitMs } = refusal
  const detail = detailOf(refusal)
  if (code === UNSUBSCRIBED) return { kind: 'refused', reason: 'opted_out', detail }
  if (code === TOO_MANY_TO_ONE) {
    return { kind: 'failed', detail, waitMs: waitMs ?? TOO_MANY_TO_ONE_WAIT_MS }
  }
  if (status === 429 || TOO_MANY.has(code)) return { kind: 'throttled', detail, waitMs }
  if (status === 401 || NOT_LET_IN.has(code)) return { kind: 'away', detail }
  if (status === 503 && waitMs !== undefined) return { kind: 'throttled', detail, waitMs }
  const isOfSender = status === FORBIDDEN || WRONG_SETTINGS.has(code)
  const isAboutMessage = status >= 400 && status < 500 && code > 0 && !isOfSender
  if (!isAboutMessage) return { kind: 'unable', detail }
  const isNoSuch = NO_SUCH_NUMBER.has(code)
  return { kind: 'refused', reason: 'refused', detail, ...(isNoSuch && { isNoSuchAddress: true }) }
}

/** On one line. Only the end of a number is shown: the delivery has the rest. */
function detailOf({ status, code, message }: TwilioRefusal): string {
  const head = code === undefined ? `HTTP ${status}` : `HTTP ${status}, code ${code}`
  const line = message.replace(/\s+/g, ' ').replace(/\+?\d{4,}(\d{4})/g, '…$1')
  return `${head}: ${line.slice(0, LONGEST_MESSAGE)}`
}
