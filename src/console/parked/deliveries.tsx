// Deliveries that failed for good: grouped by reason, and one by one.

import { counted, grouped } from '../../core/counts.ts'
import {
  type DeliveryChannel,
  PARKED_REASON_WORDS,
  type ParkedReason,
} from '../../core/delivery.ts'
import { type FoundDelivery, listDeliveries } from '../../deliveries/find-deliveries.ts'
import type { World } from '../../world.ts'
import { Recipient } from '../deliveries/list.tsx'
import { ActionButton } from '../parts/action-form.tsx'
import { type Column, RowTable } from '../parts/row-table.tsx'
import { At, LongText, StatusWord } from '../parts/shown.tsx'
import { deliveryPath, PARKED_PATH, transactionPath } from '../paths.ts'
import {
  type DeliveryAction,
  deliveryActionPath,
  MOST_SHOWN,
  type ReasonCount,
  reasonsOf,
} from './read-parked.ts'

/** What each reason means, and a possible remedy. */
export const PARKED_REASON_SENTENCES: Readonly<Record<ParkedReason, string>> = {
  refused: 'The provider rejected it for good.',
  opted_out: 'The recipient opted out.',
  out_of_tries: 'Every attempt failed.',
  expired: 'No answer for three days.',
  undelivered: 'The provider accepted it, but could not deliver it.',
  suppressed:
    'The address does not exist, as an earlier delivery showed. A retry helps only after “Send to ' +
    'this address again” on the page of the delivery.',
  sandbox_limit: 'The sandbox account had sent as many messages as it may within a day.',
  no_target: 'The endpoint is disabled or deleted, or what it was about is deleted.',
}

/** `isDismissed` shows dismissed deliveries instead of those that need a decision. */
export async function parkedDeliveries(
  world: World,
  channel: DeliveryChannel,
  isDismissed: boolean,
) {
  const asOf = world.clock.now()
  const status = isDismissed ? 'dismissed' : 'parked'
  const [rows, reasons] = await Promise.all([
    listDeliveries(world, { status, channel, limit: MOST_SHOWN }),
    isDismissed ? [] : reasonsOf(world, channel),
  ])
  return (
    <>
      {reasons.map((one) => (
        <Reason key={one.reason} {...{ ...one, channel, asOf }} />
      ))}
      <RowTable
        title="Failed deliveries"
        columns={[...COLUMNS, { head: '', cell: (row) => <RowForms row={row} /> }]}
        rows={rows}
        whenEmpty={isDismissed ? 'No deliveries were dismissed.' : 'No deliveries need attention.'}
      />
      <p class="quiet">
        {rows.length === 0 ? '' : `The newest ${rows.length}. `}
        {`Failed deliveries are deleted after ${world.config.deliveryRetentionDays} days. `}
        <a href={`${PARKED_PATH}?kind=${channel}${isDismissed ? '' : '&closed=yes'}`}>
          {isDismissed ? 'Show what needs attention' : 'Show dismissed deliveries'}
        </a>
      </p>
    </>
  )
}

interface ReasonProps extends ReasonCount {
  readonly channel: DeliveryChannel
  /** When the page was made. */
  readonly asOf: Date
}

/** Its forms are for all deliveries of the page, not for those that were parked later. */
function Reason({ reason, count, channel, asOf }: ReasonProps) {
  const form = (action: DeliveryAction, verb: string) => (
    <ActionButton
      to={deliveryActionPath(action)}
      asks={`${verb} ${counted(count, 'delivery', 'deliveries')}?`}
      fields={{ channel, reason, until: asOf.toISOString() }}
      kind="plain"
    >
      {verb} all
    </ActionButton>
  )
  return (
    <section class="card row reason" aria-label={PARKED_REASON_WORDS[reason]}>
      <StatusWord status={reason} words={PARKED_REASON_WORDS[reason]} />
      <p>
        <strong class="number">{grouped(count)}</strong> {PARKED_REASON_SENTENCES[reason]}
      </p>
      {reason === 'opted_out' ? null : form('retry', 'Retry')}
      {form('dismiss', 'Dismiss')}
    </section>
  )
}

const COLUMNS: readonly Column<FoundDelivery>[] = [
  {
    head: 'Failed (UTC)',
    cell: (row) => (
      <a href={deliveryPath(row)}>
        <At instant={row.updatedAt} />
      </a>
    ),
  },
  { head: 'To', class: 'says', isMain: true, cell: (row) => <RecipientLink row={row} /> },
  { head: 'Team', cell: (row) => <LongText text={row.teamName} /> },
  {
    head: 'Reason',
    class: 'wrap',
    cell: ({ reason }) => (
      <StatusWord
        status={reason ?? 'parked'}
        words={reason === null ? undefined : PARKED_REASON_WORDS[reason]}
      />
    ),
  },
  { head: 'Attempts', class: 'number', named: true, cell: (row) => row.tries },
  { head: 'Last error', class: 'wrap', cell: (row) => row.lastError },
]

function RowForms({ row }: { row: FoundDelivery }) {
  const form = (action: DeliveryAction, words: string) => (
    <ActionButton
      to={deliveryActionPath(action, row)}
      fields={row.closedAt === null ? undefined : { closed: 'yes' }}
      kind="plain small"
    >
      {words}
    </ActionButton>
  )
  return (
    <div class="row">
      {row.reason === 'opted_out' ? null : form('retry', 'Retry')}
      {row.closedAt === null ? form('dismiss', 'Dismiss') : null}
    </div>
  )
}

function RecipientLink({ row }: { row: FoundDelivery }) {
  const { accountId, channel, subject, subjectId, recipient } = row
  if (channel === 'webhook' || subject !== 'transaction') return <Recipient row={row} />
  return <a href={transactionPath({ accountId, id: subjectId })}>{recipient}</a>
}
