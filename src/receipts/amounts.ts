// Amounts as they are read: with their currency, and never rounded.

import type { Cents } from '../core/money.ts'

/** Ten thousandths: what a merchant's own figures may be as fine as. */
export type Figure = bigint

const SCALE = 4

/** More is no figure of a sale. */
const MOST_DIGITS = 12

const DECIMAL = /^-?\d+(?:\.\d+)?$/

const formats = new Map<string, Intl.NumberFormat>()

const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 * SCALE })

export function moneyText(cents: Cents, currency: string): string {
  return format(cents, 2, currency)
}

/** What else stands in merchants' own data is undefined, and not shown. */
export function figureOf(value: unknown): Figure | undefined {
  const text = typeof value === 'number' ? value.toFixed(SCALE) : value
  if (typeof text !== 'string') return undefined
  const decimal = text
    .trim()
    .replace(/^\$/, '')
    .replace(/,(?=\d{3}(?!\d))/g, '')
  if (!DECIMAL.test(decimal) || decimal.length > MOST_DIGITS + 1 + SCALE) return undefined
  const [whole = '', decimals = ''] = decimal.split('.')
  if (decimals.length > SCALE) return undefined
  return BigInt(whole + decimals.padEnd(SCALE, '0'))
}

export function figureText(figure: Figure, currency: string): string {
  return format(figure, SCALE, currency)
}

export function quantityText(quantity: Figure): string {
  return plain.format(decimalText(quantity, SCALE))
}

/** So many at a price. */
export function productText(quantity: Figure, price: Figure, currency: string): string {
  return format(quantity * price, 2 * SCALE, currency)
}

function format(value: bigint, scale: number, currency: string): string {
  return formatOf(currency).format(decimalText(value, scale))
}

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2 * SCALE,
  })
  formats.set(currency, made)
  return made
}

/** Exact, where a number would not be. */
function decimalText(value: bigint, scale: number): `${number}` {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const text = `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return text as `${number}`
}
