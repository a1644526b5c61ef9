// Rules for values beyond their JSON type. A schema names a kind as `x-kind`, so that the document
// shows it and the validator checks it. Its fault follows the field's name in a sentence.

import { isId, isLinkId } from '../../core/id.ts'
import { instantFault } from '../../core/instant.ts'
import { isOneAddress } from '../../core/mail-address.ts'
import { parseMoney, parseOpenMoney } from '../../core/money.ts'
import { isPhoneLike, toE164 } from '../../core/phone-number.ts'
import { isWebAddress, textFault } from '../../core/text.ts'
import { isNamed as isCustomerNamed, NAMELESS } from '../../customers/customer.ts'
import { eventChoiceFault } from '../../events/event-names.ts'
import type { ValueKind } from '../../resource/schemas.ts'
import { targetFormFault } from '../../webhooks/check-target.ts'
import { KEYWORD_CHARACTERS, MOST_A_PAGE, MOST_PAGES } from './list.ts'

const FLAGS: readonly unknown[] = [true, false, 0, 1, '0', '1']
const META_BYTES = 16 * 1024

/** Deeper than any real data, and not deep enough to overflow the stack of a reader. */
const META_DEPTH = 500

/** `fault` is of the schema, where it has one. */
type Check = (value: unknown, fault: string | undefined) => string | undefined

export const KIND_CHECKS: Readonly<Record<ValueKind, Check>> = {
  money: (value) => {
    const parsed = parseMoney(value)
    return 'fault' in parsed ? parsed.fault : undefined
  },
  open_money: (value) => {
    const parsed = parseOpenMoney(value)
    return 'fault' in parsed ? `${parsed.fault}, or 0 for none` : undefined
  },
  id: (value) => faultUnless(isId(value), 'must be a UUID'),
  link_id: (value) =>
    faultUnless(typeof value === 'string' && isLinkId(value), 'must be 32 hexadecimal characters'),
  flag: (value) => faultUnless(FLAGS.includes(value), 'must be true or false'),
  text: (value) => (typeof value === 'string' ? textFault(value) : undefined),
  keywords: keywordsFault,
  email: (value) =>
    faultUnless(typeof value === 'string' && isOneAddress(value), 'must be an e-mail address'),
  phone: (value) => faultUnless(toE164(value) !== undefined, 'must be a phone number'),
  phone_or_digits: (value) =>
    faultUnless(
      typeof value === 'string' && (isPhoneLike(value) || toE164(value) !== undefined),
      'must be a phone number',
    ),
  web_address: (value) => faultUnless(isWebAddress(value), 'must be an http or https address'),
  endpoint: (value) => (typeof value === 'string' ? targetFormFault(value) : undefined),
  event_choice: eventChoiceFault,
  instant: (value) => instantFault(wordOf(value)),
  resource_id: (value) =>
    faultUnless(isId(wordOf(value)) || isLinkId(wordOf(value)), 'must be the id of a resource'),
  order: (value) => faultUnless(/^(asc|desc|dsc)$/i.test(wordOf(value)), 'must be ASC or DESC'),
  page_number: (value) => wholeFault(value, MOST_PAGES),
  page_size: (value) => wholeFault(value, MOST_A_PAGE),
  meta: metaFault,
  named: (value) => faultUnless(isNamed(value), NAMELESS),
  fixed: (_value, fault) => fault,
  of_creation: () => 'is no filter: a body that creates a payment link has link_meta',
}

/** An object may have a toString of its own that throws. */
function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function isNamed(value: unknown): boolean {
  return Array.isArray(value) || typeof value !== 'object' || isCustomerNamed(value ?? {})
}

/** One text, or a list whose texts have their own faults. */
function keywordsFault(value: unknown): string | undefined {
  const together = [value].flat().map(wordOf).join('')
  if (together.length > KEYWORD_CHARACTERS) {
    return `must be at most ${KEYWORD_CHARACTERS} characters together`
  }
  return typeof value === 'string' ? textFault(value) : undefined
}

/** From 1, as a number or as text. */
function wholeFault(value: unknown, most: number): string | undefined {
  const isWhole = typeof value === 'number' || /^[1-9]\d*$/.test(wordOf(value))
  const number = isWhole ? Number(value) : 0
  const isRight = Number.isInteger(number) && number >= 1 && number <= most
  return faultUnless(isRight, `must be a whole number from 1 to ${most}`)
}

function metaFault(value: unknown): string | undefined {
  if (depthExceeds(value, META_DEPTH)) return `must not be nested deeper than ${META_DEPTH}`
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > META_BYTES) return 'must be at most 16 KiB'
  return innerFault(value)
}

/** Values that could not be returned as they were sent. */
function innerFault(value: unknown): string | undefined {
  if (typeof value === 'string') return textFault(value)
  if (typeof value === 'number') {
    const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
    // From 1e21 on a number is written with an exponent, and is the same when it is read again.
    if (isRounded && Math.abs(value) < 1e21)
      return 'must not hold whole numbers beyond 9007199254740991: send them as text'
    return faultUnless(Number.isFinite(value), 'must not hold numbers beyond 1.8e308')
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const fault = textFault(key) ?? innerFault(inner)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Without recursion, because the depth is what must be checked. */
function depthExceeds(value: unknown, most: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
  }
  return false
}

function faultUnless(isRight: boolean, fault: string): string | undefined {
  return isRight ? undefined : fault
}
