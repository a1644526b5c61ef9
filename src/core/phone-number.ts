// Phone numbers as people enter them, and in E.164 for text messages.

import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

const LIKE_A_NUMBER = /^\+?[\d\s().-]+$/
const [LEAST_DIGITS, MOST_DIGITS] = [10, 15]

/** National numbers are read as numbers of the United States. An extension cannot be texted. */
export function toE164(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  // The whole text must be the number, not a part of it.
  const parsed = parsePhoneNumberFromString(value, { defaultCountry: 'US', extract: false })
  return parsed?.isValid() && parsed.ext === undefined ? parsed.number : undefined
}

/** Enough digits for a number, whether or not there is one: no text can be sent to it. */
export function isPhoneLike(text: string): boolean {
  const digits = text.replace(/\D/g, '').length
  return LIKE_A_NUMBER.test(text) && digits >= LEAST_DIGITS && digits <= MOST_DIGITS
}
