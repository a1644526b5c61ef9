// Amounts and instants for people: amounts with their currency, and never rounded; instants as the
// wall clocks of an account's zone show them.

import type { Cents } from '../core/money.ts'
import { type DueTime, isMidnight } from '../invoices/read-due-time.ts'

/** Ten-thousandths, the finest unit of a merchant's own figures. */
export type Figure = bigint

const SCALE = 4

/** A figure with more digits is not a plausible amount. */
const MOST_DIGITS = 12

/** More than the sums of a merchant's own figures differ from what they mean. */
const NOISE = 1e-7

const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** `0,125` is no thousand: elsewhere it is an eighth. */
const GROUPED = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/

/** The locale for readers whose language is unknown. */
const COMMON = 'en-US'

const formats = new Map<string, Intl.NumberFormat>()

export function localMoneyText(cents: Cents, currency: string, locale = COMMON): string {
  return format(cents, 2, locale, currency)
}

/** Any other value in merchants' data gives undefined and is not shown. */
export function figureOf(value: unknown): Figure | undefined {
  const text = typeof value === 'number' ? textOfNumber(value) : value
  if (typeof text !== 'string') return undefined
  const typed = text.trim().replace(/^\$/, '')
  const decimal = GROUPED.test(typed) ? typed.replaceAll(',', '') : typed
  if (!DECIMAL.test(decimal) || decimal.length > MOST_DIGITS + 1 + SCALE) return undefined
  const [whole = '', decimals = ''] = decimal.split('.')
  if (decimals.length > SCALE) return undefined
  return BigInt(whole + decimals.padEnd(SCALE, '0'))
}

/** The sum of 0.1 and 0.2 is not quite 0.3; a price of 0.00005 is not 0.0001. */
function textOfNumber(value: number): string | undefined {
  const text = value.toFixed(SCALE)
  return Math.abs(Number(text) - value) < NOISE ? text : undefined
}

export function figureText(figure: Figure, currency: string, locale = COMMON): string {
  return format(figure, SCALE, locale, currency)
}

export function quantityText(quantity: Figure, locale = COMMON): string {
  return format(quantity, SCALE, locale)
}

/** A quantity times a price. */
export function productText(
  quantity: Figure,
  price: Figure,
  currency: string,
  locale = COMMON,
): string {
  return format(quantity * price, 2 * SCALE, locale, currency)
}

/** How an amount is typed in the locale. */
export function decimalExample(locale: string): string {
  return format(1250n, 2, locale).includes(',') ? '12,50' : '12.50'
}

function format(value: bigint, scale: number, locale: string, currency?: string): string {
  return formatOf(locale, currency).format(decimalText(value, scale))
}

/** `locale` is one that Intl knows by that name, so the cache stays small. */
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

/** As exact text, because a number would not be exact. */
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

/** A day for people: an instant, and the zone in which to read its date. */
interface ZonedDay {
  readonly at: Date
  readonly zone: string
}

/**
 * The day by which an invoice is to be paid: that of its run, if it is due at its run. A date
 * without time is stored as its first instant in UTC, and means that date in every zone.
 */
export function dueDayOf(
  { payBy, isPayByExact }: DueTime,
  runDay: Date | null,
  timeZone: string,
): ZonedDay | undefined {
  if (payBy === null) return undefined
  if (runDay !== null) return { at: runDay, zone: 'UTC' }
  const isDate = isMidnight(payBy) && isPayByExact !== true
  return { at: payBy, zone: isDate ? 'UTC' : timeZone }
}

/** Making a format takes longer than using it. */
function writer(options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (at: Date, timeZone: string, locale = 'en-US'): string => {
    const name = `${locale} ${timeZone}`
    const format = formats.get(name) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
    formats.set(name, format)
    // The space before AM and PM is one that many programs do not know.
    return format.format(at).replace(/\s/g, ' ')
  }
}
