// Times as rules and clients write them: `20260131T090000`, `2026-01-31 09:00:00`, a date alone, or
// an instant with `Z` or an offset.

import { DAY, HOUR, MINUTE, SECOND } from '../time-units.ts'
import { dateOfDay, dayOf, instantAt, type Wall, wallAt } from '../wall-clock.ts'
import type { WrittenTime } from './rule.ts'

const DATE = String.raw`(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)`
const CLOCK = String.raw`(?<hour>[01]\d|2[0-3]):?(?<minute>[0-5]\d)(?::?(?<second>[0-5]\d))?`
const OFFSET = String.raw`Z|(?<sign>[+-])(?<hours>0\d|1[0-4])(?::?(?<minutes>[0-5]\d))?`

/** Fractions of a second are ignored: no run is that exact. */
const TIME = new RegExp(`^${DATE}(?:[T ]${CLOCK}(?:[.,]\\d+)?(?<offset>${OFFSET})?)?$`, 'i')

/** Instants are limited to four-digit years, so that they can be written again. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59)

/** Undefined if the text is not a time, or the date is not in the calendar. */
export function readMoment(text: string): WrittenTime | undefined {
  const parts = TIME.exec(text.trim())?.groups
  const day = parts && readDay(`${parts.year}-${parts.month}-${parts.day}`)
  if (parts === undefined || day === undefined) return undefined
  if (parts.hour === undefined) return { kind: 'date', day }
  const wall = day * DAY + span(parts.hour, parts.minute, parts.second)
  if (parts.offset === undefined) return { kind: 'local', wall }
  const east = span(parts.hours, parts.minutes) * (parts.sign === '-' ? -1 : 1)
  return { kind: 'instant', instant: Math.max(EARLIEST, Math.min(LATEST, wall - east)) }
}

/** The time on the wall clock of the zone. A date alone gets the given time of day. */
export function wallOf(moment: WrittenTime, zone: string, timeOfDay: number): Wall {
  switch (moment.kind) {
    case 'date':
      return moment.day * DAY + timeOfDay
    case 'local':
      return moment.wall
    case 'instant':
      return wallAt(moment.instant, zone)
  }
}

export function instantOf(moment: WrittenTime, zone: string, timeOfDay: number): number {
  return moment.kind === 'instant'
    ? moment.instant
    : instantAt(wallOf(moment, zone, timeOfDay), zone)
}

/** As RFC 5545 writes it. */
export function writtenTimeText(moment: WrittenTime): string {
  switch (moment.kind) {
    case 'date':
      return basicText(moment.day * DAY).replace(/T.*/, '')
    case 'local':
      return basicText(moment.wall)
    case 'instant':
      return `${basicText(moment.instant)}Z`
  }
}

/**
 * As local time if that is unambiguous; as an instant if it is the second of two equal local times.
 */
export function writtenLocalTime(instant: number, zone: string): string {
  const wall = wallAt(instant, zone)
  const isPlain = wall <= LATEST && instantAt(wall, zone) === instant
  return writtenTimeText(isPlain ? { kind: 'local', wall } : { kind: 'instant', instant })
}

/** YYYY-MM-DDTHH:MM:SS */
export function wallText(wall: Wall): string {
  return new Date(wall).toISOString().slice(0, 19)
}

export function timeOfDayOf(wall: Wall): number {
  return wall - dayOf(wall) * DAY
}

function readDay(date: string): number | undefined {
  const day = Date.parse(date) / DAY
  return !Number.isNaN(day) && dateOfDay(day) === date ? day : undefined
}

function span(hours = '0', minutes = '0', seconds = '0'): number {
  return Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND
}

function basicText(wall: Wall): string {
  return wallText(wall).replace(/[-:]/g, '')
}
