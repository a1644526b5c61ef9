// The details of an invoice, in the same form as in its e-mail.

import { referenceOf } from '../../core/reference.ts'
import { dueDayOf } from '../../messages/local-formats.ts'
import { detailsOf } from '../../messages/meta-details.ts'
import { customerName } from '../../messages/people.ts'
import type { BillPage } from '../read-bill-page.ts'
import { usePageViewer } from '../viewer.ts'
import { Day, DetailList, Foreign, MerchantText, Money } from './shown.tsx'

export function BillDetails({ page }: { page: BillPage }) {
  const { invoice: v, customer, runDay, refunded } = page
  const { locale, timezone, texts, letterTexts } = usePageViewer()
  const { bill, outcome } = texts
  const { items, sums, facts } = detailsOf(v.meta, v.currency, locale, letterTexts)
  const due = dueDayOf(v, runDay, timezone)
  return (
    <section class="stack bill" aria-label={bill.details}>
      {items.length === 0 ? null : (
        <ul class="items">
          {items.map((item, i) => (
            <li key={`${i} ${item.name}`}>
              <span>
                <MerchantText>{item.name}</MerchantText>
                {item.details === undefined ? null : <span class="quiet">{item.details}</span>}
              </span>
              <Foreign>{item.amount ?? ''}</Foreign>
            </li>
          ))}
        </ul>
      )}
      <Sums page={page} sums={items.length > 0 || sums.length > 0 ? sums : undefined} />
      <DetailList
        of={[
          [
            bill.number,
            <span key="no" class="number">
              {referenceOf(v.id)}
            </span>,
          ],
          [bill.issued, <Day key="issued" at={v.createdAt} />],
          ...(due === undefined ? [] : ([[bill.due, <Day key="due" {...due} />]] as const)),
          ...named(bill.billedTo, customerName(customer)),
          ...(refunded === 0n
            ? []
            : ([
                [outcome.refunded, <Money key="refunded" currency={v.currency} cents={refunded} />],
              ] as const)),
          ...facts.map(
            ({ label, value }) =>
              [label, <MerchantText key={label}>{value}</MerchantText>] as const,
          ),
        ]}
      />
    </section>
  )
}

interface SumsProps {
  readonly page: BillPage
  /** Undefined when the total alone is enough. */
  readonly sums: ReturnType<typeof detailsOf>['sums'] | undefined
}

function Sums({ page, sums }: SumsProps) {
  const { currency, total, totalPaid } = page.invoice
  const { bill } = usePageViewer().texts
  const isPart = totalPaid > 0n && totalPaid < total
  if (sums === undefined && !isPart) return null
  const money = (cents: bigint) => <Money {...{ currency, cents }} />
  return (
    <dl class="sums">
      {(sums ?? []).map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Foreign>{value}</Foreign>
          </dd>
        </div>
      ))}
      <div class="last">
        <dt>{bill.total}</dt>
        <dd>{money(total)}</dd>
      </div>
      {isPart ? (
        <>
          <div>
            <dt>{bill.paidSoFar}</dt>
            <dd>{money(totalPaid)}</dd>
          </div>
          <div class="last">
            <dt>{bill.leftToPay}</dt>
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
