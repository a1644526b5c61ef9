// The list of the webhook endpoints of all teams.

import { cleanText } from '../../core/redact.ts'
import {
  ENDPOINT_STATES,
  ENDPOINTS,
  endpointState,
  type ListedEndpoint,
  MOST_WAITING,
  type SeenEndpoint,
} from '../../webhooks/endpoints-anywhere.ts'
import { spanText } from '../now/wording.ts'
import type { ListPage } from '../parts/list-page.tsx'
import { newestOf, OWNED_COLUMNS, TEAM_COLUMN, TEAM_FILTER } from '../parts/rows-of-teams.tsx'
import { At, Below, StatusWord } from '../parts/shown.tsx'
import { ENDPOINTS_PATH, endpointPath } from '../paths.ts'
import { choiceOf } from '../query.ts'

export const NEW_ENDPOINT_PATH = `${ENDPOINTS_PATH}/new`

export const ENDPOINT_LIST: ListPage<ListedEndpoint> = {
  title: 'Webhook endpoints',
  place: 'endpoints',
  intro: () => 'The addresses to which events of the teams are posted.',
  toCreate: { path: NEW_ENDPOINT_PATH, words: 'Add an endpoint' },
  filters: [
    { kind: 'choice', name: 'state', label: 'State', choices: ENDPOINT_STATES },
    {
      kind: 'text',
      name: 'address',
      label: 'Address',
      type: 'search',
      placeholder: 'A part of it',
    },
    TEAM_FILTER,
  ],
  columns: [
    {
      head: 'Endpoint, events',
      class: 'says',
      isMain: true,
      cell: (row) => <EndpointLink endpoint={row} />,
      below: (row) => <EventNames events={row.events} />,
    },
    TEAM_COLUMN,
    { head: 'State', class: 'wrap', cell: (row) => <EndpointStateWord row={row} /> },
    { head: 'Succeeded', named: true, cell: (row) => <Succeeded row={row} /> },
    { head: 'Waiting', named: true, cell: (row) => <WaitingDeliveries row={row} /> },
  ],
  whenEmpty: 'No team has a webhook endpoint yet.',
  file: [
    ...OWNED_COLUMNS,
    ['target_url', (row) => cleanText(row.targetUrl)],
    ['events', (row) => row.events.join(' ')],
    ['state', (row) => endpointState(row)],
    'failing_since',
    'paused_at',
    'disabled_reason',
    ['recent_attempts', (row) => row.attempts],
    ['recent_succeeded', (row) => row.succeeded],
    'median_ms',
    'waiting',
    ['waiting_since', (row) => row.oldest],
  ],
  find: newestOf(ENDPOINTS, (query) => {
    const state = choiceOf(query, 'state', ENDPOINT_STATES)
    return { asked: { state, address: query.address } }
  }),
}

/** An address may be long: pointing at it shows all of it, but for a secret that it may hold. */
export function EndpointLink({
  endpoint,
}: {
  endpoint: Pick<SeenEndpoint, 'accountId' | 'id' | 'targetUrl'>
}) {
  const address = cleanText(endpoint.targetUrl)
  return (
    <a href={endpointPath(endpoint)} title={address}>
      {address}
    </a>
  )
}

type StateFacts = Pick<
  SeenEndpoint,
  'status' | 'pausedAt' | 'failingSince' | 'disabledReason' | 'deletedAt'
>

/** Its state, since when, and why. */
export function EndpointStateWord({ row }: { row: StateFacts }) {
  if (row.deletedAt !== null) return <StatusWord status="deleted" />
  const state = endpointState(row)
  const since = { failing: row.failingSince, paused: row.pausedAt, active: null, disabled: null }
  return (
    <>
      <StatusWord status={state} />
      {since[state] === null ? null : (
        <Below>
          since <At instant={since[state]} />
        </Below>
      )}
      <Below>{row.disabledReason}</Below>
    </>
  )
}

/** How many of its latest attempts succeeded, with the median of their times. */
export function Succeeded({ row: { attempts, succeeded, medianMs } }: { row: SeenEndpoint }) {
  if (attempts === 0) return <span class="quiet">no attempts</span>
  return (
    <span class="number">
      {succeeded} of the last {attempts}
      <Below>median {spanText(medianMs ?? 0)}</Below>
    </span>
  )
}

export function WaitingDeliveries({ row: { waiting, oldest } }: { row: SeenEndpoint }) {
  if (waiting === 0) return <span class="quiet">none</span>
  return (
    <span class="number">
      {waiting < MOST_WAITING ? waiting : `${MOST_WAITING} or more`}
      <Below>
        since <At instant={oldest} />
      </Below>
    </span>
  )
}

export function EventNames({ events }: { events: readonly string[] }) {
  return <>{events.includes('*') ? 'all events' : events.join(', ')}</>
}
