// Recognizes card numbers in text, and reads expiry dates. Not all numbers of sixteen digits are
// card numbers: orders and accounts have numbers as well.

import { DateTime } from 'luxon'

/** The prefixes and lengths that card networks issue. */
const ISSUED = /^(?:3[0-9]\d{12,17}|4\d{12,18}|5[0-8]\d{11,17}|6\d{12,18}|2[2-7]\d{14})$/

const RUN = /(?<!\d)\d(?:[ .-]?\d){12,18}(?!\d)/g

/** Grouped as on cards: 4-4-4-4, with up to three more digits; 4-6-5 and 4-6-4. */
const GROUPED =
  /(?<!\d)(?:\d{4}([ .-])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}([ .-])\d{6}\2\d{4,5})(?!\d)/g

/** For text that people write: digits may be grouped in any way. */
export function holdsCardNumber(text: string): boolean {
  return [...plain(text).matchAll(RUN)].some(([digits]) => isCardNumber(digits))
}

/** For arbitrary values: only digits that are grouped as on a card count. */
export function holdsGroupedCardNumber(text: string): boolean {
  return [...plain(text).matchAll(GROUPED)].some(([digits]) => isCardNumber(digits))
}

function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ .-]/g, '')
  return ISSUED.test(digits) && isLuhn(digits)
}

/** Every card number has this check digit. */
export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i])
    const weighed = i % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}

/** Digits, spaces and dashes of every script as those of ASCII; what cannot be seen left out. */
function plain(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s/gu, ' ')
}

const MMYY = /^(0[1-9]|1[0-2])(\d{2})$/
const LAST_ZONE = 'Etc/GMT+12' // UTC−12: the last place where a month ends

/** A card is valid through the last day of its month in the zone where that day ends last. */
export function expiryFault(text: string | undefined, now: Date): string | undefined {
  const [, month, year] = MMYY.exec(text ?? '') ?? []
  if (month === undefined || year === undefined) return 'must be a month and a year as MMYY'
  const start = DateTime.fromObject(
    { year: 2000 + Number(year), month: Number(month) },
    { zone: LAST_ZONE },
  )
  return start.endOf('month').toMillis() < now.getTime() ? 'is in the past' : undefined
}
