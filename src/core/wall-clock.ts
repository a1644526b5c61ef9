// A local time of a zone, and the instant at which it is. A local time that does not exist that day
// is the first instant after the gap; one that comes twice is the first of the two.

import assert from 'node:assert'
import { IANAZone } from 'luxon'
import { DAY, HOUR, SECOND } from './time-units.ts'

/** What a wall clock shows, in milliseconds: its reading told as though it were UTC. */
export type Wall = number

/** A time in which the zone's clocks run evenly: from an instant on, and before another. */
interface Span {
  readonly from: number
  readonly until: number
  readonly offset: number
}

/** No clock on Earth was ever further from UTC, not even by the local mean time of Manila. */
const FURTHEST = 16 * HOUR

/** Two changes of a zone's clocks never lay closer together: a probe a week misses none. */
const PROBE = 7 * DAY

/** Spans are found, and cut, by the year or so: as much as pays when one of its days is asked. */
const STRETCH = 52 * PROBE

/** More than the tz database has names; only their spelling in every case could go beyond. */
const MOST_ZONES = 1_000

/** Of a zone: more centuries than anything is reckoned over. */
const MOST_STRETCHES = 400

/** Of ICU, which knows abbreviations of old Javas as well: `BST` would be the time of Dhaka. */
const TZ_OF_THREE_LETTERS = /^(?:[CEMW]ET|[EHM]ST|GMT|U(?:CT|TC)|PRC|RO[CK])$/i

const stretches = new Map<string, Map<number, readonly Span[]>>()

/** A name of the tz database, links included. An offset is no zone. */
export function isZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  if (name.length === 3 && !TZ_OF_THREE_LETTERS.test(name)) return false
  return stretches.has(name) || IANAZone.isValidZone(name)
}

export function wallAt(instant: number, zone: string): Wall {
  return instant + spanAt(instant, zone).offset
}

/** The first instant at which the clock shows it, or shows more since it leapt over it. */
export function instantAt(wall: Wall, zone: string): number {
  let span = spanAt(wall - FURTHEST, zone)
  while (wall - span.offset >= span.until) span = spanAt(span.until, zone)
  return Math.max(span.from, wall - span.offset)
}

/** Days are counted from 1970-01-01 on. */
export function dayOf(wall: Wall): number {
  return Math.floor(wall / DAY)
}

/** False of a date that the zone leapt over, as Apia did over 2011-12-30. */
export function isDayIn(zone: string, day: number): boolean {
  return dayOf(wallAt(instantAt(day * DAY, zone), zone)) === day
}

/** Of a date as YYYY-MM-DD. */
export function dayOfDate(date: string): number {
  const day = Date.parse(`${date}T00:00:00Z`) / DAY
  assert(Number.isInteger(day), `${date} is no date`)
  return day
}

export function dateOfDay(day: number): string {
  return new Date(day * DAY).toISOString().replace(/T.*/, '')
}

function spanAt(instant: number, zone: string): Span {
  const index = Math.floor(instant / STRETCH)
  const spans = stretches.get(zone)?.get(index) ?? findSpans(index, zone)
  for (const span of spans) if (instant < span.until) return span
  assert.fail(`no span of ${zone} holds ${instant}`)
}

function findSpans(index: number, name: string): readonly Span[] {
  // Luxon forgets no name that it was given, so it gets one spelling of each; and spans take a third
  // of a millisecond to find, so another spelling shares those that are known.
  const spelling = name.toLowerCase()
  const zone = IANAZone.create(spelling)
  assert(zone.isValid, `${name} is no zone`)
  const known = stretches.get(spelling) ?? new Map<number, readonly Span[]>()
  const spans = known.get(index) ?? spansBetween(index * STRETCH, (index + 1) * STRETCH, zone)
  if (known.size >= MOST_STRETCHES) known.clear()
  if (stretches.size >= MOST_ZONES) stretches.clear()
  known.set(index, spans)
  stretches.set(spelling, known).set(name, known)
  return spans
}

function spansBetween(from: number, until: number, zone: IANAZone): readonly Span[] {
  const starts = [from]
  let offset = offsetAt(from, zone)
  for (let probe = from; probe < until; probe += PROBE) {
    const next = offsetAt(probe + PROBE, zone)
    if (next !== offset) starts.push(changeBetween(probe, probe + PROBE, zone))
    offset = next
  }
  return starts.map((start, at) => ({
    from: start,
    until: starts[at + 1] ?? until,
    offset: offsetAt(start, zone),
  }))
}

/** The first second of the new offset. */
function changeBetween(before: number, after: number, zone: IANAZone): number {
  const offset = offsetAt(before, zone)
  let [low, high] = [before, after]
  while (high - low > SECOND) {
    const middle = low + Math.floor((high - low) / 2 / SECOND) * SECOND
    if (offsetAt(middle, zone) === offset) low = middle
    else high = middle
  }
  return high
}

function offsetAt(instant: number, zone: IANAZone): number {
  return Math.round(zone.offset(instant) * 60) * SECOND
}
