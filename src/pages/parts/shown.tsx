// Amounts and dates in the payer's locale, with a `lang` attribute where that is not of the page's
// language, so that screen readers pronounce them.

import type { ComponentChildren } from 'preact'
import { languageOf } from '../../core/language.ts'
import type { Cents } from '../../core/money.ts'
import { localDateText, localMomentText, localMoneyText } from '../../messages/local-formats.ts'
import { shownLine } from '../../messages/shown.ts'
import { usePageViewer } from '../viewer.ts'

interface MoneyProps {
  readonly cents: Cents
  readonly currency: string
}

export function Money({ cents, currency }: MoneyProps) {
  return <Foreign>{localMoneyText(cents, currency, usePageViewer().locale)}</Foreign>
}

/** The longest text that a small phone shows in the largest letters. */
const SHORT = 10

/** The amount to pay, in letters as large as fit. */
export function LargeAmount({ cents, currency }: MoneyProps) {
  const { length } = localMoneyText(cents, currency, usePageViewer().locale)
  return (
    <p class={length > SHORT ? 'amount many' : 'amount'}>
      <Money {...{ cents, currency }} />
    </p>
  )
}

export function Day({ at, zone }: { at: Date; zone?: string }) {
  const { locale, timezone } = usePageViewer()
  return (
    <time dateTime={at.toISOString()}>
      <Foreign>{localDateText(at, zone ?? timezone, locale)}</Foreign>
    </time>
  )
}

export function Moment({ at }: { at: Date }) {
  const { locale, timezone } = usePageViewer()
  return (
    <time dateTime={at.toISOString()}>
      <Foreign>{localMomentText(at, timezone, locale)}</Foreign>
    </time>
  )
}

export function Foreign({ children }: { children: ComponentChildren }) {
  const { language, locale } = usePageViewer()
  const isForeign = languageOf(locale) !== language
  return (
    <span class="number" dir="auto" lang={isForeign ? locale : undefined}>
      {children}
    </span>
  )
}

/** Without characters that reorder text, and isolated from its surroundings. */
export function MerchantText({ children }: { children: string }) {
  return <bdi>{shownLine(children)}</bdi>
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
  const { layout } = usePageViewer().texts
  return (
    <button type="button" class="plain small" id="print" hidden>
      {layout.print}
    </button>
  )
}
