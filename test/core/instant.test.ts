import { describe, expect, it } from 'vitest'
import { instantFault, parseEnd, parseInstant } from '../../src/core/instant.ts'

describe('an instant', () => {
  it.each([
    ['2026-03-07', '2026-03-07T00:00:00.000Z', '2026-03-08T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2026-03-07 12:34:56', '2026-03-07T12:34:56.000Z', '2026-03-07T12:34:56.001Z'],
    ['2026-03-07T12:34', '2026-03-07T12:34:00.000Z', '2026-03-07T12:34:00.001Z'],
    ['2026-03-07T12:34:56.7Z', '2026-03-07T12:34:56.700Z', '2026-03-07T12:34:56.701Z'],
    ['2026-03-07t12:34:56z', '2026-03-07T12:34:56.000Z', '2026-03-07T12:34:56.001Z'],
    ['2026-03-07T00:30:00+02:00', '2026-03-06T22:30:00.000Z', '2026-03-06T22:30:00.001Z'],
    ['2026-03-07T12:34:56-0530', '2026-03-07T18:04:56.000Z', '2026-03-07T18:04:56.001Z'],
  ])('%s begins at %s and ends before %s', (text, from, before) => {
    expect(parseInstant(text)?.toISOString()).toBe(from)
    expect(parseEnd(text)?.toISOString()).toBe(before)
  })

  it.each([
    ...[
      '',
      'today',
      '2026',
      '0000-12-31',
      '0001-01-01T00:00:00+01:00',
      '2026-03',
      '20260307',
      '2026-W10-1',
      '2026-02-30',
      '2026-13-01',
    ],
    ...['2026-03-07T25:00:00', '2026-03-07T12:60:00', '2026-03-07T12', '2026-03-07 12:34:56 UTC'],
    ...['2026-03-07T12:34:56+25:00x', '1772886896', ' 2026-03-07', '2026-03-07T12:34:56Zz'],
  ])('%j is not one', (text) => {
    expect(parseInstant(text)).toBeUndefined()
    expect(parseEnd(text)).toBeUndefined()
  })
})

it.each([
  ['2026-02-30', 'must be a date and a time that exist'],
  ['2026-04-31 09:00:00', 'must be a date and a time that exist'],
  ['2026-03-07T25:00:00Z', 'must be a date and a time that exist'],
  ['2026-03-07T12:00:00 01:00', 'must be a date or an instant: write the + of its offset as %2B'],
  [
    '2026-03-07T12:00:00+99:99',
    'must be a date or an instant, such as 2026-03-07 or 2026-03-07T12:00:00Z',
  ],
  ['04/01/2026', 'must be a date or an instant, such as 2026-03-07 or 2026-03-07T12:00:00Z'],
  ['', 'must be a date or an instant, such as 2026-03-07 or 2026-03-07T12:00:00Z'],
  ['2026-03-07T12:00:00+01:00', undefined],
])('what is wrong with %j is said: %s', (text, fault) => {
  expect(instantFault(text)).toBe(fault)
})
