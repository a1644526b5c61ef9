// Days of business: wall-clock days in a zone of the tz database.

import { DateTime } from 'luxon'

/** Where the day of the card networks is told. */
export const EASTERN = 'America/New_York'

/** The first instant of the day after, where its midnight comes twice as well. */
export function nextMidnight(instant: Date, zone: string): Date {
  const midnight = DateTime.fromJSDate(instant, { zone }).plus({ days: 1 }).startOf('day')
  return new Date(Math.min(...midnight.getPossibleOffsets().map((one) => one.toMillis())))
}
