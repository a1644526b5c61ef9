// Removes secrets and card data from finished log lines, wherever they stand. No code logs them on
// purpose; this is for the day when an error quotes its input or a library logs too much.

import { isLuhn } from './card-number.ts'

const REDACTED = '[redacted]'

/** The names of fields with secrets and card data, in every spelling. */
const NAMES = [
  'api[_-]?key',
  'authorization',
  'bank[_-]?account',
  'card[_-]?(?:cvv|number)',
  'connection[_-]?string',
  'cookie',
  'cv[cv]',
  'pass(?:word|phrase)',
  'secret',
  'token',
].join('|')

const SECRET_NAME = new RegExp(`${NAMES}|^(?:once|_form)$`, 'i')

/** The characters that end a value in quotes or in a list. */
const VALUE = `[^\\s"'\\\\&,;)}\\]]+`

/**
 * The forms in a text: `name: value`, `name=value`, `"name":"value"`, each with the part that
 * stays.
 */
const IN_TEXT: readonly (readonly [RegExp, string])[] = [
  [/\b((?:set-)?cookie["'\\]*\s*[:=]\s*)[^"'\\\n]+/gi, `$1${REDACTED}`],
  [
    new RegExp(
      `((?:${NAMES})[\\w-]*["'\\\\]*\\s*[:=]\\s*["'\\\\]*)(?!\\[redacted)(?:(?:bearer|basic)\\s+)?${VALUE}`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [/\b((?:once|_form)=)[^&\s"']+/g, `$1${REDACTED}`],
  [/([sr]k)_(sandbox|live|test)_[\w-]+/gi, `$1_$2_${REDACTED}`],
  [/\bwhsec_[\w+/=-]+/g, `whsec_${REDACTED}`],
  // An unescaped password may contain the characters that would end it.
  [/(:\/\/)(?:[^\s"'/:@]*:[^\s"']*|[^\s"'/:@]+)@/g, `$1${REDACTED}@`],
]

/** Card digits in one run, or grouped as on the card. */
const CARDS = [
  /(?<!\d|\d\.)\d{13,19}(?!\d)/g,
  /(?<![\w-])\d{4}[ -]?(?:\d{4}[ -]?\d{4}[ -]?\d{1,7}|\d{6}[ -]?\d{4,5})(?![\w-])/g,
]

/** Until the year 2033 an instant in milliseconds has 13 digits and begins with 1. No card does. */
const INSTANT = /^1\d{12}$/

/** Only lines with one of these need a closer look; most have none. */
const SUSPECT =
  /token|secret|passw|passp|authoriz|cookie|cv[cv]|card.?n|bank.?a|connection.?s|api.?key|whsec_|[rs]k_|bearer|basic |once|_form/i
const SUSPECT_DIGITS = /\d{13}|\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d|\d{4}[ -]\d{6}[ -]?\d{4}/

export function redacted(line: string): string {
  return isSuspect(line) ? lookedThrough(line) : line
}

function isSuspect(text: string): boolean {
  const isAddress = text.includes('://') && text.includes('@')
  return isAddress || SUSPECT.test(text) || SUSPECT_DIGITS.test(text)
}

function lookedThrough(line: string): string {
  try {
    return `${JSON.stringify(clean(JSON.parse(line)))}\n`
  } catch {
    return cleanText(line)
  }
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'number') return isCard(String(value)) ? REDACTED : value
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      cleanText(name),
      SECRET_NAME.test(name) ? hidden(part) : clean(part),
    ]),
  )
}

/** Whether there is a value at all is not secret. */
function hidden(value: unknown): unknown {
  return value === null || typeof value === 'boolean' ? value : REDACTED
}

/** The same for a part of a line. */
export function cleanText(text: string): string {
  if (!isSuspect(text)) return text
  const named = IN_TEXT.reduce((so, [pattern, instead]) => so.replace(pattern, instead), text)
  const withoutCard = (digits: string) => (isCard(digits) ? REDACTED : digits)
  return CARDS.reduce((so, pattern) => so.replace(pattern, withoutCard), named)
}

function isCard(text: string): boolean {
  const digits = text.replace(/[ -]/g, '')
  return /^\d{13,19}$/.test(digits) && !INSTANT.test(digits) && isLuhn(digits)
}
