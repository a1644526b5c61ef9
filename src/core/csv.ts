// CSV for spreadsheets (RFC 4180).

import { toDecimal } from './money.ts'

/** Characters that require quotes. Some spreadsheets separate at other signs than the comma. */
const SPECIAL = /[",;|\t\r\n]/

/** A spreadsheet executes text that begins so, in every width of the sign. */
const FORMULA = /^[\s\p{C}"]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/u

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe in front; a negative number
 * does not. A bigint is whole cents and is shown as an amount.
 */
export function csvOf(lines: readonly (readonly unknown[])[]): string {
  return lines.map((line) => `${line.map(cellOf).join(',')}\n`).join('')
}

/** Chunks of whole lines. The first one has rows, if there are any, and the names of the columns. */
export async function* csvPieces<Row>(
  names: readonly string[],
  rounds: AsyncIterable<readonly Row[]>,
  lineOf: (row: Row) => readonly unknown[],
): AsyncGenerator<string> {
  let head: readonly (readonly string[])[] = [names]
  for await (const rows of rounds) {
    yield csvOf([...head, ...rows.map(lineOf)])
    head = []
  }
  if (head.length > 0) yield csvOf(head)
}

/** The amount with two decimals. */
export function amountText(amount: number): string {
  return amount.toFixed(2)
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint') return amountText(toDecimal(value))
  if (typeof value === 'number') return String(value)
  const text = textOf(value)
  const plain = FORMULA.test(text) ? `'${text}` : text
  // `replaceAll` takes five times as long where there are many quotes.
  return SPECIAL.test(plain) ? `"${plain.split('"').join('""')}"` : plain
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
