// The actions of operators, the newest first. No page changes or deletes one.

import type { FastifyInstance } from 'fastify'
import { isId } from '../../core/id.ts'
import type { Deed } from '../../generated/client.ts'
import { listDeeds } from '../../operators/deeds.ts'
import { QUEUE_NAMES } from '../../queue/catalogue.ts'
import { answerHtml } from '../../web/html.ts'
import type { World } from '../../world.ts'
import { ConsolePage } from '../layout.tsx'
import { FilterForm, TextField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { At, Id, Table } from '../parts/shown.tsx'
import { pathWith, type QueryParams, queryOf } from '../query.ts'
import { operatorOf } from '../who.ts'

const PATH = '/admin/audit'

const DEEDS_A_PAGE = 50

const HEADS = ['When (UTC)', 'Operator', 'Address', 'Action', 'Target', 'Detail']

export function auditPages(own: FastifyInstance, world: World): void {
  own.get('/audit', { schema: { hide: true } }, async (request, reply) => {
    const query = queryOf(request)
    const before = isId(query.before ?? '') ? query.before : undefined
    const { operator, subject } = query
    // One more than is shown, to know whether there are older ones.
    const found = await listDeeds(world, DEEDS_A_PAGE + 1, { operator, subject, before })
    return answerHtml(
      reply,
      <ConsolePage title="Audit" place="audit" operator={operatorOf(request)}>
        <p class="quiet">
          What operators did, here and on the queue board. Entries are never changed or removed.
        </p>
        <Search query={query} />
        <Deeds deeds={found.slice(0, DEEDS_A_PAGE)} />
        <Pages query={query} found={found} />
      </ConsolePage>,
    )
  })
}

function Search({ query }: { query: QueryParams }) {
  const { operator, subject } = query
  return (
    <FilterForm path={PATH} isFiltered={operator !== undefined || subject !== undefined}>
      <TextField name="operator" label="Operator" value={operator} />
      <TextField
        name="subject"
        label="Target"
        value={subject}
        hint="A whole id, or the name of a queue."
      />
    </FilterForm>
  )
}

function Deeds({ deeds }: { deeds: readonly Deed[] }) {
  return (
    <Table title="Actions" heads={HEADS} isEmpty={deeds.length === 0} whenEmpty="No actions match.">
      {deeds.map((deed) => (
        <tr key={deed.id}>
          <td>
            <At instant={deed.createdAt} />
          </td>
          <td>
            <a href={pathWith(PATH, {}, { operator: deed.operator })}>{deed.operator}</a>
          </td>
          <td class="number quiet">{deed.address}</td>
          <td>{deed.deed}</td>
          <td>
            <Subject of={deed} />
          </td>
          <td>
            <Detail of={deed} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** The target of the action, with a link to all actions on it. */
function Subject({ of }: { of: Deed }) {
  const { subject } = of
  if (subject === null) return <span class="quiet">–</span>
  const path = subjectPath(of)
  const short = <Short value={subject} />
  return (
    <>
      {path === undefined ? short : <a href={path}>{short}</a>}{' '}
      <a class="quiet" href={pathWith(PATH, {}, { subject })}>
        history
      </a>
    </>
  )
}

function Detail({ of: { detail } }: { of: Deed }) {
  return (
    <>
      {Object.entries(detail ?? {}).map(([name, value], at) => (
        <span key={name}>
          {at === 0 ? '' : ', '}
          <span class="quiet">{name}</span> <Short value={String(value ?? 'none')} />
        </span>
      ))}
    </>
  )
}

function Short({ value }: { value: string }) {
  return isId(value) ? <Id id={value} /> : <span>{value}</span>
}

function Pages({ query, found }: { query: QueryParams; found: readonly Deed[] }) {
  const shown = found.slice(0, DEEDS_A_PAGE)
  const isFirst = query.before === undefined
  if (isFirst && found.length <= DEEDS_A_PAGE) return null
  const older = found.length > DEEDS_A_PAGE ? shown.at(-1)?.id : undefined
  return (
    <Pager
      shown={isFirst ? `The newest ${shown.length}` : `${shown.length} older ones`}
      newer={isFirst ? undefined : pathWith(PATH, query, { before: undefined })}
      older={older === undefined ? undefined : pathWith(PATH, query, { before: older })}
    />
  )
}

/** By the first word of the action: the target of `schedule paused` is a schedule. */
const OF_AN_ACCOUNT: Readonly<Record<string, string>> = {
  batch: '/admin/batches',
  payment: '/admin/transactions',
  refund: '/admin/transactions',
  schedule: '/admin/schedules',
  transaction: '/admin/transactions',
  void: '/admin/transactions',
  'void-or-refund': '/admin/transactions',
}

/** The page of what a deed was done to, as far as there is one. */
export function subjectPath(of: Pick<Deed, 'deed' | 'subject' | 'detail'>): string | undefined {
  const { subject } = of
  if (QUEUE_NAMES.some((name) => name === subject)) return `/admin/queues/queue/${subject}`
  if (subject === null || !isId(subject)) return undefined
  const [first = ''] = of.deed.split(' ')
  const { account, team } = of.detail as Readonly<Record<string, unknown>>
  if (first === 'team') return `/admin/teams/${subject}`
  if (first === 'key' && isIdText(team)) return `/admin/teams/${team}/keys/${subject}`
  const place = Object.hasOwn(OF_AN_ACCOUNT, first) ? OF_AN_ACCOUNT[first] : undefined
  return place === undefined || !isIdText(account) ? undefined : `${place}/${account}/${subject}`
}

function isIdText(value: unknown): value is string {
  return typeof value === 'string' && isId(value)
}
