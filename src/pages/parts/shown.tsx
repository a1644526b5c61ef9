// Amounts and dates in the payer's locale, with a `lang` attribute where that is not English, so
// that screen readers pronounce them.

import type { ComponentChildren } from 'preact'
import type { Cents } from '../../core/money.ts'
import { localDateText, localMomentText, localMoneyText } from '../../receipts/local-formats.ts'

/** The locale and time zone in which a page is rendered. */
export interface Viewer {
  readonly locale: string
  /** The account's time zone: the payer's own is not known. */
  readonly timezone: string
}

interface MoneyProps {
  readonly viewer: Viewer
  readonly cents: Cents
  readonly currency: string
}

export function Money({ viewer, cents, currency }: MoneyProps) {
  return <Foreign locale={viewer.locale}>{localMoneyText(cents, currency, viewer.locale)}</Foreign>
}

/** The longest text that a small phone shows in the largest letters. */
const SHORT = 10

/** What is to be paid, in letters as large as there is room for. */
export function LargeAmount({ viewer, cents, currency }: MoneyProps) {
  const { length } = localMoneyText(cents, currency, viewer.locale)
  return (
    <p class={length > SHORT ? 'amount many' : 'amount'}>
      <Money {...{ viewer, cents, currency }} />
    </p>
  )
}

export function Day({ viewer, at, zone }: { viewer: Viewer; at: Date; zone?: string }) {
  const { locale, timezone } = viewer
  return (
    <time dateTime={at.toISOString()}>
      <Foreign locale={locale}>{localDateText(at, zone ?? timezone, locale)}</Foreign>
    </time>
  )
}

export function Moment({ viewer, at }: { viewer: Viewer; at: Date }) {
  const { locale, timezone } = viewer
  return (
    <time dateTime={at.toISOString()}>
      <Foreign locale={locale}>{localMomentText(at, timezone, locale)}</Foreign>
    </time>
  )
}

export function Foreign({ locale, children }: { locale: string; children: ComponentChildren }) {
  return (
    <span class="number" dir="auto" lang={locale.startsWith('en') ? undefined : locale}>
      {children}
    </span>
  )
}

/** Isolates a merchant's text, so that right-to-left text does not reorder its surroundings. */
export function MerchantText({ children }: { children: string }) {
  return <bdi>{children}</bdi>
}

interface FactsProps {
  readonly of: readonly (readonly [label: string, value: ComponentChildren])[]
}

export function DetailList({ of }: FactsProps) {
  if (of.length === 0) return null
  return (
    <dl class="facts">
      {of.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The page's script shows it, since nothing else can print. */
export function PrintButton() {
  return (
    <button type="button" class="plain small" id="print" hidden>
      Print or save as PDF
    </button>
  )
}
