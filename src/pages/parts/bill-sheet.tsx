// A bill's page in each of its states: payable, payment in progress, paid, taken back.

import { dueDayOf } from '../../messages/local-formats.ts'
import { type BillStory, hasBeenPaid } from '../../messages/read-invoice.ts'
import { hostedOf, type PageTokens } from '../page-tokens.ts'
import type { BillPage } from '../read-bill-page.ts'
import type { Texts } from '../texts/en.ts'
import { usePageViewer } from '../viewer.ts'
import { BillDetails } from './bill-details.tsx'
import { Mark, Processing, refundedText } from './outcome.tsx'
import { PayForm } from './pay-form.tsx'
import { PayPage } from './pay-page.tsx'
import { Day, LargeAmount, Money, PrintButton } from './shown.tsx'

interface BillSheetProps {
  readonly page: BillPage
  readonly story: BillStory
  /** Undefined when there is nothing to pay. */
  readonly tokens: PageTokens | undefined
  readonly isTestMode: boolean
  /** The address of this page, for a printed bill. */
  readonly address: string
}

export function BillSheet(props: BillSheetProps) {
  const { page, story, tokens, isTestMode, address } = props
  const { texts } = usePageViewer()
  const { payee, invoice: v } = page
  const path = `/bill/${v.token}`
  const due = hasBeenPaid(story) ? v.total : v.total - v.totalPaid
  const { bill } = texts
  const title = bill[TITLES[story]]
  const state = story === 'under way' ? 'processing' : tokens === undefined ? 'final' : 'form'
  return (
    <PayPage
      title={title}
      payee={payee}
      state={state}
      subject={path}
      hosted={hostedOf(tokens)}
      isTestMode={isTestMode}
      isWide={state === 'form'}
    >
      <div class="stack">
        <div class={`stack what ${MARKS[story] ?? ''}`}>
          {MARKS[story] === undefined ? null : <Mark kind={MARKS[story]} />}
          <h1>{title}</h1>
          <LargeAmount cents={due} currency={v.currency} />
          <Lead page={page} story={story} />
        </div>
        <BillDetails page={page} />
        {state === 'form' ? <p class="on-paper">{bill.onPaper(address)}</p> : null}
      </div>
      {tokens === undefined ? null : (
        <PayForm
          {...{ payee, path, tokens }}
          subject={{ bill: v.token }}
          currency={v.currency}
          amount={due}
          typedAmount=""
        />
      )}
      <PrintButton />
    </PayPage>
  )
}

const TITLES = {
  'to pay': 'title',
  failed: 'title',
  'under way': 'underWay',
  paid: 'paid',
  returned: 'returned',
} as const satisfies Readonly<Record<BillStory, keyof Texts['bill']>>

const MARKS: Readonly<Partial<Record<BillStory, 'good' | 'wait'>>> = {
  'under way': 'wait',
  paid: 'good',
}

function Lead({
  page: { payee, invoice: v, runDay, isPaidFromBank, refunded, takenBack },
  story,
}: Pick<BillSheetProps, 'page' | 'story'>) {
  const { texts, timezone } = usePageViewer()
  const { bill } = texts
  switch (story) {
    case 'to pay': {
      const day = dueDayOf(v, runDay, timezone)
      return day === undefined ? null : <p>{bill.payBy(<Day key="due" {...day} />)}</p>
    }
    case 'failed':
      return <p>{bill.failed}</p>
    case 'under way':
      return <Processing takesDays={payee.mode === 'live' && isPaidFromBank} />
    case 'paid': {
      const { paidAt } = v
      const lead = paidAt === null ? bill.paidAlready : bill.paidOn(<Day key="paid" at={paidAt} />)
      return (
        <p>
          {lead} {refundedText({ refunded, total: v.totalPaid }, texts)}
        </p>
      )
    }
    case 'returned':
      return (
        <p>{bill.returnedLead(<Money key="back" currency={v.currency} cents={takenBack} />)}</p>
      )
  }
}
