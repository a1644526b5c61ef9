// Random rules, compared with a plain implementation.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Recurrence } from '../../src/core/recurrence.ts'
import {
  DAY,
  dateOf,
  firstMinute,
  instantOf,
  isDate,
  localOf,
  minuteOf,
} from '../support/minute-scan.ts'
import { elapsedText, plainElapsed } from '../support/plain-elapsed.ts'
import { plainOccurrences, ruleText } from '../support/plain-recurrence.ts'
import { anchors, elapsedRules, rules } from '../support/random-recurrences.ts'
import { firstOf, takenIfDue } from '../support/recurrences.ts'

/** The number of occurrences that are compared. */
const MOST = 60

/** The range of the plain implementation. Its last year may be incomplete. */
const DAYS = 12 * 366
const READ_DAYS = 11 * 365

/** More than are compared, since some are excluded. */
const DUE = MOST + 5

/** The range of rules of hours and minutes. */
const ELAPSED = 400 * DAY

/** Minutes from the start within which dates are added. */
const ADDED_WITHIN = 90 * DAY

/** The plain implementation is slow, above all on a busy machine. */
const PATIENCE = { timeout: 120_000 }

describe('a rule of days, weeks, months or years', PATIENCE, () => {
  it('runs by the calendar and the clocks', () => {
    const seen = { asked: 0, runs: 0, never: 0 }
    fc.assert(
      fc.property(rules, anchors, (rule, anchor) => {
        // The position of a skipped date in a set is undefined.
        fc.pre(anchor.zone !== 'Pacific/Apia' || rule.bySetPos.length === 0)
        const wanted = plainOccurrences(rule, anchor, { days: DAYS, most: MOST })
        seen.asked += 1
        const recurrence = takenIfDue(ruleText(rule), anchor)
        seen[recurrence === undefined ? 'never' : 'runs'] += 1
        expectSame(recurrence, wanted, localOf(anchor.date) + READ_DAYS * DAY)
      }),
      { numRuns: 500 },
    )
    expect(seen.runs).toBeGreaterThan(300)
    expect(seen.never).toBeGreaterThan(0)
    // Few of the random rules are refused for their cost.
    expect(seen.asked).toBeLessThan(1.1 * (seen.runs + seen.never))
  })

  it('omits excluded dates, and adds extra ones', () => {
    const picks = fc.uniqueArray(fc.nat(MOST), { maxLength: 5 })
    const quarters = fc.nat(ADDED_WITHIN / 15).map((quarter) => quarter * 15)
    const additions = fc.uniqueArray(quarters, { maxLength: 5 })
    fc.assert(
      fc.property(rules, anchors, picks, additions, (rule, anchor, picked, added) => {
        fc.pre(anchor.zone !== 'Pacific/Apia' || rule.bySetPos.length === 0)
        const due = plainOccurrences(rule, anchor, { days: DAYS, most: DUE })
        const out = picked.flatMap((index) => due[index] ?? [])
        const locals = added
          .map((minutes) => localOf(anchor.date, anchor.time) + minutes)
          .filter((local) => isDate(anchor.zone, localOf(dateOf(local))))
        const minutes = new Set(locals.map((local) => firstMinute(anchor.zone, local)))
        fc.pre(areApart([...minutes]))
        for (const minute of due) minutes.add(minute)
        for (const minute of out) minutes.delete(minute)
        const lines = [
          `RRULE:${ruleText(rule)}`,
          ...out.map((minute) => `EXDATE:${compact(minute)}Z`),
          ...locals.map((local) => `RDATE:${compact(local)}`),
        ]
        const recurrence = takenIfDue(lines.join('\n'), anchor)
        const read = due[DUE - 1] ?? localOf(anchor.date) + READ_DAYS * DAY
        const wanted = [...minutes].filter((minute) => minute < read).sort((a, b) => a - b)
        expectSame(recurrence, wanted, read)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a rule of elapsed time', PATIENCE, () => {
  it('runs step by step from its start, on the selected dates', () => {
    fc.assert(
      fc.property(elapsedRules, anchors, (rule, anchor) => {
        const recurrence = takenIfDue(elapsedText(rule), anchor)
        const first = firstMinute(anchor.zone, localOf(anchor.date, anchor.time))
        const wanted = plainElapsed(rule, anchor, { minutes: ELAPSED, most: MOST })
        // The clocks may be put forward before the end of the range.
        expectSame(recurrence, wanted, first + ELAPSED - DAY)
      }),
      { numRuns: 100 },
    )
  })
})

/** Compares the first ones; a run after the last expected one must come after the range. */
function expectSame(
  recurrence: Recurrence | undefined,
  wanted: readonly number[],
  read: number,
): void {
  const found = recurrence === undefined ? [] : firstOf(recurrence, MOST).map(minuteOf)
  const compared = wanted.slice(0, MOST)
  expect(found.slice(0, compared.length).map(textOf)).toEqual(compared.map(textOf))
  const [next = read] = found.slice(compared.length)
  expect(next).toBeGreaterThanOrEqual(read)
}

function textOf(minute: number): string {
  return instantOf(minute).toISOString()
}

/** `20260308T023000` */
function compact(minute: number): string {
  return textOf(minute).replace(/[-:]|\.\d+Z/g, '')
}

/** Added dates that are less than 15 minutes apart are refused. */
function areApart(minutes: readonly number[]): boolean {
  const sorted = minutes.toSorted((a, b) => a - b)
  return sorted.every((minute, at) => at === 0 || minute - (sorted[at - 1] ?? 0) >= 15)
}
