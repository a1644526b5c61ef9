// The clocks of a zone, found minute by minute: slow, obvious, and based only on Node's answer for
// one instant. Minutes are counted from 1970 in UTC; a local time is counted likewise, as if its
// zone were UTC.

import assert from 'node:assert/strict'

const MINUTE_MS = 60_000
const HOUR = 60

export const DAY = 24 * HOUR

/** The range that is scanned and remembered at once. */
const STRETCH = 400 * DAY

/** No zone here ever changed its clocks and changed them back within such a time. */
const STEP = 16 * DAY

/** No zone here was ever further from UTC than this. */
const FURTHEST = 15 * HOUR

/** 3/8/2026, 02:30 */
const SHOWN = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+)$/

/** What the clocks show in a minute. */
interface Shown {
  readonly at: number
  readonly offset: number
}

interface Stretch {
  /** The offset at its first minute. */
  readonly offset: number
  /** The minutes in which the clocks begin to show another offset. */
  readonly changes: readonly Shown[]
}

const stretches = new Map<string, Map<number, Stretch>>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** The first minute at which the clocks of the zone show that local time, or a later one. */
export function firstMinute(zone: string, local: number): number {
  const from = local - FURTHEST
  const changes = changesBetween(zone, from, local + FURTHEST)
  let offset = offsetAt(zone, from)
  // None before this one can show it.
  let minute = local - Math.max(offset, ...changes.map((change) => change.offset))
  if (changes.length === 0) return minute
  for (offset = offsetAt(zone, minute); minute + offset < local; ) {
    minute += 1
    offset = changes.findLast(({ at }) => at <= minute)?.offset ?? offset
  }
  return minute
}

/** Whether the clocks ever show that date, given by its midnight. */
export function isDate(zone: string, midnight: number): boolean {
  const first = firstMinute(zone, midnight)
  return first + offsetAt(zone, first) < midnight + DAY
}

/** The changes within that span, without its first minute. */
export function changesBetween(zone: string, from: number, to: number): readonly Shown[] {
  const found: Shown[] = []
  for (let index = Math.floor(from / STRETCH); index <= Math.floor(to / STRETCH); index++) {
    for (const change of stretchOf(zone, index).changes) {
      if (change.at > from && change.at <= to) found.push(change)
    }
  }
  return found
}

export function offsetAt(zone: string, minute: number): number {
  const { offset, changes } = stretchOf(zone, Math.floor(minute / STRETCH))
  return changes.findLast(({ at }) => at <= minute)?.offset ?? offset
}

/** The local time that the clocks show in that minute. */
export function shownAt(zone: string, minute: number): number {
  const shown = SHOWN.exec(formatOf(zone).format(minute * MINUTE_MS))
    ?.slice(1)
    .map(Number)
  assert(shown, 'the clocks of every zone show something')
  const [month = 0, date, year = 0, hour, past] = shown
  return Date.UTC(year, month - 1, date, hour, past) / MINUTE_MS
}

export function minuteOf(instant: Date): number {
  return instant.getTime() / MINUTE_MS
}

export function instantOf(minute: number): Date {
  return new Date(minute * MINUTE_MS)
}

/** Reads `2026-03-08` and `02:30`. */
export function localOf(date: string, time = '00:00'): number {
  return Date.parse(`${date}T${time}:00Z`) / MINUTE_MS
}

/** The date of a local time. */
export function dateOf(local: number): string {
  return instantOf(local).toISOString().slice(0, 10)
}

function stretchOf(zone: string, index: number): Stretch {
  const known = stretches.get(zone) ?? new Map<number, Stretch>()
  stretches.set(zone, known)
  const stretch = known.get(index) ?? lookThrough(zone, index * STRETCH)
  known.set(index, stretch)
  return stretch
}

function lookThrough(zone: string, from: number): Stretch {
  const changes: Shown[] = []
  let before = shownIn(zone, from - STEP)
  for (let at = from; at < from + STRETCH + STEP; at += STEP) {
    const shown = shownIn(zone, at)
    changes.push(...changesFrom(zone, before, shown))
    before = shown
  }
  const { offset } = shownIn(zone, from)
  return { offset, changes: changes.filter(({ at }) => at >= from && at < from + STRETCH) }
}

/** The changes between two minutes: halves the time until it is one minute. */
function changesFrom(zone: string, from: Shown, to: Shown): readonly Shown[] {
  if (from.offset === to.offset) return []
  if (to.at - from.at === 1) return [to]
  const middle = shownIn(zone, Math.floor((from.at + to.at) / 2))
  return [...changesFrom(zone, from, middle), ...changesFrom(zone, middle, to)]
}

function shownIn(zone: string, minute: number): Shown {
  return { at: minute, offset: shownAt(zone, minute) - minute }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  formats.set(timeZone, format)
  return format
}
