// Properties of every rule, in every zone.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anchorOf,
  lastOccurrence,
  nextOccurrence,
  occurrencesAfter,
  type Recurrence,
  ruleOf,
  storedRecurrence,
  ruleText as wordsOf,
} from '../../src/core/recurrence.ts'
import { DAY as DAY_MS } from '../../src/core/time-units.ts'
import { processOf } from '../support/built.ts'
import { changesBetween, DAY, firstMinute, localOf, minuteOf } from '../support/minute-scan.ts'
import { elapsedText } from '../support/plain-elapsed.ts'
import { type PlainAnchor, ruleText } from '../support/plain-recurrence.ts'
import { anchors, elapsedRules, rules } from '../support/random-recurrences.ts'
import { recurrenceAnswers } from '../support/recurrence-answers.ts'
import { firstOf, NOW, reading, takenIfDue } from '../support/recurrences.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The number of occurrences that are compared. */
const MOST = 60

const texts = fc.oneof(rules.map(ruleText), elapsedRules.map(elapsedText))

interface Sample {
  /** The rule without its end. */
  readonly endless: string
  readonly anchor: PlainAnchor
  readonly recurrence: Recurrence
  readonly runs: readonly Date[]
}

describe('every rule', () => {
  it('runs in order, never twice at an instant, and never before its start', () => {
    check(fc.constant(undefined), ({ runs, anchor }) => {
      const minutes = runs.map(minuteOf)
      const start = firstMinute(anchor.zone, localOf(anchor.date, anchor.time))
      expect(minutes[0]).toBeGreaterThanOrEqual(start)
      expect(minutes).toEqual([...new Set(minutes)].sort((a, b) => a - b))
    })
  })

  it('runs at least 15 minutes apart, except after an hour that the clocks skip', () => {
    check(fc.constant(undefined), ({ runs, anchor: { zone } }) => {
      const minutes = runs.map(minuteOf)
      const close = minutes.filter((minute, at) => minute - (minutes[at - 1] ?? -Infinity) < 15)
      const skips = close.map((minute) => changesBetween(zone, minute - 30, minute - 1).length)
      expect(skips).toEqual(close.map(() => 1))
    })
  })

  it('has the same next runs from any point', () => {
    const point = fc.record({
      index: fc.nat(),
      ms: fc.integer({ min: -2, max: 2 }),
      most: fc.nat(5),
    })
    check(point, ({ runs, recurrence }, { index, ms, most }) => {
      const after = new Date(oneOf(runs, index).getTime() + ms)
      const later = runs.filter((run) => run > after).slice(0, most)
      expect(occurrencesAfter(recurrence, after, most).slice(0, later.length)).toEqual(later)
      const [next] = occurrencesAfter(recurrence, after, 1)
      expect(nextOccurrence(recurrence, after)).toEqual(next)
    })
  })

  it('has the same runs far from its start, at once or step by step', () => {
    check(fc.nat(9_000), ({ runs, recurrence }, days) => {
      let after = new Date(oneOf(runs, 0).getTime() + days * DAY_MS)
      for (const run of [...occurrencesAfter(recurrence, after, 6)]) {
        const next = nextOccurrence(recurrence, after)
        expect(next).toEqual(run)
        after = run
      }
    })
  })

  it('that counts runs exactly as often as it says, and its last run is its end', () => {
    check(fc.integer({ min: 1, max: 25 }), ({ endless, anchor, runs: known }, count) => {
      // A rule of several decades reaches the end of the calendar before its count.
      fc.pre(known.length >= count)
      const recurrence = takenIfDue(`${endless};COUNT=${count}`, anchor)
      const runs = recurrence === undefined ? [] : firstOf(recurrence, count + 1)
      expect(runs).toHaveLength(count)
      const last = oneOf(runs, count - 1)
      expect(recurrence && lastOccurrence(recurrence)).toEqual(last)
      expect(recurrence && nextOccurrence(recurrence, last)).toBeUndefined()
    })
  })

  it('runs until its end, including that instant', () => {
    check(fc.nat(), ({ endless, anchor, runs }, index) => {
      const last = oneOf(runs, index)
      const until = last.toISOString().replace(/[-:]|\.\d+/g, '')
      const recurrence = takenIfDue(`${endless};UNTIL=${until}`, anchor)
      expect(recurrence && lastOccurrence(recurrence)).toEqual(last)
      const ended = runs.filter((run) => run <= last)
      expect(recurrence && firstOf(recurrence, MOST)).toEqual(ended)
    })
  })

  it('is unchanged after it has been stored', () => {
    const out = fc.uniqueArray(fc.nat(MOST), { maxLength: 3 })
    const end = fc.constantFrom('', 'COUNT=30', 'UNTIL=20280229', 'UNTIL=20280229T023000Z')
    check(fc.record({ out, end, added: fc.nat(DAY * 900) }), (sample, { added, ...picked }) => {
      const { endless, anchor, runs } = sample
      const dates = picked.out.flatMap((index) => runs[index] ?? [])
      const local = new Date((localOf(anchor.date, anchor.time) + added) * 60_000)
      const lines = [
        `RRULE:${[endless, picked.end].filter((part) => part !== '').join(';')}`,
        ...dates.map((date) => `EXDATE:${compact(date)}Z`),
        `RDATE:${compact(local)}`,
      ]
      const recurrence = takenIfDue(lines.join('\n'), anchor)
      if (recurrence !== undefined) expectStored(recurrence, anchor.zone)
    })
  })

  it('can be described in words', () => {
    check(fc.constant(undefined), ({ recurrence, anchor }) => {
      const words = wordsOf(recurrence)
      expect(words).toMatch(/^(every|each|on|at) /)
      expect(words).toContain(anchor.zone)
      expect(words).not.toMatch(/undefined|NaN|null|\[object| {2}|,,|;/)
    })
  })
})

describe('the answers', () => {
  it('are the same in a process of any zone', () => {
    const here = recurrenceAnswers()
    expect(here.length).toBeGreaterThan(10_000)
    const offsets = ['UTC', 'Pacific/Apia', 'America/New_York'].map((zone) => {
      const { offset, answers } = answersIn(zone)
      expect(answers).toBe(here)
      return offset
    })
    // Otherwise the processes were not in the zones that the test chose.
    expect(offsets).toEqual([0, -780, 300])
  })
})

/** Checks rules that fall due, with other random values. */
function check<T>(others: fc.Arbitrary<T>, holds: (sample: Sample, other: T) => void): void {
  let checked = 0
  fc.assert(
    fc.property(texts, anchors, others, (text, anchor, other) => {
      const recurrence = takenIfDue(text, anchor)
      if (recurrence === undefined) return
      checked += 1
      const endless = text.replace(/;COUNT=\d+/, '')
      affordable(recurrence, () =>
        holds({ endless, anchor, recurrence, runs: firstOf(recurrence, MOST) }, other),
      )
    }),
    { numRuns: 200 },
  )
  expect(checked).toBeGreaterThan(100)
}

/**
 * Caracas moved its clocks by half an hour from 2007 to 2016. A rule of 28 hours that met Fridays
 * met none of them in those years, and a search through them may be refused for its cost. No
 * schedule searches the past: from now on the rule must be found.
 */
function affordable(recurrence: Recurrence, holds: () => void): void {
  const held = reading(() => {
    holds()
    return true
  })
  if (held) return
  occurrencesAfter(recurrence, NOW, MOST)
  fc.pre(false)
}

function oneOf(runs: readonly Date[], index: number): Date {
  return runs[index % runs.length] ?? NOW
}

function expectStored(recurrence: Recurrence, zone: string): void {
  const [rule, anchor] = [ruleOf(recurrence), anchorOf(recurrence)]
  const stored = storedRecurrence(rule, anchor, zone)
  expect(firstOf(stored, MOST)).toEqual(firstOf(recurrence, MOST))
  expect(lastOccurrence(stored)).toEqual(lastOccurrence(recurrence))
  expect([ruleOf(stored), anchorOf(stored)]).toEqual([rule, anchor])
  expect(rule).toMatch(/^RRULE:FREQ=[^\n]+(\n(EXDATE|RDATE):[\dTZ,]+)*$/)
  expect(rule).not.toContain('DTSTART')
}

function compact(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+Z/g, '')
}

function answersIn(zone: string): { readonly offset: number; readonly answers: string } {
  const args = [...processOf('test/support/recurrence-child.ts')]
  const env = { ...process.env, TZ: zone }
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' }))
}
