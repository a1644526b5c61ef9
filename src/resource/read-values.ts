// Converts values that a schema has validated into stored values.

import { type Cents, parseMoney, parseOpenMoney } from '../core/money.ts'

/** A flag as clients send it: true, 1 or "1", and in a query string the word. */
export function isFlagSet(
  value: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | undefined,
): boolean {
  return value === true || value === 1 || value === '1' || value === 'true'
}

/** Undefined for a field that was not sent. */
export function ifSent<T, U>(value: T | undefined, read: (value: T) => U): U | undefined {
  return value === undefined ? undefined : read(value)
}

/** Leaves out the fields that were not sent, so that a change keeps their columns. */
export function onlySent<T extends object>(
  fields: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(sent) as ReturnType<typeof onlySent<T>>
}

export function centsOf(value: number | string): Cents {
  const parsed = parseMoney(value)
  if ('fault' in parsed) throw new Error(`money ${parsed.fault}`)
  return parsed.cents
}

/** Null for an open amount. */
export function openCentsOf(value: number | string | null): Cents | null {
  const parsed = parseOpenMoney(value)
  if ('fault' in parsed) throw new Error(`money ${parsed.fault}`)
  return parsed.cents
}
