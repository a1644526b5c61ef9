// Converts between the local time of a zone and instants. A local time that does not exist on that
// day becomes the first instant after the gap; of one that comes twice, the first is used.

import assert from 'node:assert'
import { IANAZone } from 'luxon'
import { DAY, HOUR, MINUTE, SECOND } from './time-units.ts'

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

/** What is known of a zone. */
interface ZoneSpans {
  /** Writes an instant's offset. */
  readonly format: Intl.DateTimeFormat
  readonly stretches: Map<number, readonly Span[]>
}

/** Spellings share what is known of their zone. */
const zones = new Map<string, ZoneSpans>()

/** The end of `1969, GMT-05:00`. In UTC there is no number. */
const OFFSET = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/

/** True for names of the tz database, links included. An offset is not a zone. */
export function isZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  if (name.length === 3 && !TZ_OF_THREE_LETTERS.test(name)) return false
  return zones.has(name) || IANAZone.isValidZone(name)
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

/** The day of an instant, by the clock of the zone. */
export function dayIn(zone: string, instant: Date): number {
  return dayOf(wallAt(instant.getTime(), zone))
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
  const { format, stretches } = zones.get(zone) ?? openZone(zone)
  const index = Math.floor(instant / STRETCH)
  const spans = stretches.get(index) ?? findSpans(index, format)
  if (!stretches.has(index)) {
    if (stretches.size >= MOST_STRETCHES) stretches.clear()
    stretches.set(index, spans)
  }
  for (const span of spans) if (instant < span.until) return span
  assert.fail(`no span of ${zone} holds ${instant}`)
}

function openZone(name: string): ZoneSpans {
  assert(IANAZone.isValidZone(name), `${name} is no zone`)
  const spelling = name.toLowerCase()
  // Three times as fast as Luxon, which calculates an offset from the parts of the local time.
  const written = { timeZone: name, year: 'numeric', timeZoneName: 'longOffset' } as const
  const zone = zones.get(spelling) ?? {
    format: new Intl.DateTimeFormat('en-US', written),
    stretches: new Map(),
  }
  if (zones.size >= MOST_ZONES) zones.clear()
  zones.set(spelling, zone).set(name, zone)
  return zone
}

function findSpans(index: number, format: Intl.DateTimeFormat): readonly Span[] {
  const [from, until] = [index * STRETCH, (index + 1) * STRETCH]
  const starts = [from]
  let offset = offsetAt(from, format)
  for (let probe = from; probe < until; probe += PROBE) {
    const next = offsetAt(probe + PROBE, format)
    if (next !== offset) starts.push(changeBetween(probe, probe + PROBE, format))
    offset = next
  }
  return starts.map((start, at) => ({
    from: start,
    until: starts[at + 1] ?? until,
    offset: offsetAt(start, format),
  }))
}

/** The first second of the new offset. */
function changeBetween(before: number, after: number, format: Intl.DateTimeFormat): number {
  const offset = offsetAt(before, format)
  let [low, high] = [before, after]
  while (high - low > SECOND) {
    const middle = low + Math.floor((high - low) / 2 / SECOND) * SECOND
    if (offsetAt(middle, format) === offset) low = middle
    else high = middle
  }
  return high
}

function offsetAt(instant: number, format: Intl.DateTimeFormat): number {
  const [, sign, hours, minutes, seconds = 0] = OFFSET.exec(format.format(instant)) ?? []
  if (sign === undefined) return 0
  const size = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND
  return sign === '-' ? -size : size
}
