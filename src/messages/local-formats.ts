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

export function localMoneyText(cents: Cents, currency: string, locale: string): string {
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

export function figureText(figure: Figure, currency: string, locale: string): string {
  return format(figure, SCALE, locale, currency)
}

export function quantityText(quantity: Figure, locale: string): string {
  return format(quantity, SCALE, locale)
}

/** A quantity times a price. */
export function productText(
  quantity: Figure,
  price: Figure,
  currency: string,
  locale: string,
): string {
  return format(quantity * price, 2 * SCALE, locale, currency)
}

/** How an amount is typed in the locale. */
export function decimalExample(locale: string): string {
  return format(1250n, 2, locale).includes(',') ? '12,50' : '12.50'
}

function format(value: bigint, scale: number, locale: string, currency?: string): string {
  return numberFormat(locale, currency).format(decimalText(value, scale))
}

const numberFormat = madeOnce((locale, currency) => {
  const decimals = { maximumFractionDigits: 2 * SCALE }
  if (currency === undefined) return new Intl.NumberFormat(locale, decimals)
  const money = { style: 'currency', currency, minimumFractionDigits: 2 } as const
  return new Intl.NumberFormat(locale, { ...decimals, ...money })
})

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

function writer(options: Intl.DateTimeFormatOptions) {
  const dateFormat = madeOnce(
    (locale, timeZone) => new Intl.DateTimeFormat(locale, { ...options, timeZone }),
  )
  return (at: Date, timeZone: string, locale: string): string =>
    // The space before AM and PM is one that many programs do not know.
    dateFormat(locale, timeZone).format(at).replace(/\s/g, ' ')
}

/**
 * Making a format takes longer than using it. The locales, currencies and zones are those that Intl
 * knows by these names, so few are kept.
 */
function madeOnce<F>(make: (locale: string, other: string | undefined) => F) {
  const known = new Map<string, F>()
  return (locale: string, other: string | undefined): F => {
    const name = `${locale} ${other}`
    const format = known.get(name) ?? make(locale, other)
    known.set(name, format)
    return format
  }
}
