// The options that select deliveries.

import { describe, expect, it } from 'vitest'
import { readLimit, readSince } from '../../src/cli/read-options.ts'
import { OperatorError } from '../../src/core/operator-error.ts'

const NOW = new Date('2026-03-08T12:00:00Z')

const since = (text: string | undefined) => readSince(text, NOW)?.toISOString()

describe('the options for deliveries', () => {
  it.each([
    ['2d', '2026-03-06T12:00:00.000Z'],
    ['12h', '2026-03-08T00:00:00.000Z'],
    ['0m', '2026-03-08T12:00:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
    [undefined, undefined],
  ])('since %s is %s', (text, instant) => {
    expect(since(text)).toBe(instant)
  })

  it('limit a list to a thousand', () => {
    expect([readLimit('1'), readLimit('1000')]).toEqual([1, 1_000])
  })

  const NO_LIMIT = 'is not a limit: 1 to 1000'
  const NO_SINCE = 'is neither a time ago such as 2d, 12h or 30m, nor a date'

  it.each<[(text: string) => unknown, string, string]>([
    ...['0', '1001', '-1', '1.5', 'all', ''].map((text): [typeof readLimit, string, string] => [
      readLimit,
      text,
      NO_LIMIT,
    ]),
    ...['soon', '-1d', '1w', '2026-02-30', '', '999999d'].map(
      (text): [typeof since, string, string] => [since, text, NO_SINCE],
    ),
  ])('refuse %s %s with a reason', (read, text, said) => {
    const attempt = () => read(text)
    expect(attempt).toThrow(OperatorError)
    expect(attempt).toThrow(`${text} ${said}`)
  })
})
