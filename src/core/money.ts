// Inside the service money is whole cents. Decimals exist only in requests and answers. Nothing is
// ever rounded.

export type Cents = bigint

/** The amount, or a fault that follows the name of the field in a sentence. */
export type ParsedMoney = { readonly cents: Cents } | { readonly fault: string }

const LEAST: Cents = 1n
const MOST: Cents = 99_999_999_99n
const NONE: readonly unknown[] = ['0', '0.0', '0.00']
const DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/

/** Reads `12.5` and `"12.50"` alike. */
export function parseMoney(value: unknown): ParsedMoney {
  const text = typeof value === 'number' ? numberText(value) : value
  if (typeof text !== 'string') return { fault: 'must be an amount such as 12.5 or "12.50"' }
  if (text.startsWith('-')) return { fault: 'must be at least 0.01' }
  const [, whole, decimals = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) return { fault: 'must be an amount such as 12.5 or "12.50"' }
  if (whole.length > 8) return { fault: 'must be at most 99999999.99' }
  if (decimals.length > 2) return { fault: 'must have at most two decimals' }
  const cents = BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0'))
  if (cents < LEAST) return { fault: 'must be at least 0.01' }
  if (cents > MOST) return { fault: 'must be at most 99999999.99' }
  return { cents }
}

/** Reads an optional amount: 0 and null mean no amount. */
export function parseOpenMoney(
  value: unknown,
): { readonly cents: Cents | null } | { readonly fault: string } {
  const isNone = value === null || value === 0 || NONE.includes(value)
  return isNone ? { cents: null } : parseMoney(value)
}

/**
 * The number for JSON. It is exact, because every amount with two decimals below 2^53 cents is
 * printed as it was written.
 */
export function toDecimal(cents: Cents): number {
  return Number(cents) / 100
}

/**
 * The shortest text of a number is the text that its author wrote, except for exponents, which no
 * valid amount needs.
 */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return ''
  if (Math.abs(value) >= 1e9) return value < 0 ? '-1' : '999999999'
  if (value !== 0 && Math.abs(value) < 1e-6) return value < 0 ? '-0.001' : '0.001'
  return Object.is(value, -0) ? '0' : String(value)
}
