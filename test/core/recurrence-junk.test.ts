// Faulty rules and starts, or nearly correct ones, as clients send them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import {
  anchorOf,
  type Recurrence,
  readRecurrence,
  ruleOf,
  storedRecurrence,
} from '../../src/core/recurrence.ts'
import { anyText } from '../support/any-text.ts'
import { firstOf, NOW } from '../support/recurrences.ts'

const ZONE = 'America/New_York'

/** A short sentence that follows the name of the field. */
const FAULT = /^(must|has|never) .{1,200}$/s

/** Text made of the parts of rules, in any order. */
const junk = fc.oneof(
  anyText,
  fc
    .tuple(
      fc.constantFrom('FREQ=DAILY', 'RRULE:FREQ=MONTHLY', 'FREQ=YEARLY', 'DTSTART', ''),
      fc.array(
        fc.constantFrom(
          ...[
            ';',
            ':',
            '=',
            ',',
            '\n',
            '-',
            '0',
            '1',
            '31',
            '99999999999999999999',
            'MO',
            'Z',
            'é',
          ],
          ...[';COUNT=3', ';BYDAY=-1FR', ';BYMONTHDAY=31', '\nEXDATE:20260301T090000', ';UNTIL='],
          ...[
            '20260301',
            'T023000',
            ';TZID=',
            'America/New_York',
            '\nRDATE:',
            ';VALUE=DATE',
            '\u0000',
          ],
        ),
        { maxLength: 6 },
      ),
    )
    .map(([head, rest]) => head + rest.join('')),
)

describe('any text', () => {
  it('is read, or refused with words that fit into an answer', () => {
    const kinds = new Map<string, number>()
    fc.assert(
      fc.property(junk, fc.option(junk, { nil: undefined }), (rule, start) => {
        const read = readOrRefused(rule, start)
        kinds.set(read.kind, (kinds.get(read.kind) ?? 0) + 1)
        if (read.kind === 'recurrence') return expectRuns(read.recurrence)
        const messages = Object.values(read.faults).flat()
        expect(messages.length).toBeGreaterThan(0)
        for (const fault of messages) expect(fault).toMatch(FAULT)
      }),
      { numRuns: 3_000 },
    )
    expect(kinds.get('faults')).toBeGreaterThan(1_000)
    expect(kinds.get('recurrence')).toBeGreaterThan(10)
  })
})

/** A rule that would cost too much is refused on the way. */
function readOrRefused(rule: string, start: string | undefined) {
  try {
    return readRecurrence({ rule, start, zone: ZONE }, NOW)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(error.code).toBe('rule_too_complex')
    return { kind: 'faults', faults: error.faults ?? {} } as const
  }
}

function expectRuns(recurrence: Recurrence): void {
  const runs = firstOf(recurrence, 5)
  expect(runs.length).toBeGreaterThan(0)
  const stored = storedRecurrence(ruleOf(recurrence), anchorOf(recurrence), ZONE)
  expect(firstOf(stored, 5)).toEqual(runs)
}
