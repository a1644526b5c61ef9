// The examples of docs/time.md are compared with the code.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { businessDayOf } from '../../src/core/business-day.ts'
import { nextOccurrence, occurrencesAfter, readRecurrence } from '../../src/core/recurrence.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/time.md'), 'utf8')
const LONG_AGO = new Date('2000-01-01T00:00:00Z')

describe('the page on time', () => {
  it.each(rowsUnder('Wanted'))('has %s in %s at %s', (wanted, zone, instant) => {
    const [date = '', time = ''] = wanted.split(' ')
    const daily = recurrenceOf('FREQ=DAILY', `${date} ${time}`, zone)
    const expected = new Date(instant)
    expect(nextOccurrence(daily, new Date(expected.getTime() - 1))).toEqual(expected)
    // A cutoff at that time ends that business day at the same instant.
    const day = businessDayOf(new Date(expected.getTime() - 1), { time, zone })
    expect(day).toEqual({ date, cutoffAt: expected })
  })

  it.each(rowsUnder('Rule'))('has %s from %s run on %s', (rule, start, dates) => {
    const recurrence = recurrenceOf(rule.replaceAll('`', ''), start, 'UTC')
    const runs = occurrencesAfter(recurrence, LONG_AGO, dates.split(', ').length)
    expect(runs.map((run) => run.toISOString().slice(0, 10))).toEqual(dates.split(', '))
  })

  it('has enough examples, or the tables were not found', () => {
    expect(rowsUnder('Wanted').length).toBeGreaterThanOrEqual(7)
    expect(rowsUnder('Rule').length).toBeGreaterThanOrEqual(7)
  })
})

function recurrenceOf(rule: string, start: string, zone: string) {
  const reading = readRecurrence({ rule, start: `${start}:00`, zone }, LONG_AGO)
  if (reading.kind === 'faults') throw new Error(JSON.stringify(reading.faults))
  return reading.recurrence
}

/** The cells of a table, found by the head of its first column. */
function rowsUnder(head: string): [string, string, string][] {
  const [, table = ''] = PAGE.split(new RegExp(`^\\| ${head} \\|.*\\n\\|[-|]+\\|\\n`, 'm'))
  const lines = table.split('\n')
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith('|')),
    )
    .map(
      (line) =>
        line
          .split('|')
          .slice(1, 4)
          .map((cell) => cell.trim()) as [string, string, string],
    )
}
