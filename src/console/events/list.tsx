// The list of the events of all teams.

import { firstIdAt, isId, msOfId } from '../../core/id.ts'
import { MINUTE } from '../../core/time-units.ts'
import { type RowOwner, readNewest, readNewestWithin } from '../../db/newest-anywhere.ts'
import { EVENT_NAMES, WEBHOOK_TEST } from '../../events/event-names.ts'
import { SEEN_EVENTS, type SeenEvent } from '../../events/events-anywhere.ts'
import type { World } from '../../world.ts'
import { cursorOf, newestFirstOf, newestWithin } from '../parts/found-rows.ts'
import { OWNER_COLUMNS } from '../parts/list-file.tsx'
import { type ListPage, TEAM_FILTER } from '../parts/list-page.tsx'
import { At, EventName, Id, TeamAndMode } from '../parts/shown.tsx'
import { BY_TIME, sortingOf } from '../parts/sorting.ts'
import { accountsAsked, choiceOf, pathWith, type QueryParams } from '../query.ts'

const EVENTS_PATH = '/admin/events'

const PAGE_ROWS = 50

const TYPES = [...EVENT_NAMES, WEBHOOK_TEST] as const

export const EVENT_LIST: ListPage<SeenEvent & RowOwner> = {
  title: 'Events',
  place: 'events',
  intro: () => 'Every visible change, as it is written for webhook endpoints.',
  filters: [
    { kind: 'choice', name: 'type', label: 'Type', choices: TYPES },
    { kind: 'text', name: 'resource', label: 'Resource', placeholder: 'Its id' },
    { kind: 'text', name: 'request', label: 'Request', placeholder: 'Its id' },
    TEAM_FILTER,
  ],
  rowsTitle: 'Events',
  columns: [
    { head: 'When (UTC)', sort: 'created_at', cell: (row) => <At instant={row.createdAt} /> },
    {
      head: 'Event',
      isMain: true,
      cell: (row) => (
        <a href={eventPath(row)}>
          <EventName of={row.type} />
        </a>
      ),
    },
    { head: 'Resource', cell: (row) => <Id id={row.resourceId} to={resourcePath(row)} /> },
    { head: 'Sequence', isNamed: true, class: 'number', cell: (row) => row.sequence },
    { head: 'Team', cell: (row) => <TeamAndMode team={row.teamName} mode={row.mode} /> },
    { head: 'Request', class: 'says', cell: (row) => <Id id={row.requestId} /> },
  ],
  keyOf: ({ id }) => id,
  accountOf: ({ accountId }) => accountId,
  whenEmpty: 'Nothing has happened yet.',
  file: [
    ['id', (row) => row.id],
    ['created_at', (row) => row.createdAt],
    ...OWNER_COLUMNS,
    ['type', (row) => row.type],
    ['resource_id', (row) => row.resourceId],
    ['sequence', (row) => row.sequence],
    ['request_id', (row) => row.requestId],
  ],
  find,
}

export function eventPath({ accountId, id }: Pick<SeenEvent, 'accountId' | 'id'>): string {
  return `${EVENTS_PATH}/${accountId}/${id}`
}

/** The search knows where each kind of resource is shown. */
export function resourcePath({ accountId, type, resourceId }: SeenEvent): string {
  if (/^(create|update)_transaction/.test(type)) {
    return `/admin/transactions/${accountId}/${resourceId}`
  }
  return pathWith('/admin/search', {}, { q: resourceId })
}

/** Callers may name their requests by ids of another version, which hold no time. */
const OF_OURS = /^.{14}7/

/** Most of what a request has changed, it has changed within this time. */
const REQUEST_MS = 2 * MINUTE

async function find(world: World, query: QueryParams, rows = PAGE_ROWS) {
  const { accounts, fault } = await accountsAsked(world, query)
  const filter = {
    accountIds: accounts?.map(({ id }) => id),
    before: cursorOf(query),
    most: rows + 1,
  }
  const { resource, request } = query
  const asked = { type: choiceOf(query, 'type', TYPES), resource, request }
  const faults = fault === undefined ? {} : { team: fault }
  if (request !== undefined && OF_OURS.test(request) && isId(request)) {
    const read = await readNewest(
      world,
      SEEN_EVENTS,
      { ...filter, ...soonAfter(request, filter) },
      {
        ...asked,
        request: request.toLowerCase(),
      },
    )
    const note =
      'A request is searched for in the two minutes after it. Later events of a payment are found by its own id.'
    return { ...newestFirstOf(EVENTS_PATH, query, read, rows), faults, note }
  }
  const isIndexed = resource !== undefined || (asked.type ?? request) === undefined
  if (isIndexed) {
    const { direction } = sortingOf(query, BY_TIME)
    const read = await readNewest(world, SEEN_EVENTS, { ...filter, direction }, asked)
    return { ...newestFirstOf(EVENTS_PATH, query, read, rows), faults, sorts: BY_TIME }
  }
  const read = await readNewestWithin(world, SEEN_EVENTS, filter, asked)
  return { ...newestWithin(EVENTS_PATH, query, read, rows), faults }
}

/** Ids hold their time, so the events of a request are within a range of ids. */
function soonAfter(request: string, { before }: { readonly before: string | undefined }) {
  const [since, end] = [0, REQUEST_MS].map((ms) => firstIdAt(new Date(msOfId(request) + ms)))
  return { since, before: before === undefined || (end ?? '') < before ? end : before }
}
