// Recurrences: a rule after RFC 5545, anchored at a local time of a zone. This module reads a rule
// that a client sent or that was stored; recurrence/series.ts computes its occurrences.
//
// Every occurrence is computed from the anchor, never from the previous one. In a month without the
// day, the last day is used. A local time that does not exist becomes the first instant after the
// gap; of a time that comes twice, the first is used. Rules by hours and minutes count elapsed
// time, unless they name hours.

import assert from 'node:assert'
import { checkFarAhead } from './recurrence/far-ahead.ts'
import { type Lines, readLines } from './recurrence/lines.ts'
import { byTheClock } from './recurrence/named-hours.ts'
import { excludesItself } from './recurrence/never.ts'
import { partsOf, type RuleParts } from './recurrence/parts.ts'
import type { Recurrence } from './recurrence/rule.ts'
import { areTooClose, checkRule } from './recurrence/rule-limits.ts'
import { readRule } from './recurrence/rule-reader.ts'
import { nextOccurrence, recurrenceOf, type SeriesInput } from './recurrence/series.ts'
import { MOST_COUNT, MOST_TEXT, tooComplex } from './recurrence/steps.ts'
import {
  checkAdded,
  checkDates,
  checkZones,
  readAnchor,
  readDates,
  type TimeContext,
} from './recurrence/written-times.ts'
import { isZone } from './wall-clock.ts'

export { zoneNamedIn } from './recurrence/lines.ts'
export { countOccurrences } from './recurrence/occurrence-count.ts'
export type { Recurrence } from './recurrence/rule.ts'
export { anchorOf, ruleOf, wallTextOf } from './recurrence/rule-line.ts'
export {
  lastOccurrence,
  nextOccurrence,
  occurrencesAfter,
  occurrencesSince,
  onlyOccurrenceOn,
} from './recurrence/series.ts'
export { budgetOf, isTooComplex, NEXT_STEPS, type Spend } from './recurrence/steps.ts'
export { ruleText } from './recurrence/wording.ts'

export interface SentRecurrence {
  readonly rule: string
  readonly start?: string | undefined
  readonly zone: string
}

/** Faults by field, each in words that follow the field's name. */
interface RecurrenceFaults {
  rule?: string[]
  start?: string[]
  timezone?: string[]
}

export type RecurrenceReading =
  | { readonly kind: 'recurrence'; readonly recurrence: Recurrence }
  | { readonly kind: 'faults'; readonly faults: RecurrenceFaults }

/** Faults of one field. A text with more faults is not a rule at all. */
const MOST_FAULTS = 20

/**
 * Throws `rule_too_complex` if the rule takes too long to read, or to continue at any later time.
 */
export function readRecurrence(sent: SentRecurrence, now: Date): RecurrenceReading {
  if (sent.rule.length > MOST_TEXT) throw tooComplex(`must be at most ${MOST_TEXT} characters`)
  const reading = read(sent, now)
  if (reading.kind === 'faults') return reading
  const { input } = reading
  if ((input.rule.count ?? 0) > MOST_COUNT)
    throw tooComplex(`must have COUNT from 1 to ${MOST_COUNT}`)
  const recurrence = recurrenceOf(input)
  const isEmpty = recurrence.extra.length === 0 && excludesItself(recurrence)
  if (isEmpty || !comesDue(recurrence)) {
    return { kind: 'faults', faults: { rule: ['never comes due'] } }
  }
  if (areTooClose(recurrence.extra)) {
    return { kind: 'faults', faults: { rule: ['must not have RDATEs finer than 15 minutes'] } }
  }
  checkFarAhead(recurrence, now)
  return { kind: 'recurrence', recurrence }
}

/**
 * Reads what ruleOf and anchorOf have written. The last occurrence is not computed again if it is
 * known. Throws `rule_too_complex` for a rule that was accepted before there were limits.
 */
export function storedRecurrence(
  rule: string,
  anchor: string,
  zone: string,
  endAt: Date | null = null,
): Recurrence {
  const reading = read({ rule, start: anchor, zone }, new Date(0))
  if (reading.kind === 'faults' && reading.faults.start !== undefined) {
    throw tooComplex('must have a start in the years from 1900 to 2099')
  }
  assert(reading.kind === 'valid', `a stored rule is broken: ${JSON.stringify(reading)}`)
  return recurrenceOf(reading.input, endAt?.getTime())
}

type Reading =
  | { readonly kind: 'valid'; readonly input: SeriesInput }
  | Extract<RecurrenceReading, { kind: 'faults' }>

function read(sent: SentRecurrence, now: Date): Reading {
  const faults: RecurrenceFaults = {}
  const complainOf = (field: keyof RecurrenceFaults) => (fault: string) => {
    const reported = faults[field] ?? []
    if (reported.length < MOST_FAULTS && !reported.includes(fault))
      faults[field] = [...reported, fault]
  }
  const isKnown = isZone(sent.zone)
  if (!isKnown) {
    complainOf('timezone')('must be a zone of the tz database, such as America/New_York')
  }
  const input = readInput(sent, {
    // With an unknown zone the rule is read in UTC, so that all its other faults are reported too.
    zone: isKnown ? sent.zone : 'UTC',
    now,
    complainOfRule: complainOf('rule'),
    complainOfStart: complainOf('start'),
  })
  if (input === undefined || Object.keys(faults).length > 0) return { kind: 'faults', faults }
  const series = byTheClock(input)
  if (series !== undefined) return { kind: 'valid', input: series }
  const fault = 'has an INTERVAL that meets none of its hours or minutes'
  return { kind: 'faults', faults: { rule: [fault] } }
}

/** Undefined only if there is a fault. If there is a fault, the result must not be used. */
function readInput(sent: SentRecurrence, setting: TimeContext): SeriesInput | undefined {
  const { zone, complainOfRule } = setting
  const lines = readLines(sent.rule, complainOfRule)
  checkDates(lines)
  const parts = partsOf(lines.rule ?? '', complainOfRule)
  const rule = lines.rule === undefined ? undefined : readRule(parts, complainOfRule)
  if (rule) checkRule(rule, complainOfRule)
  const anchor = readAnchor({ rule: startsIn(lines, parts), start: sent.start }, setting)
  if (zone === sent.zone) checkZones(lines, setting)
  const wall = anchor?.wall ?? 0
  const except = readDates('EXDATE', lines.except, wall, setting)
  const extra = readDates('RDATE', lines.extra, wall, setting)
  if (anchor === undefined) return undefined
  checkAdded(extra, anchor.instant, setting)
  return rule && { rule, anchor: wall, origin: anchor.instant, zone, except, extra }
}

function startsIn({ starts }: Lines, parts: RuleParts): readonly string[] {
  const part = parts.get('DTSTART')
  return [...starts.flatMap(({ texts }) => texts), ...(part === undefined ? [] : [part])]
}

function comesDue(recurrence: Recurrence): boolean {
  return nextOccurrence(recurrence, new Date(recurrence.origin - 1)) !== undefined
}
