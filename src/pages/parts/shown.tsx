// How amounts and dates stand on a page: as the payer writes them, and said to be of that language
// where it is not that of the words around.

import type { ComponentChildren } from 'preact'
import type { Cents } from '../../core/money.ts'
import { moneyText } from '../../receipts/amounts.ts'
import { dateText, momentText } from '../../receipts/local-time.ts'

/** Who looks at a page. */
export interface Viewer {
  readonly locale: string
  /** Of the account: the payer's own is not known. */
  readonly timezone: string
}

interface MoneyProps {
  readonly viewer: Viewer
  readonly cents: Cents
  readonly currency: string
}

export function Money({ viewer, cents, currency }: MoneyProps) {
  return <Foreign locale={viewer.locale}>{moneyText(cents, currency, viewer.locale)}</Foreign>
}

export function Day({ viewer, at, zone }: { viewer: Viewer; at: Date; zone?: string }) {
  const { locale, timezone } = viewer
  return (
    <time dateTime={at.toISOString()}>
      <Foreign locale={locale}>{dateText(at, zone ?? timezone, locale)}</Foreign>
    </time>
  )
}

export function Moment({ viewer, at }: { viewer: Viewer; at: Date }) {
  const { locale, timezone } = viewer
  return (
    <time dateTime={at.toISOString()}>
      <Foreign locale={locale}>{momentText(at, timezone, locale)}</Foreign>
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

/** Words of merchants: they turn nothing around that stands beside them. */
export function Said({ children }: { children: string }) {
  return <bdi>{children}</bdi>
}

interface FactsProps {
  readonly of: readonly (readonly [label: string, value: ComponentChildren])[]
}

export function Facts({ of }: FactsProps) {
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
