// The actions of operators, the newest first. No page changes or deletes one.

import { isId, isLinkId } from '../../core/id.ts'
import type { AuditEntry } from '../../generated/client.ts'
import { listAuditEntries } from '../../operators/audit-entries.ts'
import { QUEUE_NAMES } from '../../queue/catalogue.ts'
import { cursorOf, newestFirstOf, ROWS_A_PAGE } from '../parts/found-rows.ts'
import { DATE_FILTERS, type ListPage } from '../parts/list-page.tsx'
import { Dash, Id, LongLink } from '../parts/shown.tsx'
import { BY_TIME, sortingOf } from '../parts/sorting.ts'
import {
  AUDIT_PATH,
  endpointPath,
  keyPath,
  OBJECT_PATHS,
  operatorPath,
  queuePath,
  teamPath,
  transactionPath,
} from '../paths.ts'
import { pathWith, queriedSpan } from '../query.ts'

export const AUDIT_LIST: ListPage<AuditEntry> = {
  title: 'Audit',
  place: 'audit',
  intro: () =>
    'What operators did, here and on the queue board. Entries are never changed or removed.',
  filters: [
    { kind: 'text', name: 'operator', label: 'Operator', hint: 'A name, or its beginning.' },
    {
      kind: 'text',
      name: 'subject',
      label: 'Target',
      hint: 'An id, short or whole, the name of a queue, or the beginning of either.',
    },
    ...DATE_FILTERS,
  ],
  rowsTitle: 'Actions',
  columns: [
    { head: 'When (UTC)', sort: 'created_at', cell: (entry) => entry.createdAt },
    {
      head: 'Operator',
      cell: ({ operator }) => (
        <LongLink to={pathWith(AUDIT_PATH, {}, { operator })} text={operator} />
      ),
    },
    { head: 'Address', class: 'number quiet', cell: (entry) => entry.address },
    { head: 'Action', isMain: true, cell: (entry) => entry.action },
    { head: 'Target', cell: (entry) => <Subject of={entry} /> },
    { head: 'Detail', class: 'detail', cell: (entry) => <Detail of={entry} /> },
  ],
  whenEmpty: 'There are no actions yet.',
  file: ['id', 'created_at', 'operator', 'address', 'action', 'subject', 'detail'],
  find: async (world, query, rows = ROWS_A_PAGE) => {
    const { operator, subject } = query
    const [span, before] = [queriedSpan(query), cursorOf(query)]
    const search = { operator, subject, span, before, ...sortingOf(query, BY_TIME) }
    const read = await listAuditEntries(world, rows + 1, search)
    return { ...newestFirstOf(query, read, rows), sorts: BY_TIME }
  },
}

/** The target of the action, with a link to all actions on it. */
function Subject({ of }: { of: AuditEntry }) {
  const { subject } = of
  if (subject === null) return <Dash />
  const path = subjectPath(of)
  const short = <Short value={subject} />
  return (
    <>
      {path === undefined ? short : <a href={path}>{short}</a>}{' '}
      <a class="quiet" href={pathWith(AUDIT_PATH, {}, { subject })}>
        history
      </a>
    </>
  )
}

function Detail({ of: { detail } }: { of: AuditEntry }) {
  return (
    <>
      {Object.entries(detail ?? {}).map(([name, value], at) => (
        <span key={name}>
          {at === 0 ? '' : ', '}
          <span class="quiet">{name}</span> <Short value={String(value ?? '') || 'none'} />
        </span>
      ))}
    </>
  )
}

function Short({ value }: { value: string }) {
  return isId(value) ? <Id id={value} /> : <span>{value}</span>
}

/** By the first words of the action: the target of `schedule paused` is a schedule. */
const OF_AN_ACCOUNT: Readonly<Record<string, typeof transactionPath>> = {
  ...OBJECT_PATHS,
  capture: transactionPath,
  decision: transactionPath,
  endpoint: endpointPath,
  events: endpointPath,
  gateway: transactionPath,
  payment: transactionPath,
  receipt: transactionPath,
  refund: transactionPath,
  void: transactionPath,
  'void-or-refund': transactionPath,
}

/** The first words of actions on an operator: `second factor reset`. */
const OF_OPERATORS: ReadonlySet<string> = new Set(['operator', 'password', 'second'])

/** The page of what an action was done to, as far as there is one. */
export function subjectPath(
  of: Pick<AuditEntry, 'action' | 'subject' | 'detail'>,
): string | undefined {
  const { subject } = of
  if (subject === null) return undefined
  if (QUEUE_NAMES.some((name) => name === subject)) return queuePath(subject)
  if (!isId(subject) && !isLinkId(subject)) return undefined
  const [first = ''] = of.action.split(' ')
  const { account, team } = of.detail as Readonly<Record<string, unknown>>
  if (OF_OPERATORS.has(first)) return operatorPath(subject)
  if (first === 'team') return teamPath(subject)
  if (first === 'key' && isId(team)) return keyPath(team, subject)
  const kind = of.action.startsWith('payment link ') ? 'payment link' : first
  const pathOf = Object.hasOwn(OF_AN_ACCOUNT, kind) ? OF_AN_ACCOUNT[kind] : undefined
  return isId(account) ? pathOf?.({ accountId: account, id: subject }) : undefined
}
