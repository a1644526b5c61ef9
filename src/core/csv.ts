// Lines of a file for a spreadsheet.

import { stringify } from 'csv-stringify/sync'
import { toDecimal } from './money.ts'

/**
 * What a spreadsheet would take for a formula begins with an apostrophe; a number below zero is
 * none. A bigint is whole cents, and shown as an amount.
 */
export function csvOf(lines: unknown[][]): string {
  const cast = {
    bigint: (cents: bigint) => amountText(toDecimal(cents)),
    boolean: String,
    date: (at: Date) => at.toISOString(),
    object: (value: object) => JSON.stringify(value),
  }
  return stringify(lines, { escape_formulas: true, cast })
}

/** With both decimals. */
export function amountText(amount: number): string {
  return amount.toFixed(2)
}
