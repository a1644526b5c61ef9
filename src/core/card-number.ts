// Recognizes card numbers in text. Not all numbers of sixteen digits are card numbers: orders and
// accounts have numbers as well.

/** The prefixes and lengths that card networks issue. */
const ISSUED = /^(?:3[0-9]\d{12,17}|4\d{12,18}|5[0-8]\d{11,17}|6\d{12,18}|2[2-7]\d{14})$/

const RUN = /(?<!\d)\d(?:[ .-]?\d){12,18}(?!\d)/g

/** Grouped as on cards: 4-4-4-4, with up to three more digits; 4-6-5 and 4-6-4. */
const GROUPED =
  /(?<!\d)(?:(\d{4}([ ./_-])\d{4}\2\d{4}\2\d{1,4})(?:\2\d{1,3})?|\d{4}([ ./_-])\d{6}\3\d{4,5})(?!\d)/g

/** Random ids. One in two thousand has digits that look like a grouped card number. */
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

/** Examines text that people write: digits may be grouped in any way. */
export function holdsCardNumber(text: string): boolean {
  const run = [...plain(text).matchAll(RUN)].some(([digits]) => isCardNumber(digits))
  return run || holdsGroupedCardNumber(text)
}

/** Examines arbitrary values: only digits that are grouped as on a card count. */
export function holdsGroupedCardNumber(text: string): boolean {
  // An expiry date may follow four groups.
  return [...plain(text).matchAll(GROUPED)].some(
    ([digits, four = '']) => isCardNumber(digits) || isCardNumber(four),
  )
}

function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ ./_-]/g, '')
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

/**
 * Without UUIDs and invisible characters, and with the digits, spaces and dashes of every script as
 * ASCII.
 */
function plain(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, inAscii).replace(UUID, '#')
}

/** Higher characters have no digits in them. */
const KNOWN_CHARACTERS = 0x20000

/** What each character was found to stand for. */
const known = new Map<string, string>()

/**
 * Characters are looked up one by one: to normalize a long text takes seconds if its accents are in
 * the wrong order.
 */
function inAscii(character: string): string {
  const found = known.get(character)
  if (found !== undefined) return found
  if ((character.codePointAt(0) ?? 0) >= KNOWN_CHARACTERS) return OTHER
  const ascii = asciiOf(character)
  known.set(character, ascii)
  return ascii
}

/** Stands for letters and symbols. */
const OTHER = '#'

/** Accents may stand between digits, and above them. */
const UNSEEN = /[\p{M}\p{Default_Ignorable_Code_Point}]/u

/** A circled 12 is two digits, and a ligature is a whole sentence. */
function asciiOf(character: string): string {
  if (UNSEEN.test(character)) return ''
  const parts = [...character.normalize('NFKC')].map((part) => {
    if (/\p{Nd}/u.test(part)) return digitOf(part)
    if (/\p{Pd}/u.test(part)) return '-'
    if (/\s/u.test(part)) return ' '
    return /[\x21-\x7e]/.test(part) ? part : OTHER
  })
  const isNumber = parts.length === 1 || parts.some((part) => /\d/.test(part))
  return isNumber ? parts.join('') : OTHER
}

/** The digits of each script stand together, from 0 to 9. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}
