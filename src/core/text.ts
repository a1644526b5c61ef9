// Text that can be stored and given back as it came.

/** PostgreSQL knows no NUL, and half of a surrogate pair is no character. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold NUL'
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode'
}
