// What an invoice or a payment is for, by the `meta` of its merchant: items, sums, a memo, numbers
// of the merchant's own.

import { LOCALES } from '../../core/language.ts'
import type { Cents } from '../../core/money.ts'
import { type Details, detailsOf } from '../../messages/meta-details.ts'
import { LETTER_EN } from '../../messages/texts/letter-en.ts'
import { type Column, RowTable } from './row-table.tsx'
import { dollarText, FactList } from './shown.tsx'

interface WithMeta {
  readonly meta: unknown
  readonly currency: string
}

export function detailsInMeta({ meta, currency }: WithMeta): Details {
  return detailsOf(meta, currency, LOCALES.en, LETTER_EN)
}

interface MetaLinesProps {
  readonly title: string
  readonly details: Details
  readonly total: Cents
}

interface Line {
  readonly name: string
  readonly details?: string | undefined
  readonly amount?: string | undefined
}

const LINE_COLUMNS: readonly Column<Line>[] = [
  {
    head: 'Item',
    class: 'wrap',
    cell: ({ name }) => name,
    below: ({ details }) => details,
  },
  { head: 'Amount', class: 'amount number', cell: ({ amount = '–' }) => amount },
]

/** The lines as the customer sees them. */
export function MetaLines({ title, details: { items, sums, facts }, total }: MetaLinesProps) {
  const lines = [...items, ...sums.map(({ label, value }) => ({ name: label, amount: value }))]
  if (lines.length === 0 && facts.length === 0) return null
  return (
    <section class="stack" aria-labelledby="lines">
      <h2 id="lines">{title}</h2>
      {lines.length === 0 ? null : (
        <RowTable
          title="Lines"
          columns={LINE_COLUMNS}
          rows={[...lines, { name: 'Total', amount: dollarText(total) }]}
        />
      )}
      {facts.length === 0 ? null : (
        <div class="card">
          <FactList of={Object.fromEntries(facts.map(({ label, value }) => [label, value]))} />
        </div>
      )}
    </section>
  )
}
