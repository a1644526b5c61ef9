// The Needs attention page: the count of each kind, and one kind in full.

import { grouped } from '../../core/counts.ts'
import { listDeliveries } from '../../deliveries/find-deliveries.ts'
import { listParkedPayments } from '../../operators/list-parked-payments.ts'
import type { AttentionKind, AttentionRows } from '../../upkeep/due-by-kind.ts'
import type { World } from '../../world.ts'
import { DISPUTES_TO_ANSWER } from '../pages/disputes.tsx'
import { UnknownFilters } from '../parts/fields.tsx'
import { PARKED_PATH, SCHEDULES_PATH } from '../paths.ts'
import { choiceOf, notAChoice, type QueryParams } from '../query.ts'
import { ParkedDeliveries } from './deliveries.tsx'
import { ParkedPayments, StoppedEndpoints } from './lists.tsx'
import { MOST_SHOWN, reasonsOf, stoppedEndpoints } from './read-parked.ts'

const KINDS = ['payment', 'email', 'sms', 'webhook', 'endpoint'] as const

type Kind = (typeof KINDS)[number]

const WORDS: Readonly<Record<Kind, string>> = {
  payment: 'Payments to review',
  email: 'Failed e-mails',
  sms: 'Failed SMS',
  webhook: 'Failed webhooks',
  endpoint: 'Endpoints that take nothing',
}

/** Listed on pages of their own. */
const ELSEWHERE = [
  ['schedule', 'Schedules', `${SCHEDULES_PATH}?state=parked`],
  ['dispute', 'Disputes to answer', DISPUTES_TO_ANSWER],
] as const

/** The page that lists all that needs attention now, if this one would show nothing of it. */
export function elsewhereOnly(counted: readonly AttentionRows[]): string | undefined {
  if (KINDS.some((kind) => countIn(counted, kind) > 0)) return undefined
  return ELSEWHERE.find(([kind]) => countIn(counted, kind) > 0)?.[2]
}

function countIn(counted: readonly AttentionRows[], kind: AttentionKind): number {
  return counted.find((one) => one.kind === kind)?.count ?? 0
}

export async function parkedPage(
  world: World,
  query: QueryParams,
  counted: readonly AttentionRows[],
) {
  const countOf = (kind: AttentionKind) => countIn(counted, kind)
  const fullest = KINDS.find((kind) => countOf(kind) > 0) ?? 'payment'
  const shown = choiceOf(query, 'kind', KINDS) ?? fullest
  const tabs = [
    ...KINDS.map((kind) => [kind, WORDS[kind], `${PARKED_PATH}?kind=${kind}`] as const),
    // Few services ever have any of these.
    ...ELSEWHERE.filter(([kind]) => kind === 'dispute' || countOf(kind) > 0),
  ].map(([name, words, path]) => ({ name, words, path, count: countOf(name) }))
  return (
    <>
      {query.kind === undefined || query.kind === shown ? null : (
        <p class="note">{notAChoice(query.kind)}</p>
      )}
      <UnknownFilters query={query} known={['kind', 'closed']} />
      <Tabs title="Kinds" tabs={tabs} shown={shown} />
      {await listOf(world, shown, countOf(shown), query.closed === 'yes')}
    </>
  )
}

async function listOf(world: World, kind: Kind, count: number, isDismissed: boolean) {
  switch (kind) {
    case 'payment':
      return (
        <ParkedPayments
          asOf={world.clock.now()}
          rows={await listParkedPayments(world, MOST_SHOWN)}
          count={count}
        />
      )
    case 'endpoint':
      return <StoppedEndpoints rows={await stoppedEndpoints(world)} />
    case 'email':
    case 'sms':
    case 'webhook': {
      const asOf = world.clock.now()
      const filter = { status: 'parked', isDismissed, channel: kind, limit: MOST_SHOWN } as const
      const [rows, reasons] = await Promise.all([
        listDeliveries(world, filter),
        isDismissed ? [] : reasonsOf(world, kind),
      ])
      const keptDays = world.config.deliveryRetentionDays
      const shown = { rows, reasons, keptDays, asOf, isDismissed }
      return <ParkedDeliveries channel={kind} {...shown} />
    }
  }
}

interface Tab {
  readonly name: string
  readonly words: string
  readonly path: string
  readonly count: number
}

/** The tabs of the page, each with its count. */
function Tabs({ tabs, shown, title }: { tabs: readonly Tab[]; shown: string; title: string }) {
  return (
    <nav class="tabs" aria-label={title}>
      {tabs.map(({ name, words, path, count }) => (
        <a key={name} class="tab" href={path} aria-current={name === shown ? 'page' : undefined}>
          <span class={count > 0 ? 'count' : 'count none'}>{grouped(count)}</span>
          <span>{words}</span>
        </a>
      ))}
    </nav>
  )
}
