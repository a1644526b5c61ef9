// One webhook endpoint: its facts, its actions, and its latest deliveries.

import { cleanText } from '../../core/redact.ts'
import { deliveriesOfEndpoint, type SeenDelivery } from '../../deliveries/deliveries-anywhere.ts'
import {
  findEndpoint,
  RECENT_OF_ONE,
  type SeenEndpoint,
} from '../../webhooks/endpoints-anywhere.ts'
import type { World } from '../../world.ts'
import { namedInAccount, type ObjectParams } from '../account-of.ts'
import { type Attempt, answeredStatus, attemptWords, lastTryOf } from '../deliveries/attempts.ts'
import { DeliveryStateWord } from '../deliveries/list.tsx'
import { spanText } from '../now/wording.ts'
import { FormFault } from '../parts/fields.tsx'
import type { ObjectPage } from '../parts/object-page.tsx'
import { type Column, TablePart } from '../parts/row-table.tsx'
import { At, Below, EventName, FactCard, OwnId, TeamOf } from '../parts/shown.tsx'
import { DELIVERIES_PATH, deliveryPath } from '../paths.ts'
import { pathWith } from '../query.ts'
import { ENDPOINT_ACTIONS, isForm } from './actions.tsx'
import { EndpointForms, type OfEndpoint, refusalFaults } from './endpoint-forms.tsx'
import { EndpointStateWord, EventNames, Succeeded, WaitingDeliveries } from './list.tsx'

export const ONE_ENDPOINT: ObjectPage<ObjectParams, OfEndpoint> = {
  place: 'endpoints',
  find: endpointAt,
  title: ({ endpoint: { targetUrl } }) =>
    `Endpoint ${URL.canParse(targetUrl) ? new URL(targetUrl).host : ''}`,
  async body(shown) {
    const { world, refused } = shown
    const { endpoint } = shown.found
    const deliveries = await deliveriesOfEndpoint(world, endpoint, RECENT_OF_ONE)
    const fault = refused?.faults.form
    return (
      <>
        <FormFault text={fault && `Nothing was done. ${fault}`} />
        <Facts {...shown.found} now={world.clock.now()} />
        {endpoint.deletedAt === null ? <EndpointForms {...shown} /> : null}
        <TablePart
          id="deliveries"
          title="Latest deliveries"
          columns={DELIVERY_COLUMNS}
          rows={deliveries}
          whenEmpty="Nothing was sent to this endpoint yet."
        >
          <p class="quiet">
            The newest {deliveries.length}.{' '}
            <a href={pathWith(DELIVERIES_PATH, {}, { recipient: endpoint.id })}>
              All deliveries to this endpoint
            </a>
          </p>
        </TablePart>
      </>
    )
  },
  actions: ENDPOINT_ACTIONS,
  faultsBy: (error, { action }) => (isForm(action) ? refusalFaults(error) : undefined),
}

/** A deleted one is shown and takes no more forms. */
export async function endpointAt(world: World, params: ObjectParams): Promise<OfEndpoint> {
  const { account, found } = await namedInAccount(world, params, 'endpoint', findEndpoint)
  return { account, endpoint: found }
}

/** The current time shows whether a replaced secret still signs. */
function Facts({ endpoint, account, now }: OfEndpoint & { readonly now: Date }) {
  const { previousSecretUntil, replayAfter, nextAt, deletedAt } = endpoint
  const isOverlapping = previousSecretUntil !== null && previousSecretUntil > now
  return (
    <FactCard
      of={{
        Address: <code>{cleanText(endpoint.targetUrl)}</code>,
        State: <EndpointStateWord row={endpoint} />,
        Team: <TeamOf account={account} />,
        Events: <EventNames events={endpoint.events} />,
        Dialect: endpoint.dialect,
        Succeeded: <Succeeded row={endpoint} />,
        Waiting: <WaitingDeliveries row={endpoint} />,
        'Next attempt (UTC)':
          nextAt === null || endpoint.pausedAt !== null ? null : (
            <NextAttempt {...{ endpoint, nextAt, now }} />
          ),
        'Replaying since (UTC)': replayAfter,
        'Old secret until (UTC)': isOverlapping ? previousSecretUntil : null,
        'Created (UTC)': endpoint.createdAt,
        'Deleted (UTC)': deletedAt,
        Id: <OwnId id={endpoint.id} />,
      }}
    />
  )
}

interface NextAttemptProps {
  readonly endpoint: SeenEndpoint
  readonly nextAt: Date
  readonly now: Date
}

function NextAttempt({ endpoint, nextAt, now }: NextAttemptProps) {
  return (
    <>
      {nextAt <= now ? 'now' : <At instant={nextAt} />}
      {endpoint.silences === 0 ? null : (
        <Below>
          The last attempts got no answer, so each waits longer than the one before, up to a minute.
        </Below>
      )}
    </>
  )
}

const DELIVERY_COLUMNS: readonly Column<SeenDelivery>[] = [
  { head: 'Created (UTC)', cell: (row) => row.createdAt },
  {
    head: 'Event',
    isMain: true,
    cell: (row) => (
      <a href={deliveryPath(row)}>
        {row.event === null ? 'a deleted event' : <EventName of={row.event} />}
      </a>
    ),
  },
  { head: 'State', cell: (row) => <DeliveryStateWord row={row} /> },
  { head: 'Attempts', class: 'number', named: true, cell: (row) => row.tries },
  { head: 'Answer', named: true, cell: (row) => answerText(lastTryOf(row)) },
  { head: 'Time', class: 'number', named: true, cell: (row) => timeText(lastTryOf(row)) },
  { head: 'Details', class: 'wrap', cell: (row) => row.lastError },
]

function answerText(last: Attempt | undefined): string {
  return last === undefined ? '–' : (answeredStatus(last) ?? attemptWords(last))
}

function timeText(last: Attempt | undefined): string {
  return last?.ms === undefined ? '–' : spanText(last.ms)
}
