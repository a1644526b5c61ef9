// Text that can be stored and returned unchanged.

/** PostgreSQL stores no NUL, and half of a surrogate pair is not a character. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold NUL'
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode'
}

/** The text without what `textFault` refuses, for a text that was put together here. */
export function withoutFaults(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** The longest excerpt of an outside answer that is shown to people. */
const LONGEST_FROM_OUTSIDE = 500

const CONTROLS = /\p{Cc}/gu

/**
 * Makes text from outside storable. If the database refused such a record, it would be retried
 * without end.
 */
export function storable(text: string): string {
  return text.slice(0, LONGEST_FROM_OUTSIDE).toWellFormed().replace(CONTROLS, ' ')
}

/** The same for all texts of a plain value from outside: of its fields and of its lists. */
export function storableParts<T>(value: T): T {
  if (typeof value === 'string') return storable(value) as T
  if (Array.isArray(value)) return value.map((part) => storableParts(part)) as T
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const parts = Object.entries(value).map(([name, part]) => [name, storableParts(part)])
  return Object.fromEntries(parts) as T
}

/** NaN unless the text is digits alone, at most nine of them: not `1e3`, `-5` or `1.5`. */
export function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}

/** Only http and https, because `javascript:` is an address too. Empty means none. */
export function isWebAddress(value: unknown): boolean {
  if (typeof value !== 'string') return false
  // Parsers ignore line feeds and tabs, but a header must never contain them.
  if (/\p{Cc}/u.test(value)) return false
  return value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value))
}

/** In characters. Every browser and proxy takes an address of this length. */
export const LONGEST_WEB_ADDRESS = 2_048
