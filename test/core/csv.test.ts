// The cells of a file for a spreadsheet.

import { describe, expect, it } from 'vitest'
import { csvOf } from '../../src/core/csv.ts'
import { parseCsv } from '../support/csv.ts'

describe('a cell', () => {
  it.each<[string, unknown, string]>([
    ['nothing', null, ''],
    ['nothing at all', undefined, ''],
    ['an empty text', '', ''],
    ['a text', 'Ada', 'Ada'],
    ['a flag', false, 'false'],
    ['a number', -1.5, '-1.5'],
    ['cents', -1_250n, '-12.50'],
    ['an instant', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an object', { a: 'b' }, '"{""a"":""b""}"'],
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', '5" nail', '"5"" nail"'],
    ['a line break', 'a\r\nb', '"a\r\nb"'],
    ['a formula', '=1+1', "'=1+1"],
    ['a sum', '+1', "'+1"],
    ['a text below zero', '-1', "'-1"],
    ['a name', '@SUM(A1)', "'@SUM(A1)"],
    ['a formula behind a tab', '\t=1', '"\'\t=1"'],
    ['a formula behind a space', ' =1', "' =1"],
    ['a formula behind a mark that is not drawn', '\u200b\ufeff=1', "'\u200b\ufeff=1"],
    ['a formula behind a quote', '"=1', '"\'""=1"'],
    ['a formula where another sign separates', 'x;=1', '"x;=1"'],
    ['a formula behind a return', '\r=1', '"\'\r=1"'],
    ['a formula behind a line break', '\n=1', '"\'\n=1"'],
    ['a wide formula', '\uff1d1', "'\uff1d1"],
    ['a wide sum', '\uff0b1', "'\uff0b1"],
    ['a wide minus', '\uff0d1', "'\uff0d1"],
    ['a wide name', '\uff20A1', "'\uff20A1"],
    ['a quoted formula', '="a",b', '"\'=""a"",b"'],
  ])('of %s', (_what, value, text) => {
    expect(csvOf([[value, 'end']])).toBe(`${text},end\n`)
  })

  it('of quotes alone is written as fast as any', () => {
    const quotes = '"'.repeat(8_000)
    const lines = Array.from({ length: 25 }, () => [{ quotes }])
    const times = Array.from({ length: 5 }, () => {
      const startedMs = performance.now()
      csvOf(lines)
      return performance.now() - startedMs
    })
    expect(JSON.parse(parseCsv(csvOf(lines))[0]?.[0] ?? '')).toEqual({ quotes })
    expect(Math.min(...times)).toBeLessThan(50)
  })
})
