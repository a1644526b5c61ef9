// Business days: wall-clock days in a zone of the tz database.

import { DAY, HOUR, MINUTE } from './time-units.ts'
import { dateOfDay, dayOf, dayOfDate, instantAt, isDayIn, wallAt } from './wall-clock.ts'

export { isZone } from './wall-clock.ts'

/** The zone of the card networks' business day. */
export const EASTERN = 'America/New_York'

/** The time of day at which one day of business ends and the next begins. */
export interface Cutoff {
  /** HH:MM */
  readonly time: string
  readonly zone: string
}

export interface BusinessDay {
  /** YYYY-MM-DD, the local date of the cutoff. */
  readonly date: string
  /** The first instant that is no longer in it. */
  readonly cutoffAt: Date
}

const DEPOSIT_TIME = 9 * HOUR

/** The first instant of the day after, where its midnight comes twice as well. */
export function nextMidnight(instant: Date, zone: string): Date {
  const day = dayOf(wallAt(instant.getTime(), zone))
  return new Date(instantAt((day + 1) * DAY, zone))
}

/** The day that holds the instant: from the cutoff of the day before, up to and without its own. */
export function businessDayOf(instant: Date, cutoff: Cutoff): BusinessDay {
  // While a day's cutoff is still to come, the clock has never shown more than that day.
  let day = dayFrom(dayOf(wallAt(instant.getTime(), cutoff.zone)), cutoff.zone)
  while (cutoffOn(day, cutoff) <= instant.getTime()) day = dayFrom(day + 1, cutoff.zone)
  return businessDay(day, cutoff)
}

export function businessDayAfter(date: string, cutoff: Cutoff): BusinessDay {
  return businessDay(dayFrom(dayOfDate(date) + 1, cutoff.zone), cutoff)
}

/** When the money of a day's batch is there: in the morning of the next weekday. */
export function depositAt(date: string, zone: string): Date {
  let day = dayFrom(dayOfDate(date) + 1, zone)
  while (isWeekend(day)) day = dayFrom(day + 1, zone)
  return new Date(instantAt(day * DAY + DEPOSIT_TIME, zone))
}

/** It, or the next one where the zone leapt over it. */
function dayFrom(day: number, zone: string): number {
  return isDayIn(zone, day) ? day : dayFrom(day + 1, zone)
}

function cutoffOn(day: number, { time, zone }: Cutoff): number {
  const [hour, minute] = time.split(':').map(Number)
  return instantAt(day * DAY + Number(hour) * HOUR + Number(minute) * MINUTE, zone)
}

function businessDay(day: number, cutoff: Cutoff): BusinessDay {
  return { date: dateOfDay(day), cutoffAt: new Date(cutoffOn(day, cutoff)) }
}

function isWeekend(day: number): boolean {
  const weekday = new Date(day * DAY).getUTCDay()
  return weekday === 0 || weekday === 6
}
