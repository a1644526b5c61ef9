import { expect, it } from 'vitest'
import { isoText } from '../../src/core/iso-text.ts'
import { DAY } from '../../src/core/time-units.ts'

const HOSTILE = [
  '0000-01-01T00:00:00.000Z',
  '0999-12-31T23:59:59.999Z',
  '1000-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '2024-02-29T09:08:07.006Z',
  '2026-11-29T10:20:30.045Z',
  '9999-12-31T23:59:59.999Z',
  '+010000-01-01T00:00:00.000Z',
  '-000001-06-01T00:00:00.000Z',
]

it('writes what toISOString writes', () => {
  for (const text of HOSTILE) expect(isoText(new Date(text))).toBe(text)
  for (let ms = Date.UTC(1900); ms < Date.UTC(2100); ms += DAY * 91.234_567) {
    expect(isoText(new Date(ms))).toBe(new Date(ms).toISOString())
  }
})

it('refuses an invalid date, as toISOString does', () => {
  expect(() => isoText(new Date(Number.NaN))).toThrow(RangeError)
})
