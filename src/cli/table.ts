// Rows as a table that fits the terminal. The first columns matter most. With `--wide` all are
// shown, and nothing is cut; nor is anything cut where a file or another program reads.

import { type Paint, plainPaint } from '../core/paint.ts'
import { cutTo, oneLine, widthOf } from '../core/terminal-text.ts'

export interface TableColumn<R> {
  readonly heading: string
  readonly read: (row: R) => unknown
  /** Shown only with `--wide`. */
  readonly isWide?: boolean
  /** Cut where the terminal is narrow. Ids, times and amounts are never cut. */
  readonly isCut?: boolean
  readonly colour?: (row: R) => Parameters<Paint>[0] | undefined
}

export interface TableStyle {
  /** The width of the terminal. Undefined if there is none, so that nothing is cut. */
  readonly columns?: number | undefined
  readonly isWide?: boolean
  readonly paint?: Paint
}

const GAP = '  '

/** Numbers are aligned at their ends. */
const NUMBER = /^-?[\d,]+(\.\d+)?$/

/** A column that is cut keeps this width, so that its beginning can be read. */
const LEAST_WIDTH = 8

export function tableText<R>(
  rows: readonly R[],
  columns: readonly TableColumn<R>[],
  { columns: most, isWide = false, paint = plainPaint }: TableStyle,
): string {
  if (rows.length === 0) return 'none\n'
  const all = columns
    .filter((column) => isWide || column.isWide !== true)
    .map((column) => measured(column, rows))
  const shown = isWide || most === undefined ? all : fitted(all, most)
  const format = (texts: readonly string[], colourOf: ColourOf<R>) =>
    texts
      .map((text, i) => {
        const column = shown[i]
        return column === undefined ? '' : padded(text, column, paint, colourOf(column))
      })
      .join(GAP)
      .trimEnd()
  const headings = format(
    shown.map(({ heading }) => heading),
    () => 'bold',
  )
  const lines = rows.map((row, at) =>
    format(
      shown.map(({ cells }) => cells[at] ?? ''),
      ({ colour }) => colour?.(row),
    ),
  )
  const note = shown.length < all.length ? [paint('dim', 'More columns: --wide')] : []
  return `${[headings, ...lines, ...note].join('\n')}\n`
}

interface MeasuredColumn<R> extends TableColumn<R> {
  readonly cells: readonly string[]
  readonly width: number
  readonly isNumeric: boolean
}

type ColourOf<R> = (column: TableColumn<R>) => Parameters<Paint>[0] | undefined

function measured<R>(column: TableColumn<R>, rows: readonly R[]): MeasuredColumn<R> {
  const cells = rows.map((row) => cellText(column.read(row)))
  const width = Math.max(widthOf(column.heading), ...cells.map(widthOf))
  return { ...column, cells, width, isNumeric: cells.every((cell) => NUMBER.test(cell)) }
}

function padded<R>(
  cell: string,
  { width, isNumeric }: MeasuredColumn<R>,
  paint: Paint,
  colour: Parameters<Paint>[0] | undefined,
): string {
  const text = cutTo(cell, width)
  const painted = colour === undefined ? text : paint(colour, text)
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)))
  return isNumeric ? gap + painted : painted + gap
}

/** Cuts the widest texts first, and leaves out the last columns if that is not enough. */
function fitted<R>(all: readonly MeasuredColumn<R>[], most: number): readonly MeasuredColumn<R>[] {
  const leastOf = ({ isCut, width }: MeasuredColumn<R>) =>
    isCut === true ? Math.min(width, LEAST_WIDTH) : width
  const shown = [...all]
  while (shown.length > 1 && widthOfAll(shown.map(leastOf)) > most) shown.pop()
  const widths = shown.map(({ isCut, width }) => (isCut === true ? Math.min(width, most) : width))
  for (let over = widthOfAll(widths) - most; over > 0; over -= 1) {
    const cuttable = widths.map((width, i) => (shown[i]?.isCut === true ? width : 0))
    const widest = cuttable.indexOf(Math.max(...cuttable))
    if ((widths[widest] ?? 0) > LEAST_WIDTH) widths[widest] = (widths[widest] ?? 0) - 1
  }
  return shown.map((column, i) => ({ ...column, width: widths[i] ?? column.width }))
}

function widthOfAll(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length)
}

/** A value as people read it, on one line. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return timeText(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return oneLine(Array.isArray(value) ? value.join(', ') : String(value))
}

/** Rounded to the second, which is enough for people: `2026-11-20 08:15:30Z`. */
export function timeText(instant: Date): string {
  return instant
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z')
}

/** An amount in dollars: `1,234.50`. */
export function groupedAmount(amount: number): string {
  return amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}
