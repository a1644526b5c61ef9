// One transaction: its facts, its actions, and its story.

import { Fragment } from 'preact'
import type { TransactionRow } from '../../payments/transaction/transaction-row.ts'
import { CustomerLink } from '../customers/list.tsx'
import {
  Amount,
  At,
  dollarText,
  FactCard,
  type Facts,
  Id,
  StatusWord,
  TeamOf,
} from '../parts/shown.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { marksOf } from './afterwards.ts'
import { DecideForms, type RefusedDecision } from './decide.tsx'
import { type Following, FollowUpForms, paidBy, TYPE_NAMES } from './follow-up-forms.tsx'
import type { TransactionStory } from './read-story.ts'
import { ReceiptForms } from './receipt.tsx'
import { timelineOf } from './story.ts'

interface OneProps {
  readonly story: TransactionStory
  readonly following: Following
  readonly decision: RefusedDecision | undefined
  readonly formKey: string
}

export function OneTransaction({ story, following, decision, formKey }: OneProps) {
  const { row } = story
  return (
    <>
      <FactCard of={factsOf(story)} />
      <DecideForms row={row} refused={decision} />
      <FollowUpForms row={row} following={following} />
      <ReceiptForms story={story} formKey={formKey} />
      <section class="stack" aria-labelledby="story">
        <h2 id="story">What happened</h2>
        <Timeline entries={timelineOf(story)} clockAt={story.account.clockAt} />
      </section>
    </>
  )
}

/** The title of the page. */
export function transactionTitle({ type, total }: TransactionRow): string {
  return `${TYPE_NAMES[type]} of ${dollarText(total)}`
}

function factsOf(story: TransactionStory): Facts {
  const { account, row } = story
  const { accountId } = row
  const to = (place: string, id: string | null) =>
    id && <Id id={id} to={`/admin/${place}/${accountId}/${id}`} />
  return {
    Status: (
      <>
        <StatusWord status={row.parkedAt === null ? row.status : 'parked'} />
        {marksOf(story).map(({ id, status, words }) => (
          <Fragment key={id}>
            {' '}
            <a href={`#${id}`}>
              <StatusWord status={status} words={words} />
            </a>
          </Fragment>
        ))}
      </>
    ),
    Amount: <Amount cents={row.total} />,
    ...sumsOf(story),
    'Gateway message': row.message,
    'Decline code': row.declineCode,
    'Advice on a retry': row.retryAdvice,
    Team: <TeamOf account={account} />,
    Customer: <CustomerLink of={row.customer} />,
    'Paid by': paidBy(row),
    'Received (UTC)': <At instant={row.createdAt} />,
    'Updated (UTC)': <At instant={row.updatedAt} />,
    Batch: to('batches', row.batchId),
    Schedule: to('schedules', row.scheduleId),
    Invoice: to('invoices', row.invoiceId),
    'Payment link': to('links', row.paymentLinkId),
    'Original payment': to('transactions', row.referenceId),
    Gateway: row.gatewayName,
    'Gateway reference': row.authId && <code>{row.authId}</code>,
    Id: <code>{row.id}</code>,
  }
}

function sumsOf({ row, children, takenBack }: TransactionStory): Facts {
  const { type, captured, refunded, reserved, isVoided } = row
  const voided = children
    .filter((child) => child.type === 'capture' && child.isVoided)
    .reduce((sum, { total }) => sum + total, 0n)
  return {
    Captured: type === 'pre_auth' ? <Amount cents={captured - voided} /> : null,
    'Captured, then voided': voided > 0n ? <Amount cents={voided} /> : null,
    Refunded: refunded > 0n ? <Amount cents={refunded} /> : null,
    'Being refunded': reserved > 0n ? <Amount cents={reserved} /> : null,
    Voided: isVoided ? 'yes' : null,
    'Taken back by the bank': takenBack > 0n ? <Amount cents={takenBack} /> : null,
  }
}
