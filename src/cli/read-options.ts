// Reads the options that several commands share. An error names what is allowed.

import {
  DELIVERY_CHANNELS,
  type DeliveryChannel,
  MESSAGE_CHANNELS,
  type MessageChannel,
  PARKED_DELIVERY_REASONS,
  type ParkedReason,
} from '../core/delivery.ts'
import { isId } from '../core/id.ts'
import { parseInstant } from '../core/instant.ts'
import { OperatorError } from '../core/operator-error.ts'
import { after, typedDuration } from '../core/time-units.ts'
import { STOP_REASONS, type StopReason } from '../deliveries/stopped-addresses.ts'

/** A dismissed delivery is a parked one that needs no person any more. */
const STATUSES = ['parked', 'dismissed', 'pending', 'sent', 'delivered'] as const

const MOST_SHOWN = 1_000

export function readChannel(text: string | undefined): DeliveryChannel | undefined {
  return readWord('channel', DELIVERY_CHANNELS, text)
}

export function readMessageChannel(text: string | undefined): MessageChannel | undefined {
  return readWord('channel', MESSAGE_CHANNELS, text)
}

export function readStatus(text: string | undefined): (typeof STATUSES)[number] {
  return readWord('status of a delivery', STATUSES, text) ?? 'parked'
}

export function readReason(text: string | undefined): ParkedReason | undefined {
  return readWord('reason', PARKED_DELIVERY_REASONS, text)
}

export function readStopReason(text: string | undefined): StopReason | undefined {
  return readWord('reason', STOP_REASONS, text)
}

/** `2d`, `12h` or `30m` ago, or a date with or without a time, in UTC unless it names a zone. */
export function readSince(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const ago = typedDuration(text)
  const instant = ago === undefined ? parseInstant(text) : after(now, -ago)
  if (instant !== undefined) return instant
  throw new OperatorError(`${text} is neither a time ago such as 2d, 12h or 30m, nor a date`)
}

export function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MOST_SHOWN) return limit
  throw new OperatorError(`${text} is not a limit: 1 to ${MOST_SHOWN}`)
}

function readWord<W extends string>(
  what: string,
  words: readonly W[],
  text: string | undefined,
): W | undefined {
  if (text === undefined) return undefined
  const word = words.find((one) => one === text)
  if (word !== undefined) return word
  throw new OperatorError(`${text} is not a ${what}: ${words.join(', ')}`)
}

const DATE = /^\d{4}-\d\d-\d\d$/

export function readAccountId(text: string | undefined): string | undefined {
  if (text === undefined || isId(text)) return text?.toLowerCase()
  throw new OperatorError(`${text} is not the id of an account`)
}

/** A business date, as YYYY-MM-DD. */
export function readDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (DATE.test(text) && parseInstant(text) !== undefined) return text
  throw new OperatorError(`${text} is not a date: YYYY-MM-DD`)
}
