// One delivery: its facts, its attempts, and whether it can be sent again.

import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import {
  deliveryState,
  findDelivery,
  keptMessageOf,
  type SeenDelivery,
} from '../../deliveries/deliveries-anywhere.ts'
import { type StoppedAddress, stopsOf } from '../../deliveries/stopped-addresses.ts'
import type { World } from '../../world.ts'
import { namedInAccount, type ObjectParams } from '../account-of.ts'
import { spanText } from '../now/wording.ts'
import type { ObjectPage } from '../parts/object-page.tsx'
import { type Column, TablePart } from '../parts/row-table.tsx'
import { CHANNEL_LABELS, FactCard, Id, OwnId, StatusWord, TeamOf } from '../parts/shown.tsx'
import { eventPath, messagePath, OBJECT_PATHS } from '../paths.ts'
import { type Attempt, answeredStatus, attemptsOf, attemptWords, isGood } from './attempts.ts'
import { DeliveryButton, ON_ONE_FAILED, PARKED_REASON_SENTENCES } from './failed.tsx'
import { DeliveryStateWord, deliveryTitle, Recipient } from './list.tsx'
import { StoppedAddresses } from './stopped-addresses.tsx'

export const ONE_DELIVERY: ObjectPage<ObjectParams, DeliveryAt> = {
  place: 'deliveries',
  async find(world, params) {
    const named = await namedInAccount(world, params, 'delivery any more', findDelivery)
    const { account, found: row } = named
    const isToEndpoint = row.channel === 'webhook'
    const [isKept, found] = await Promise.all([
      isInOutbox(world, row),
      isToEndpoint ? [] : stopsOf(world, account.id, [row.recipient]),
    ])
    const stops = found.filter(({ channel }) => channel === row.channel)
    return { row, account, isKept, stops }
  },
  title: ({ row }) => deliveryTitle(row),
  body: ({ found }) => (
    <>
      <Facts {...found} />
      <Actions {...found} />
      <StoppedAddresses stops={found.stops} from={{ delivery: found.row.id }} />
      <TablePart
        id="attempts"
        title="Attempts"
        columns={attemptColumns(found.row)}
        rows={attemptsOf(found.row).toReversed()}
        whenEmpty="Nothing was attempted yet."
      />
    </>
  ),
  actions: ON_ONE_FAILED,
}

/** Old messages of the outbox are deleted before their deliveries. */
async function isInOutbox(world: World, row: SeenDelivery): Promise<boolean> {
  const id = keptMessageOf(row)
  if (id === undefined) return false
  const key = { accountId: row.accountId, id }
  return (await world.db.prisma.outboxMessage.count({ where: key })) > 0
}

interface DeliveryAt {
  readonly row: SeenDelivery
  readonly account: AccountWithTeam
  /** Whether the outbox still has the message. */
  readonly isKept: boolean
  /** Why its recipient gets no messages, or no scheduled bills. */
  readonly stops: readonly StoppedAddress[]
}

function Facts({ row, account, isKept }: DeliveryAt) {
  const { accountId, sentAt, deliveredAt, closedAt, providerId } = row
  const kept = keptMessageOf(row)
  return (
    <FactCard
      of={{
        State: <DeliveryStateWord row={row} />,
        Channel: CHANNEL_LABELS[row.channel],
        To: <Recipient row={row} />,
        About: <About row={row} />,
        Team: <TeamOf account={account} />,
        Message:
          isKept && kept !== undefined ? (
            <a href={messagePath({ accountId, id: kept })}>Read it in the outbox</a>
          ) : null,
        'Created (UTC)': row.createdAt,
        [kept === undefined ? 'Sent (UTC)' : 'Kept (UTC)']: sentAt,
        'Delivered (UTC)': deliveredAt,
        'Dismissed (UTC)': closedAt,
        'Last error': row.lastError,
        'Provider’s id': kept === undefined && providerId ? <code>{providerId}</code> : null,
        Request: <code>{row.requestId}</code>,
        Id: <OwnId id={row.id} />,
      }}
    />
  )
}

/** The subject of the delivery, with a link to it. */
function About({ row: { accountId, subject, subjectId, event } }: { row: SeenDelivery }) {
  const key = { accountId, id: subjectId }
  if (subject === 'event') {
    return event === null ? <>a deleted event</> : <a href={eventPath(key)}>{event}</a>
  }
  return (
    <>
      {subject === 'webhook' ? 'endpoint' : subject}{' '}
      <Id id={subjectId} to={OBJECT_PATHS[subject](key)} />
    </>
  )
}

function Actions({ row, stops }: DeliveryAt) {
  const { reason, channel, event } = row
  const state = deliveryState(row)
  if (reason === null || (state !== 'failed' && state !== 'dismissed')) return null
  const isGone = channel === 'webhook' && event === null
  const isSuppressed = stops.some((stop) => stop.reason === 'no_such_address')
  const canRetry = reason !== 'opted_out' && !isGone && !isSuppressed
  return (
    <section class="card stack" aria-labelledby="actions">
      <h2 id="actions">It failed for good</h2>
      <p>
        {PARKED_REASON_SENTENCES[reason]}
        {isGone ? ' Its event is deleted, so it can’t be sent again.' : ''}
      </p>
      <div class="row">
        {canRetry ? <DeliveryButton row={row} action="retry" words="Send again" /> : null}
        {state === 'failed' ? (
          <DeliveryButton row={row} action="dismiss" words="Dismiss" kind="plain" />
        ) : null}
      </div>
    </section>
  )
}

function attemptColumns(row: SeenDelivery): readonly Column<Attempt>[] {
  // The outbox takes a message as a provider does, but sends nothing.
  const good = keptMessageOf(row) === undefined ? 'sent' : 'not_sent'
  return [
    { head: 'At (UTC)', cell: ({ at }) => at },
    {
      head: 'Result',
      isMain: true,
      cell: (attempt) =>
        attempt.answer === undefined ? (
          'sent again by an operator'
        ) : (
          <StatusWord status={isGood(attempt) ? good : attemptWords(attempt)} />
        ),
    },
    {
      head: 'Status',
      class: 'number',
      named: true,
      cell: (attempt) => answeredStatus(attempt) ?? '–',
    },
    {
      head: 'Time',
      class: 'number',
      named: true,
      cell: ({ ms }) => (ms === undefined ? '–' : spanText(ms)),
    },
    { head: 'Beginning of the answer', class: 'wrap', cell: (attempt) => textAfterStatus(attempt) },
  ]
}

function textAfterStatus(attempt: Attempt): string {
  const text = attempt.detail?.slice(answeredStatus(attempt)?.length ?? 0)
  return text?.trim() || '–'
}
