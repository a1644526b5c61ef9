// The rules of the values that a team's settings may have.

import { isPhoneLike } from '../core/phone-number.ts'

/** Requests a minute for each key. RATE_LIMIT_PER_MINUTE has the same limit. */
export const MOST_REQUESTS = 1_000_000

export function isRateLimit(value: number): boolean {
  return isWhole(value, MOST_REQUESTS)
}

/** The database has the same limit. */
const MOST_RETRIES = 10

/** A failed payment is not retried after a year. */
const LAST_RETRY_DAY = 365

export const RETRY_RULE =
  `a failed payment is tried again after up to ${MOST_RETRIES} numbers of days, ` +
  `1 to ${LAST_RETRY_DAY}, each more than the one before, such as 1,3,7; or none`

export function isRetryPlan(days: readonly number[]): boolean {
  return (
    days.length <= MOST_RETRIES &&
    days.every((day, i) => isWhole(day, LAST_RETRY_DAY) && day > (days[i - 1] ?? 0))
  )
}

function isWhole(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most
}

export function isTimeOfDay(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
}

/** As Stripe names a merchant's own account. */
export function isStripeAccount(text: string): boolean {
  return /^acct_[A-Za-z0-9]{1,100}$/.test(text)
}

export const LONGEST_ADDRESS = 320

/** Enough to send to: only a message shows whether the address exists. */
export function isTeamAddress(text: string): boolean {
  // The database counts characters, not UTF-16 units.
  return /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text) && [...text].length <= LONGEST_ADDRESS
}

const LONGEST_CONTACT = { phone: 40, website: 200 }

export function isContactPhone(text: string): boolean {
  return text.length <= LONGEST_CONTACT.phone && isPhoneLike(text)
}

/** A name before an @ would look like the host. */
export function isWebsite(text: string): boolean {
  if (text.length > LONGEST_CONTACT.website || /[\s\p{C}]/u.test(text) || !URL.canParse(text)) {
    return false
  }
  const { protocol, hostname, username, password } = new URL(text)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && hostname.includes('.') && username === '' && password === ''
}
