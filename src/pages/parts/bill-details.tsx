// The details of an invoice, in the same form as in its e-mail.

import { referenceOf } from '../../core/reference.ts'
import { zoneOfDay } from '../../receipts/local-formats.ts'
import { detailsOf } from '../../receipts/meta-details.ts'
import { customerName } from '../../receipts/people.ts'
import { billStoryOf } from '../../receipts/read-invoice.ts'
import type { BillPage } from '../read-bill-page.ts'
import { Day, DetailList, Foreign, MerchantText, Money, type Viewer } from './shown.tsx'

interface BillDetailsProps {
  readonly page: BillPage
  readonly viewer: Viewer
}

export function BillDetails({ page, viewer }: BillDetailsProps) {
  const { invoice: v, customer } = page
  const { locale, timezone } = viewer
  const { items, sums, facts } = detailsOf(v.meta, v.currency, locale)
  const due = v.payBy
  return (
    <section class="stack bill" aria-label="Details">
      {items.length === 0 ? null : (
        <ul class="items">
          {items.map((item, i) => (
            <li key={`${i} ${item.name}`}>
              <span>
                <MerchantText>{item.name}</MerchantText>
                {item.details === undefined ? null : <span class="quiet">{item.details}</span>}
              </span>
              <Foreign locale={locale}>{item.amount ?? ''}</Foreign>
            </li>
          ))}
        </ul>
      )}
      <Sums {...{ page, viewer }} sums={items.length > 0 || sums.length > 0 ? sums : undefined} />
      <DetailList
        of={[
          [
            'Invoice no.',
            <span key="no" class="number">
              {referenceOf(v.id)}
            </span>,
          ],
          ['Issued', <Day key="issued" viewer={viewer} at={v.createdAt} />],
          ...(due === null
            ? []
            : ([
                ['Due', <Day key="due" {...{ viewer, at: due, zone: zoneOfDay(due, timezone) }} />],
              ] as const)),
          ...named('Billed to', customerName(customer)),
          ...facts.map(
            ({ label, value }) =>
              [label, <MerchantText key={label}>{value}</MerchantText>] as const,
          ),
        ]}
      />
    </section>
  )
}

interface SumsProps extends BillDetailsProps {
  /** Undefined when the total alone is enough. */
  readonly sums: ReturnType<typeof detailsOf>['sums'] | undefined
}

function Sums({ page: { invoice: v }, viewer, sums }: SumsProps) {
  const { currency, total, totalPaid } = v
  const isPart = totalPaid > 0n && billStoryOf(v) !== 'paid'
  if (sums === undefined && !isPart) return null
  const money = (cents: bigint) => <Money {...{ viewer, currency, cents }} />
  return (
    <dl class="sums">
      {(sums ?? []).map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Foreign locale={viewer.locale}>{value}</Foreign>
          </dd>
        </div>
      ))}
      <div class="last">
        <dt>Total</dt>
        <dd>{money(total)}</dd>
      </div>
      {isPart ? (
        <>
          <div>
            <dt>Paid so far</dt>
            <dd>{money(totalPaid)}</dd>
          </div>
          <div class="last">
            <dt>Left to pay</dt>
            <dd>{money(total - totalPaid)}</dd>
          </div>
        </>
      ) : null}
    </dl>
  )
}

function named(label: string, text: string) {
  return text === '' ? [] : [[label, <MerchantText key={label}>{text}</MerchantText>] as const]
}
