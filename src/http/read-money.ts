import { type Cents, parseMoney, parseOpenMoney } from '../core/money.ts'

/** Of an amount that a schema has held to be money. */
export function centsOf(value: number | string): Cents {
  const parsed = parseMoney(value)
  if ('fault' in parsed) throw new Error(`money ${parsed.fault}`)
  return parsed.cents
}

/** Of an amount that may be left open, null when it is. */
export function openCentsOf(value: number | string | null): Cents | null {
  const parsed = parseOpenMoney(value)
  if ('fault' in parsed) throw new Error(`money ${parsed.fault}`)
  return parsed.cents
}
