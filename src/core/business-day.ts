// Business days: wall-clock days in a zone of the tz database.

import { DAY, HOUR, MINUTE } from './time-units.ts'
import { dateOfDay, dayIn, dayOfDate, instantAt, isDayIn } from './wall-clock.ts'

/** The zone of the card networks' business day. */
export const EASTERN = 'America/New_York'

/** The time of day at which one business day ends and the next begins. */
export interface Cutoff {
  /** HH:MM */
  readonly time: string
  readonly zone: string
}

export interface BusinessDay {
  /** YYYY-MM-DD, the local date of the cutoff. */
  readonly date: string
  /** The first instant after this business day. */
  readonly cutoffAt: Date
}

const DEPOSIT_TIME = 9 * HOUR

/** The first instant of the next day, also if its midnight comes twice. */
export function nextMidnight(instant: Date, zone: string): Date {
  return new Date(instantAt((dayIn(zone, instant) + 1) * DAY, zone))
}

/**
 * The business day of an instant: from the previous day's cutoff up to its own, which is not
 * included.
 */
export function businessDayOf(instant: Date, cutoff: Cutoff): BusinessDay {
  // Until a day's cutoff the clock never shows a later day.
  let day = dayFrom(dayIn(cutoff.zone, instant), cutoff.zone)
  while (cutoffOn(day, cutoff) <= instant.getTime()) day = dayFrom(day + 1, cutoff.zone)
  return businessDay(day, cutoff)
}

export function businessDayAfter(date: string, cutoff: Cutoff): BusinessDay {
  return businessDay(dayFrom(dayOfDate(date) + 1, cutoff.zone), cutoff)
}

/** A day that the zone skipped is the next one. `opensAt` is the cutoff of the day before. */
export function businessDayOn(
  date: string,
  cutoff: Cutoff,
): BusinessDay & { readonly opensAt: Date } {
  const day = dayFrom(dayOfDate(date), cutoff.zone)
  let before = day - 1
  while (!isDayIn(cutoff.zone, before)) before -= 1
  return { ...businessDay(day, cutoff), opensAt: new Date(cutoffOn(before, cutoff)) }
}

/** When a batch's deposit arrives: in the morning of the next weekday. */
export function depositAt(date: string, zone: string): Date {
  let day = dayFrom(dayOfDate(date) + 1, zone)
  while (isWeekend(day)) day = dayFrom(day + 1, zone)
  return new Date(instantAt(day * DAY + DEPOSIT_TIME, zone))
}

/** The day itself, or the next one if the zone skipped it. */
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
