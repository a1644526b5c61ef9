// Recurrences as tests write and read them.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  isTooComplex,
  occurrencesAfter,
  type Recurrence,
  readRecurrence,
} from '../../src/core/recurrence.ts'
import type { PlainAnchor } from './plain-recurrence.ts'

/** Only a rule without a start uses it. */
export const NOW = new Date('2026-01-01T00:00:00Z')

const NEVER_DUE = /^{"rule":\["(never comes due|has an INTERVAL that meets none [a-z ]+)"\]}$/

const LONG_AGO = new Date('1970-01-01T00:00:00Z')

/** Reads a rule that must be valid. */
export function taken(rule: string, start?: string, zone = 'America/New_York'): Recurrence {
  const read = readRecurrence({ rule, start, zone }, NOW)
  if (read.kind === 'faults') throw new Error(`${rule}: ${JSON.stringify(read.faults)}`)
  return read.recurrence
}

/** Undefined if it never falls due; any other fault fails. */
export function takenIfDue(
  rule: string,
  { date, time, zone }: PlainAnchor,
): Recurrence | undefined {
  const sent = { rule, start: `${date}T${time}:00`, zone }
  const read = reading(() => readRecurrence(sent, NOW))
  // A rule that is refused for its cost, now or at its start, has no occurrences to compare: no
  // schedule asks for those between its start and now.
  fc.pre(read !== undefined)
  fc.pre(reading(() => readRecurrence(sent, new Date(`${date}T00:00Z`))) !== undefined)
  if (read?.kind === 'recurrence') return read.recurrence
  assert.match(JSON.stringify(read?.faults), NEVER_DUE, rule)
  return undefined
}

/** Undefined if it takes too many steps. */
export function reading<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isTooComplex(error)) return undefined
    throw error
  }
}

/** The first ones, from the very first on. */
export function firstOf(recurrence: Recurrence, most: number): readonly Date[] {
  return occurrencesAfter(recurrence, LONG_AGO, most)
}

/** `2026-03-08T07:00Z`, for instants of whole minutes. */
export function recurrenceTextOf(instant: Date): string {
  return instant.toISOString().replace(':00.000Z', 'Z')
}
