// What comes again: a rule after RFC 5545, anchored at a local time of a zone. It is read here, as
// a client has sent it or as it was stored; recurrence/series.ts tells its occurrences.
//
// Every occurrence is reckoned from the anchor, never from the one before. A month that lacks the
// day has it on its last; a local time that does not exist is the first instant after the gap, and
// of one that comes twice the first counts. Hours and minutes count time that passes.

import assert from 'node:assert'
import { type Lines, readLines } from './recurrence/lines.ts'
import { type Parts, partsOf } from './recurrence/parts.ts'
import type { Recurrence } from './recurrence/rule.ts'
import { checkRule } from './recurrence/rule-limits.ts'
import { readRule } from './recurrence/rule-reader.ts'
import { nextOccurrence, recurrenceOf, type Said } from './recurrence/series.ts'
import {
  checkAdded,
  checkZones,
  readAnchor,
  readDates,
  type Setting,
} from './recurrence/written-times.ts'
import { instantAt, isZone } from './wall-clock.ts'

export type { Recurrence } from './recurrence/rule.ts'
export { anchorOf, ruleOf } from './recurrence/rule-line.ts'
export { lastOccurrence, nextOccurrence, occurrencesAfter } from './recurrence/series.ts'
export { ruleText } from './recurrence/wording.ts'

export interface SentRecurrence {
  readonly rule: string
  readonly start?: string | undefined
  readonly zone: string
}

/** By the field that is at fault, in words that follow its name. */
export interface RecurrenceFaults {
  rule?: string[]
  start?: string[]
  timezone?: string[]
}

export type RecurrenceReading =
  | { readonly kind: 'recurrence'; readonly recurrence: Recurrence }
  | { readonly kind: 'faults'; readonly faults: RecurrenceFaults }

/** A year of EXDATE, and as much of everything else as anybody has to say. */
const MOST_TEXT = 10_000

export function readRecurrence(sent: SentRecurrence, now: Date): RecurrenceReading {
  const rule = `must be at most ${MOST_TEXT} characters`
  if (sent.rule.length > MOST_TEXT) return { kind: 'faults', faults: { rule: [rule] } }
  const reading = read(sent, now)
  return reading.kind === 'faults' || comesDue(reading.recurrence)
    ? reading
    : { kind: 'faults', faults: { rule: ['never comes due'] } }
}

/** Reads what ruleOf and anchorOf have written. */
export function storedRecurrence(rule: string, anchor: string, zone: string): Recurrence {
  const reading = read({ rule, start: anchor, zone }, new Date(0))
  assert(reading.kind === 'recurrence', `a stored rule is broken: ${JSON.stringify(reading)}`)
  return reading.recurrence
}

function read(sent: SentRecurrence, now: Date): RecurrenceReading {
  const faults: RecurrenceFaults = {}
  const complainOf = (field: keyof RecurrenceFaults) => (fault: string) => {
    if (!faults[field]?.includes(fault)) faults[field] = [...(faults[field] ?? []), fault]
  }
  const isKnown = isZone(sent.zone)
  if (!isKnown) {
    complainOf('timezone')('must be a zone of the tz database, such as America/New_York')
  }
  const said = readSaid(sent, {
    // Of a zone that nobody knows another will do, so that all other faults are told as well.
    zone: isKnown ? sent.zone : 'UTC',
    now,
    complainOfRule: complainOf('rule'),
    complainOfStart: complainOf('start'),
  })
  return said === undefined || Object.keys(faults).length > 0
    ? { kind: 'faults', faults }
    : { kind: 'recurrence', recurrence: recurrenceOf(said) }
}

/** Undefined only where there is a fault; where there is one, not to be trusted. */
function readSaid(sent: SentRecurrence, setting: Setting): Said | undefined {
  const { zone, complainOfRule } = setting
  const lines = readLines(sent.rule, complainOfRule)
  const parts = partsOf(lines.rule ?? '', complainOfRule)
  const rule = lines.rule === undefined ? undefined : readRule(parts, complainOfRule)
  if (rule) checkRule(rule, complainOfRule)
  const anchor = readAnchor({ rule: startsIn(lines, parts), start: sent.start }, setting)
  if (zone === sent.zone) checkZones(lines, setting)
  const except = readDates('EXDATE', lines.except, anchor ?? 0, setting)
  const extra = readDates('RDATE', lines.extra, anchor ?? 0, setting)
  if (anchor !== undefined) checkAdded(extra, anchor, setting)
  return rule && anchor !== undefined ? { rule, anchor, zone, except, extra } : undefined
}

function startsIn({ starts }: Lines, parts: Parts): readonly string[] {
  const part = parts.get('DTSTART')
  return [...starts.flatMap(({ texts }) => texts), ...(part === undefined ? [] : [part])]
}

function comesDue(recurrence: Recurrence): boolean {
  const origin = instantAt(recurrence.anchor, recurrence.zone)
  return nextOccurrence(recurrence, new Date(origin - 1)) !== undefined
}
