// Rules of hours and minutes count elapsed time from their start, whatever the clocks do. Such a
// rule repeats the same occurrences in cycles: BYMINUTE names several in each interval of hours, or
// selects some of several intervals of minutes. The minutes are those of the clock at the start,
// which may be another time than the anchor: the clocks may have skipped that one.

import { HOUR, MINUTE } from '../time-units.ts'
import type { Wall } from '../wall-clock.ts'
import { indexAfter } from './calendar.ts'
import { ascending } from './parts.ts'
import type { Recurrence, Rule } from './rule.ts'

type Elapsed = Pick<Recurrence, 'rule' | 'origin' | 'pattern'>

const AN_HOUR = HOUR / MINUTE

/** The occurrences of the first cycle, in milliseconds after the start. */
export function offsetsOf(rule: Rule, start: Wall): readonly number[] {
  const { frequency, interval, minutes } = rule
  if (minutes.length === 0) return [0]
  const began = new Date(start).getUTCMinutes()
  if (frequency === 'HOURLY') {
    // A minute before that of the start comes in the next interval.
    const cycle = interval * AN_HOUR
    return ascending(minutes.map((minute) => ((minute - began + cycle) % cycle) * MINUTE))
  }
  const steps = Array.from({ length: cycleOf(rule) / (interval * MINUTE) }, (_, n) => n * interval)
  return steps
    .filter((step) => minutes.includes((began + step) % AN_HOUR))
    .map((step) => step * MINUTE)
}

/** The occurrences from an instant up to the end, which is not included. */
export function* elapsedBetween({ rule, origin, pattern }: Elapsed, from: number, end: number) {
  const cycle = cycleOf(rule)
  const cycles = Math.max(0, Math.floor((from - origin) / cycle))
  for (let start = origin + cycles * cycle; start < end; start += cycle) {
    for (const offset of pattern.times) {
      const at = start + offset
      if (at >= from && at < end) yield at
    }
  }
}

/** The number of occurrences up to and including the instant. */
export function elapsedUntil({ rule, origin, pattern }: Elapsed, instant: number): number {
  if (instant < origin) return 0
  const cycle = cycleOf(rule)
  const past = instant - origin
  return Math.floor(past / cycle) * pattern.times.length + indexAfter(pattern.times, past % cycle)
}

/** The occurrence with that number, from 1. */
export function elapsedAt({ rule, origin, pattern: { times } }: Elapsed, number: number): number {
  const cycles = Math.floor((number - 1) / times.length)
  return origin + cycles * cycleOf(rule) + (times[(number - 1) % times.length] ?? 0)
}

/** The start, put back by whole cycles to the instant or before it. */
export function originBefore({ rule, origin }: Omit<Elapsed, 'pattern'>, instant: number): number {
  const cycle = cycleOf(rule)
  return origin - Math.ceil((origin - instant) / cycle) * cycle
}

/** In milliseconds. */
function cycleOf({ frequency, interval, minutes }: Rule): number {
  if (frequency === 'HOURLY') return interval * HOUR
  return minutes.length === 0 ? interval * MINUTE : leastCommonMultiple(interval, AN_HOUR) * MINUTE
}

function leastCommonMultiple(one: number, other: number): number {
  let multiple = one
  while (multiple % other !== 0) multiple += one
  return multiple
}
