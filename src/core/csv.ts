// CSV for spreadsheets (RFC 4180).

import { toDecimal } from './money.ts'

/** What has to stand in quotes. */
const SPECIAL = /[",\r\n]/

/** A spreadsheet would carry out a text that begins so, in whichever width the sign is written. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/**
 * What a spreadsheet would take for a formula begins with an apostrophe; a number below zero is
 * none. A bigint is whole cents, and shown as an amount.
 */
export function csvOf(lines: readonly (readonly unknown[])[]): string {
  return lines.map((line) => `${line.map(cellOf).join(',')}\n`).join('')
}

/** With both decimals. */
export function amountText(amount: number): string {
  return amount.toFixed(2)
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint') return amountText(toDecimal(value))
  if (typeof value === 'number') return String(value)
  const text = textOf(value)
  const plain = FORMULA.test(text) ? `'${text}` : text
  return SPECIAL.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
