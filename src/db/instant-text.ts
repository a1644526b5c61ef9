// An instant as PostgreSQL reads it, which knows nothing of the sign and the zero that JavaScript
// puts before a year after 9999.

export function instantText(instant: Date): string {
  return instant.toISOString().replace(/^\+0*/, '')
}
