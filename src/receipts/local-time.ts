// Instants as the wall clocks of an account's zone show them.

/** `Sat, Mar 7, 2026, 3:04 PM EST` */
export const localMomentText = writer({
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

/** `Mar 7, 2026` */
export const localDateText = writer({ year: 'numeric', month: 'short', day: 'numeric' })

/** `Mar 7` */
export const shortDateText = writer({ month: 'short', day: 'numeric' })

/** What was sent as a date is the first instant of that day in UTC, and means that day anywhere. */
export function zoneOfDay(at: Date, timeZone: string): string {
  return at.toISOString().endsWith('T00:00:00.000Z') ? 'UTC' : timeZone
}

/** A format takes longer to make than to use. */
function writer(options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (at: Date, timeZone: string, locale = 'en-US'): string => {
    const name = `${locale} ${timeZone}`
    const format = formats.get(name) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
    formats.set(name, format)
    // What stands before AM and PM is a space that many programs do not know.
    return format.format(at).replace(/\s/g, ' ')
  }
}
