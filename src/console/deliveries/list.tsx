// The list of the deliveries of all teams, on every channel.

import { counted } from '../../core/counts.ts'
import { DELIVERY_CHANNELS, PARKED_REASON_WORDS } from '../../core/delivery.ts'
import { cleanText } from '../../core/redact.ts'
import type { RowOwner } from '../../db/newest-anywhere.ts'
import {
  DELIVERIES,
  DELIVERY_STATES,
  type DeliveryState,
  deliveryState,
  isIndexed,
  keptMessageOf,
  type SeenDelivery,
} from '../../deliveries/deliveries-anywhere.ts'
import type { Delivery } from '../../generated/client.ts'
import { EndpointLink } from '../endpoints/list.tsx'
import type { ListPage } from '../parts/list-page.tsx'
import { newestOf, OWNED_COLUMNS, TEAM_COLUMN, TEAM_FILTER } from '../parts/rows-of-teams.tsx'
import { At, Below, CHANNEL_LABELS, StatusWord } from '../parts/shown.tsx'
import { searchedText } from '../parts/typed.ts'
import { DELIVERIES_PATH, deliveryPath } from '../paths.ts'
import { choiceOf, pathWith, type QueryParams } from '../query.ts'
import { DeliveryButton, failedByReason } from './failed.tsx'

const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  due: 'due',
  sent: 'sent',
  not_sent: 'not sent: no provider',
  failed: 'failed for good',
  dismissed: 'dismissed',
}

export const DELIVERY_LIST: ListPage<SeenDelivery & RowOwner> = {
  title: 'Deliveries',
  place: 'deliveries',
  intro: ({ config }) =>
    `Receipts and notices to people, and events to webhook endpoints. They are deleted after ${config.deliveryRetentionDays} days.`,
  filters: [
    { kind: 'choice', name: 'state', label: 'State', choices: Object.entries(STATE_WORDS) },
    { kind: 'choice', name: 'channel', label: 'Channel', choices: Object.entries(CHANNEL_LABELS) },
    { kind: 'text', name: 'recipient', label: 'To', type: 'search', placeholder: 'Address or id' },
    TEAM_FILTER,
  ],
  columns: [
    {
      head: 'Delivery, created (UTC)',
      sort: 'created_at',
      isMain: true,
      cell: (row) => <a href={deliveryPath(row)}>{deliveryTitle(row)}</a>,
      below: (row) => row.createdAt,
    },
    { head: 'To', class: 'says', cell: (row) => <Recipient row={row} /> },
    TEAM_COLUMN,
    {
      head: 'State',
      class: 'wrap',
      cell: (row) => <DeliveryStateWord row={row} />,
      below: ({ lastError, tries }) =>
        lastError === null ? null : `${counted(tries, 'attempt')}: ${lastError}`,
    },
    { head: '', cell: formsOf },
  ],
  whenEmpty: 'Nothing was sent yet.',
  file: [
    ...OWNED_COLUMNS,
    'channel',
    'subject',
    'subject_id',
    'event',
    ['recipient', (row) => cleanText(row.targetUrl ?? row.recipient)],
    ['state', (row) => deliveryState(row)],
    'reason',
    ['attempts', (row) => row.tries],
    'last_error',
    'due_at',
    ['sent_at', (row) => (keptMessageOf(row) === undefined ? row.sentAt : null)],
    'delivered_at',
  ],
  above: ({ world, query }) => {
    const { channel, recipient, state } = askedOf(query)
    if (state !== 'failed' || channel === undefined || recipient !== undefined) return null
    return failedByReason(world, channel, query)
  },
  find: newestOf(DELIVERIES, (query) => {
    const asked = askedOf(query)
    return { asked, isIndexed: isIndexed(asked) }
  }),
}

function askedOf(query: QueryParams) {
  return {
    state: choiceOf(query, 'state', DELIVERY_STATES),
    channel: choiceOf(query, 'channel', DELIVERY_CHANNELS),
    recipient: searchedText(query.recipient),
  }
}

function formsOf(row: SeenDelivery) {
  const state = deliveryState(row)
  if (state !== 'failed' && state !== 'dismissed') return undefined
  const button = { row, kind: 'plain small', from: 'list' } as const
  return (
    <div class="row">
      {row.reason === 'opted_out' ? null : (
        <DeliveryButton {...button} action="retry" words="Retry" />
      )}
      {state === 'failed' ? <DeliveryButton {...button} action="dismiss" words="Dismiss" /> : null}
    </div>
  )
}

/** `Webhook create_transaction`, `E-mail about a transaction`. */
export function deliveryTitle({ channel, event, subject }: SeenDelivery): string {
  if (channel === 'webhook') return `${CHANNEL_LABELS.webhook} ${event ?? 'of a deleted event'}`
  const about = subject === 'webhook' ? 'a disabled endpoint' : ABOUT[subject]
  return `${CHANNEL_LABELS[channel]} about ${about}`
}

const ABOUT = { transaction: 'a transaction', invoice: 'an invoice', event: 'an event' } as const

/** The recipient of a webhook is its endpoint. */
export function Recipient({ row }: { row: Delivery & Pick<SeenDelivery, 'targetUrl'> }) {
  const { accountId, channel, lane, recipient, targetUrl } = row
  if (channel !== 'webhook') return <span title={recipient}>{recipient}</span>
  return <EndpointLink endpoint={{ accountId, id: lane, targetUrl: targetUrl ?? lane }} />
}

/** Its state, with the reason of a failure and the time of the next attempt. */
export function DeliveryStateWord({ row }: { row: Delivery }) {
  const { dueAt, reason, status } = row
  return (
    <>
      <StatusWord status={status === 'delivered' ? status : deliveryState(row)} />
      {dueAt === null ? null : (
        <Below>
          at <At instant={dueAt} />
        </Below>
      )}
      {reason === null ? null : <Below>{PARKED_REASON_WORDS[reason]}</Below>}
    </>
  )
}

/** A link to the list of failed webhooks, where they can be sent again. */
export function TeamFailures({ teamId }: { teamId: string }) {
  const failed = { state: 'failed', channel: 'webhook', team: teamId }
  return <a href={pathWith(DELIVERIES_PATH, failed)}>Failed webhooks of this team</a>
}
