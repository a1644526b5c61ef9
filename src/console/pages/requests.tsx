// The requests of the last day, the newest first: which key sent which request, and the answer.

import { isId } from '../../core/id.ts'
import type { RowOwner } from '../../db/newest-anywhere.ts'
import {
  ANSWER_KINDS,
  type ListedRequest,
  RECENT_REQUESTS,
} from '../../operators/recent-requests.ts'
import type { ListPage } from '../parts/list-page.tsx'
import { newestOf, OWNER_COLUMNS, TEAM_COLUMN, TEAM_FILTER } from '../parts/rows-of-teams.tsx'
import { Below, LongLink, LongText } from '../parts/shown.tsx'
import { REQUESTS_PATH, SEARCH_PATH } from '../paths.ts'
import { choiceOf, pathWith } from '../query.ts'

type ShownRequest = ListedRequest & RowOwner

export const REQUEST_LIST: ListPage<ShownRequest> = {
  title: 'Requests',
  place: 'requests',
  intro: () =>
    'The requests of the last day, without their bodies. ' +
    'Of a key with more than a hundred a minute, some are left out.',
  isUnlogged: true,
  hiddenFilters: ['key'],
  filters: [
    TEAM_FILTER,
    {
      kind: 'choice',
      name: 'answer',
      label: 'Answer',
      choices: [
        ['done', 'succeeded'],
        ['refused', 'refused (4xx)'],
        ['failed', 'failed (5xx)'],
      ],
    },
    { kind: 'text', name: 'request', label: 'Request id', type: 'search' },
  ],
  columns: [
    { head: 'When (UTC)', sort: 'created_at', cell: (row) => row.at },
    {
      head: 'Request',
      isMain: true,
      cell: (row) => (
        <>
          {row.method} {row.path}
          <span class="below">
            <a href={pathWith(SEARCH_PATH, {}, { q: row.requestId })} title="What it caused">
              <code>
                <LongText text={row.requestId} />
              </code>
            </a>
          </span>
        </>
      ),
    },
    { head: 'Answer', cell: (row) => <Answer of={row} /> },
    { head: 'Time', class: 'number', cell: (row) => `${row.ms} ms` },
    TEAM_COLUMN,
    {
      head: 'Key',
      cell: (row) => (
        <LongLink
          to={pathWith(REQUESTS_PATH, {}, { key: row.keyId })}
          text={row.keyName || 'deleted'}
        />
      ),
    },
  ],
  whenEmpty: 'There was no request in the last day.',
  file: [
    'request_id',
    'at',
    ...OWNER_COLUMNS,
    'method',
    'path',
    'status',
    'error',
    'ms',
    'key_id',
    'key_name',
  ],
  find: newestOf(RECENT_REQUESTS, (query) => {
    const answer = choiceOf(query, 'answer', ANSWER_KINDS)
    const keyId = isId(query.key ?? '') ? query.key : undefined
    const requestId = query.request
    // Only those that succeeded, of all keys, have no index.
    const isIndexed = answer !== 'done' || (keyId ?? requestId) !== undefined
    return { asked: { answer, keyId, requestId }, isIndexed }
  }),
}

function Answer({ of: { status, error, message } }: { of: ShownRequest }) {
  const tone = status < 400 ? 'good' : status < 500 ? 'wait' : 'bad'
  return (
    <>
      <span class={`word ${tone}`}>{status}</span>
      <Below>{error}</Below>
      <Below>{message}</Below>
    </>
  )
}
