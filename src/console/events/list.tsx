// The list of the events of all teams.

import { firstIdAt, isId, msOfId } from '../../core/id.ts'
import { MINUTE } from '../../core/time-units.ts'
import type { RowOwner } from '../../db/newest-anywhere.ts'
import { EVENT_NAMES, WEBHOOK_TEST } from '../../events/event-names.ts'
import { SEEN_EVENTS, type SeenEvent } from '../../events/events-anywhere.ts'
import { cursorOf } from '../parts/found-rows.ts'
import type { ListPage } from '../parts/list-page.tsx'
import { newestOf, OWNED_COLUMNS, TEAM_COLUMN, TEAM_FILTER } from '../parts/rows-of-teams.tsx'
import { EventName, Id } from '../parts/shown.tsx'
import { eventPath, SEARCH_PATH, transactionPath } from '../paths.ts'
import { choiceOf, pathWith } from '../query.ts'

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
  columns: [
    { head: 'When (UTC)', sort: 'created_at', cell: (row) => row.createdAt },
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
    { head: 'Sequence', named: true, class: 'number', cell: (row) => row.sequence },
    TEAM_COLUMN,
    { head: 'Request', class: 'says', cell: (row) => <Id id={row.requestId} /> },
  ],
  isInAccountTime: true,
  whenEmpty: 'Nothing has happened yet.',
  file: [...OWNED_COLUMNS, 'type', 'resource_id', 'sequence', 'request_id'],
  find: newestOf(SEEN_EVENTS, (query) => {
    const { resource, request } = query
    const asked = { type: choiceOf(query, 'type', TYPES), resource, request }
    if (request !== undefined && OF_OURS.test(request) && isId(request)) {
      const span = soonAfter(request, cursorOf(query))
      return { asked: { ...asked, request: request.toLowerCase() }, span, note: WHEN_SEARCHED }
    }
    return { asked, isIndexed: resource !== undefined || (asked.type ?? request) === undefined }
  }),
}

/** The search knows where each kind of resource is shown. */
export function resourcePath({ accountId, type, resourceId }: SeenEvent): string {
  if (/^(create|update)_transaction/.test(type)) {
    return transactionPath({ accountId, id: resourceId })
  }
  return pathWith(SEARCH_PATH, {}, { q: resourceId })
}

/** Callers may name their requests by ids of another version, which hold no time. */
const OF_OURS = /^.{14}7/

/** Most of what a request has changed, it has changed within this time. */
const REQUEST_MS = 2 * MINUTE

const WHEN_SEARCHED =
  'A request is searched for in the two minutes after it. Later events of a payment are found by its own id.'

/** Ids hold their time, so the events of a request are within a range of ids. */
function soonAfter(request: string, before: string | undefined) {
  const [since, end] = [0, REQUEST_MS].map((ms) => firstIdAt(new Date(msOfId(request) + ms)))
  return { since, before: before === undefined || (end ?? '') < before ? end : before }
}
