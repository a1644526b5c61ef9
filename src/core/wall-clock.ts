// Converts between the local time of a zone and instants. A local time that does not exist on that
// day becomes the first instant after the gap; of one that comes twice, the first is used.

import assert from 'node:assert'
import { IANAZone } from 'luxon'
import { DAY, HOUR, SECOND } from './time-units.ts'

/** The reading of a wall clock in milliseconds, as if it were UTC. */
export type Wall = number

/** A span of time in which the zone's offset does not change. The end is not included. */
interface Span {
  readonly from: number
  readonly until: number
  readonly offset: number
}

/** No zone was ever further from UTC, not even Manila with its local mean time. */
const FURTHEST = 16 * HOUR

/** No zone ever changed its offset twice within a week, so weekly probes miss no change. */
const PROBE = 7 * DAY

/**
 * Spans are searched for about a year at a time: the cost is worth it when one of its days is
 * needed.
 */
const STRETCH = 52 * PROBE

/** More than the tz database has names. Only different spellings could exceed it. */
const MOST_ZONES = 1_000

/** For each zone: more centuries than are ever computed. */
const MOST_STRETCHES = 400

/**
 * ICU also knows abbreviations of old Java versions, such as `BST` for Dhaka; these are excluded.
 */
const TZ_OF_THREE_LETTERS = /^(?:[CEMW]ET|[EHM]ST|GMT|U(?:CT|TC)|PRC|RO[CK])$/i

const stretches = new Map<string, Map<number, readonly Span[]>>()

/** True for names of the tz database, links included. An offset is not a zone. */
export function isZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  if (name.length === 3 && !TZ_OF_THREE_LETTERS.test(name)) return false
  return stretches.has(name) || IANAZone.isValidZone(name)
}

export function wallAt(instant: number, zone: string): Wall {
  return instant + spanAt(instant, zone).offset
}

/** The first instant at which the clock shows this time, or a later one if it skipped it. */
export function instantAt(wall: Wall, zone: string): number {
  let span = spanAt(wall - FURTHEST, zone)
  while (wall - span.offset >= span.until) span = spanAt(span.until, zone)
  return Math.max(span.from, wall - span.offset)
}

/** Days are counted from 1970-01-01 on. */
export function dayOf(wall: Wall): number {
  return Math.floor(wall / DAY)
}

/** False for a date that the zone skipped, as Apia skipped 2011-12-30. */
export function isDayIn(zone: string, day: number): boolean {
  return dayOf(wallAt(instantAt(day * DAY, zone), zone)) === day
}

/** The day number of YYYY-MM-DD. */
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
  // Luxon keeps every name forever, so each zone is passed in one spelling. Finding spans takes a
  // third of a millisecond, so all spellings share them.
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
