// Amounts and instants for people: amounts with their currency, and never rounded; instants as the
// wall clocks of an account's zone show them.

import type { Cents } from '../core/money.ts'

/** Ten thousandths: what a merchant's own figures may be as fine as. */
export type Figure = bigint

const SCALE = 4

/** More is no figure of a sale. */
const MOST_DIGITS = 12

const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** How amounts are written where nobody knows who reads them. */
const COMMON = 'en-US'

const formats = new Map<string, Intl.NumberFormat>()

export function localMoneyText(cents: Cents, currency: string, locale = COMMON): string {
  return format(cents, 2, locale, currency)
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

export function figureText(figure: Figure, currency: string, locale = COMMON): string {
  return format(figure, SCALE, locale, currency)
}

export function quantityText(quantity: Figure, locale = COMMON): string {
  return format(quantity, SCALE, locale)
}

/** So many at a price. */
export function productText(
  quantity: Figure,
  price: Figure,
  currency: string,
  locale = COMMON,
): string {
  return format(quantity * price, 2 * SCALE, locale, currency)
}

function format(value: bigint, scale: number, locale: string, currency?: string): string {
  return formatOf(locale, currency).format(decimalText(value, scale))
}

/** `locale` is one that Intl knows by that name: so there are only so many. */
function formatOf(locale: string, currency: string | undefined): Intl.NumberFormat {
  const name = `${locale} ${currency}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const decimals = { maximumFractionDigits: 2 * SCALE }
  const made = new Intl.NumberFormat(
    locale,
    currency === undefined
      ? decimals
      : { ...decimals, style: 'currency', currency, minimumFractionDigits: 2 },
  )
  formats.set(name, made)
  return made
}

/** Exact, where a number would not be. */
function decimalText(value: bigint, scale: number): `${number}` {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const text = `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return text as `${number}`
}

/** `Sat, Mar 7, 2026, 3:04 PM EST` */
export const localMomentText = writer({
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

/** `Mar 7, 2026` */
export const localDateText = writer({ year: 'numeric', month: 'short', day: 'numeric' })

/** `Mar 7` */
export const shortDateText = writer({ month: 'short', day: 'numeric' })

/** What was sent as a date is the first instant of that day in UTC, and means that day anywhere. */
export function zoneOfDay(at: Date, timeZone: string): string {
  return at.toISOString().endsWith('T00:00:00.000Z') ? 'UTC' : timeZone
}

/** A format takes longer to make than to use. */
function writer(options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (at: Date, timeZone: string, locale = 'en-US'): string => {
    const name = `${locale} ${timeZone}`
    const format = formats.get(name) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
    formats.set(name, format)
    // What stands before AM and PM is a space that many programs do not know.
    return format.format(at).replace(/\s/g, ' ')
  }
}
