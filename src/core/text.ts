// Text that can be stored and returned unchanged.

/** PostgreSQL knows no NUL, and half of a surrogate pair is no character. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold NUL'
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode'
}

/** What a person reads of an answer from outside, at most. */
const LONGEST_FROM_OUTSIDE = 500

const CONTROLS = /\p{Cc}/gu

/**
 * Words that came from outside, in a form that can be stored: a record that the database refuses
 * would be tried again without end.
 */
export function storable(text: string): string {
  return text.slice(0, LONGEST_FROM_OUTSIDE).toWellFormed().replace(CONTROLS, ' ')
}
