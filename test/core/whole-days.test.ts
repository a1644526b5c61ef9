import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR } from '../../src/core/time-units.ts'
import {
  dateText,
  monthsAround,
  type Span,
  wholeDays,
  wholeMonths,
} from '../../src/core/whole-days.ts'

const span = (from: string | undefined, before: string | undefined): Span => ({
  from: from === undefined ? undefined : new Date(from),
  before: before === undefined ? undefined : new Date(before),
})

const isWithin = (at: number, { from, before }: Span) =>
  (from === undefined || at >= from.getTime()) && (before === undefined || at < before.getTime())

const instant = fc.integer({
  min: Date.parse('2025-11-20T00:00:00Z'),
  max: Date.parse('2026-03-10T00:00:00Z'),
})

const spans = fc
  .tuple(fc.option(instant), fc.option(instant))
  .map(([a, b]) => (a !== null && b !== null && a > b ? [b, a] : [a, b]))
  .map(
    ([a, b]): Span => ({
      from: typeof a === 'number' ? new Date(a) : undefined,
      before: typeof b === 'number' ? new Date(b) : undefined,
    }),
  )

describe('a span of time', () => {
  it('is its whole days, and the parts before and after them', () => {
    fc.assert(
      fc.property(spans, fc.array(instant, { minLength: 50, maxLength: 50 }), (asked, instants) => {
        const { days, edges } = wholeDays(asked)
        const count = (some: Span) => instants.filter((at) => isWithin(at, some)).length
        const ragged = edges.reduce((sum, edge) => sum + edge.sign * count(edge), 0)
        expect(count(days) + ragged).toBe(count(asked))
        for (const { from, before } of edges) {
          expect(before.getTime() - from.getTime()).toBeLessThanOrEqual(12 * HOUR)
        }
      }),
    )
  })

  it('is its whole months, and the days on either side, each once', () => {
    fc.assert(
      fc.property(spans, instant, (asked, at) => {
        const { days } = wholeDays(asked)
        const { months, rest } = wholeMonths(days)
        const parts = [...(months === undefined ? [] : [months]), ...rest]
        const found = parts.filter((part) => isWithin(at, part)).length
        expect(found).toBe(isWithin(at, days) ? 1 : 0)
        for (const bound of [months?.from, months?.before]) {
          if (bound !== undefined) expect(dateText(bound)).toMatch(/-01$/)
        }
        if (isWithin(at, asked)) expect(isWithin(at, monthsAround(asked))).toBe(true)
      }),
    )
  })

  it.each([
    ['2026-01-01', '2026-03-01', ['2026-01-01', '2026-03-01'], []],
    ['2026-01-02', '2026-01-20', undefined, [['2026-01-02', '2026-01-20']]],
    [
      '2025-12-30',
      '2026-02-03',
      ['2026-01-01', '2026-02-01'],
      [
        ['2025-12-30', '2026-01-01'],
        ['2026-02-01', '2026-02-03'],
      ],
    ],
    [undefined, undefined, [undefined, undefined], []],
    [undefined, '2026-02-03', [undefined, '2026-02-01'], [['2026-02-01', '2026-02-03']]],
  ])('from %s to %s is whole months %j and days %j', (from, before, months, rest) => {
    const textOf = ({ from: start, before: end }: Span) => [
      start && dateText(start),
      end && dateText(end),
    ]
    const found = wholeMonths(span(from, before))
    expect(found.months && textOf(found.months)).toEqual(months)
    expect(found.rest.map(textOf)).toEqual(rest)
  })
})
