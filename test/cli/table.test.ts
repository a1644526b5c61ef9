// Tables on a terminal: they fit, they are aligned, and no control character of the data reaches
// it.

import { describe, expect, it } from 'vitest'
import { type TableColumn, tableText } from '../../src/cli/table.ts'
import { hasColour } from '../../src/config/colour.ts'
import { colourPaint } from '../../src/core/paint.ts'
import { widthOf } from '../../src/core/terminal-text.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly amount: string
  readonly at: Date
}

const COLUMNS: readonly TableColumn<Row>[] = [
  { heading: 'ID', read: ({ id }) => id },
  { heading: 'NAME', read: ({ name }) => name, isCut: true },
  { heading: 'AMOUNT', read: ({ amount }) => amount, colour: () => 'good' },
  { heading: 'AT', read: ({ at }) => at },
  { heading: 'EXTRA', read: () => 'more', isWide: true },
]

const row = (name: string, amount = '1.00'): Row => ({
  id: '01a215a3-96b3-763e-ba09-7f11e92b9956',
  name,
  amount,
  at: new Date('2026-11-20T08:15:30.123Z'),
})

const linesOf = (text: string) => text.trimEnd().split('\n')

describe('a table', () => {
  it('aligns words left and amounts right', () => {
    const text = tableText([row('Ada', '9.50'), row('Bob', '1,234.00')], COLUMNS, {})
    expect(linesOf(text)).toEqual([
      'ID                                    NAME    AMOUNT  AT',
      '01a215a3-96b3-763e-ba09-7f11e92b9956  Ada       9.50  2026-11-20 08:15:30Z',
      '01a215a3-96b3-763e-ba09-7f11e92b9956  Bob   1,234.00  2026-11-20 08:15:30Z',
    ])
  })

  it('says "none" if it is empty', () => {
    expect(tableText([], COLUMNS, {})).toBe('none\n')
  })

  it.each([
    ['Chinese', '月光書店'],
    ['Hangul, composed of letters', '한글'.normalize('NFD')],
    ['fullwidth', 'ＡＢＣ'],
    ['halfwidth', 'ｱｲｳ'],
    ['an emoji', 'shop 🏮 lamp'],
    ['an emoji of several parts', '👩🏽‍🚒 fire'],
    ['a flag', '🇯🇵 Tokyo'],
    ['a sign made an emoji', '❤️ love'],
    ['accents of their own', 'José'.normalize('NFD')],
    ['many marks on a letter', `Z${'\u0301'.repeat(50)}algo`],
  ])('aligns %s', (_what, name) => {
    const lines = linesOf(tableText([row(name), row('plain')], COLUMNS, {}))
    const before = lines.slice(1).map((line) => widthOf(line.slice(0, line.indexOf('  1.00'))))
    expect(before[0]).toBe(before[1])
  })

  it.each([
    ['月光', 4],
    ['ｱｲｳ', 3],
    ['🏮', 2],
    ['e\u0301', 1],
    ['❤️', 2],
    ['한', 2],
  ])('counts %s as %d columns', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })

  it.each([40, 60, 75, 80, 120, 200])('fits %d columns, and shows whole ids', (columns) => {
    const lines = linesOf(
      tableText([row('x'.repeat(500)), row('東'.repeat(90))], COLUMNS, { columns }),
    )
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns)
    expect(lines[1]).toContain(row('').id)
    if (columns >= 80) expect(lines.at(-1)).toContain('…')
    else expect(lines.at(-1)).toBe('More columns: --wide')
  })

  it('cuts nothing with --wide, and shows every column', () => {
    const text = tableText([row('x'.repeat(500))], COLUMNS, { columns: 80, isWide: true })
    expect(text).toContain('x'.repeat(500))
    expect(text).toContain('EXTRA')
  })

  it('uses colours only if allowed, and stays aligned', () => {
    const rows = [row('Ada', '9.50'), row('$& $1', '1,234.00')]
    const painted = tableText(rows, COLUMNS, { paint: colourPaint })
    expect(painted).toContain('\u001b[32m1,234.00\u001b[39m')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours are made of
    expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(tableText(rows, COLUMNS, {}))
  })
})

describe('text of a customer', () => {
  it.each([
    ['a colour', '\u001b[31mred'],
    ['a title of the window', '\u001b]0;pwned\u0007'],
    ['a command of one character', '\u009b2J'],
    ['a line of its own', 'Ada\r\n✓ all is well'],
    ['a line separator', 'Ada\u2028Bob'],
    ['a reversed direction', 'Ada \u202egpj.exe'],
    ['a NUL and a backspace', 'a\u0000b\u0008c'],
    ['half of a character', 'x\ud800'],
  ])('with %s reaches no terminal as it is', (_what, name) => {
    const text = tableText([row(name)], COLUMNS, {})
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
    expect(linesOf(text)).toHaveLength(2)
  })
})

describe('colours', () => {
  const terminal = { isTTY: true }
  it.each([
    [terminal, {}, true],
    [{}, {}, false],
    [terminal, { NO_COLOR: '1' }, false],
    [terminal, { NO_COLOR: '' }, true],
    [terminal, { TERM: 'dumb' }, false],
    [{}, { FORCE_COLOR: '1' }, true],
    [{}, { FORCE_COLOR: '' }, true],
    [terminal, { FORCE_COLOR: '0' }, false],
    [terminal, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('of %j with %j: %s', (output, env, expected) => {
    expect(hasColour(output, env)).toBe(expected)
  })
})
