// Months of a calendar.

import { describe, expect, it } from 'vitest'
import {
  dateIn,
  daysOfMonth,
  dayText,
  isMonth,
  monthPlus,
  monthText,
  nextDay,
  weeksOf,
} from '../../src/core/month.ts'

describe('a month', () => {
  it.each([
    ['2026-11', true],
    ['2026-00', false],
    ['2026-13', false],
    ['0000-01', false],
    ['0050-01', false],
    ['1969-12', false],
    ['1970-01', true],
    ['8999-12', true],
    ['9000-01', false],
    ['9999-12', false],
    ['2026-1', false],
    ['2026-11-01', false],
    ['', false],
  ])('is %s: %s', (text, expected) => expect(isMonth(text)).toBe(expected))

  it.each([
    ['2026-12', 1, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2024-01', 1, '2024-02'],
    ['2026-05', 12, '2027-05'],
  ])('%s and %i more is %s', (month, months, expected) => {
    expect(monthPlus(month, months)).toBe(expected)
  })

  it.each([
    ['2024-02', 29],
    ['2026-02', 28],
    ['2026-03', 31],
    ['2026-11', 30],
  ])('%s has %i days of its own', (month, count) => {
    const days = daysOfMonth(month)
    expect(days).toHaveLength(count)
    expect(days.every((day) => day.startsWith(month))).toBe(true)
    expect(new Set(days).size).toBe(count)
  })

  it('is laid out in weeks from Sunday on, without days of other months', () => {
    const weeks = weeksOf('2026-08')
    expect(weeks).toHaveLength(6)
    expect(weeks[0]).toEqual([...Array(6).fill(undefined), '2026-08-01'])
    expect(weeks[5]).toEqual(['2026-08-30', '2026-08-31', ...Array(5).fill(undefined)])
    expect(weeksOf('2026-02')).toHaveLength(4)
  })

  it('and its days have names', () => {
    expect(monthText('2026-11')).toBe('November 2026')
    expect(dayText('2026-11-01')).toBe('Sun, November 1')
    expect(nextDay('2026-12-31')).toBe('2027-01-01')
  })

  it.each([
    ['America/New_York', '2026-11-01T03:59:59Z', '2026-10-31'],
    ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-01'],
    ['America/New_York', '2026-12-01T04:59:59Z', '2026-11-30'],
    ['Pacific/Kiritimati', '2026-10-31T10:00:00Z', '2026-11-01'],
  ])('in %s at %s it is %s', (zone, instant, date) => {
    expect(dateIn(zone, new Date(instant))).toBe(date)
  })
})
