// The Needs attention page: work that failed for good and needs a person's decision. It shows the
// count of each kind, and one kind in full. Each action returns to its page.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { counted, grouped } from '../../core/counts.ts'
import {
  DELIVERY_CHANNELS,
  PARKED_DELIVERY_REASONS,
  type ParkedReason,
} from '../../core/delivery.ts'
import { isId } from '../../core/id.ts'
import { parseInstant } from '../../core/instant.ts'
import type { RowKey } from '../../db/columns.ts'
import { dismissAll, dismissNamed, retryAll, retryNamed } from '../../deliveries/parked.ts'
import { askAllPaymentsAgain } from '../../operators/decide-payment.ts'
import {
  type AttentionKind,
  type AttentionRows,
  attentionByKind,
} from '../../upkeep/due-by-kind.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { incompleteForm, PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import type { ObjectParams, ObjectRoute } from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone, takeDone } from '../done.ts'
import { DISPUTES_TO_ANSWER } from '../pages/disputes.tsx'
import { UnknownFilters } from '../parts/fields.tsx'
import { DELIVERIES_PATH, deliveryPath, PARKED_PATH, SCHEDULES_PATH } from '../paths.ts'
import {
  accountsAsked,
  choiceOf,
  notAChoice,
  pathWith,
  type QueryParams,
  queryOf,
} from '../query.ts'
import { writeChunkEntry } from '../who.ts'
import { parkedDeliveries } from './deliveries.tsx'
import { ASK_ALL_PATH, endpointsThatTakeNothing, parkedPayments } from './lists.tsx'
import { DELIVERY_ACTIONS } from './read-parked.ts'

export function parkedPages(own: FastifyInstance, world: World): void {
  own.get('/parked', async (request, reply) => {
    const query = queryOf(request)
    const counted = await attentionByKind(world)
    const done = takeDone(world, reply)
    const isOpened = done === undefined && Object.keys(query).length === 0
    const elsewhere = isOpened ? elsewhereOnly(counted) : undefined
    if (elsewhere !== undefined) return reply.redirect(elsewhere, 303)
    const page = await parkedPage(world, query, counted)
    return answerConsole(reply, { title: 'Needs attention', place: 'parked', done }, page)
  })
  paymentRoutes(own, world)
  deliveryRoutes(own, world)
}

function paymentRoutes(own: FastifyInstance, world: World): void {
  own.post(ASK_ALL_PATH.replace('/admin', ''), async (request, reply) => {
    const until = parseInstant(formOf(request).until ?? '')
    if (until === undefined) throw incompleteForm()
    const count = await askAllPaymentsAgain(world, until, (own, count) =>
      writeChunkEntry(own, request, { action: 'gateway asked about all', detail: { count } }),
    )
    const words = `The gateway is asked again about ${counted(count, 'payment')}.`
    return redirectDone(world, reply, PARKED_PATH, words)
  })
}

interface ActionOnDeliveries {
  /** The last part of its address. */
  readonly segment: string
  /** The verb of the audit entry, for one or for several. */
  readonly done: string
  /** The verb of the text for the operator. */
  readonly outcome: string
  readonly runAll: typeof retryAll
  readonly runNamed: typeof retryNamed
  /** Parked for this reason, they cannot be retried all at once. */
  readonly notInBulk?: ParkedReason
  /** If it was none of all. */
  readonly none: string
  /** Why a named one was not changed. */
  readonly refusal: string
}

const ACTIONS: readonly ActionOnDeliveries[] = [
  {
    segment: DELIVERY_ACTIONS.retry,
    done: 'tried again',
    outcome: 'queued for retry',
    runAll: retryAll,
    runNamed: retryNamed,
    notInBulk: 'opted_out',
    none: 'None was retried: their endpoint is disabled, or another operator was quicker.',
    refusal:
      'The delivery can’t be retried: its endpoint is disabled, its event is deleted, or it was ' +
      'retried already.',
  },
  {
    segment: DELIVERY_ACTIONS.dismiss,
    done: 'dismissed',
    outcome: 'dismissed',
    runAll: dismissAll,
    runNamed: dismissNamed,
    none: 'None was left: another operator was quicker.',
    refusal: 'The delivery was not dismissed: it was retried or dismissed already.',
  },
]

function deliveryRoutes(own: FastifyInstance, world: World): void {
  for (const action of ACTIONS) {
    own.post(`/parked/deliveries/${action.segment}`, (_request, reply) =>
      actOnAll(world, reply, action),
    )
    own.post<ObjectRoute>(
      `/parked/deliveries/:account/:id/${action.segment}`,
      ({ params }, reply) => actOnOne(world, reply, action, keyOf(params)),
    )
  }
}

/** All are changed chunk by chunk, each with its audit entry in the same commit. */
async function actOnAll(
  world: World,
  reply: FastifyReply,
  { done, outcome, runAll, notInBulk, none }: ActionOnDeliveries,
): Promise<FastifyReply> {
  const { request } = reply
  const form = formOf(request)
  const filter = await seenOf(world, form)
  const { channel, reason } = filter
  if (reason === notInBulk && reason !== undefined) throw incompleteForm()
  const team = form.team === undefined || form.team === '' ? {} : { team: form.team }
  const of = { channel, ...(reason === undefined ? {} : { reason }), ...team }
  const count = await runAll(world, filter, (own, count) => {
    const entry = { action: `deliveries ${done}`, detail: { ...of, count } }
    return writeChunkEntry(own, request, entry)
  })
  const backTo =
    form.from === 'deliveries'
      ? pathWith(DELIVERIES_PATH, { state: 'failed', channel }, team)
      : `${PARKED_PATH}?kind=${channel}`
  return redirectDone(world, reply, backTo, count === 0 ? none : doneWords(count, outcome))
}

async function actOnOne(
  world: World,
  reply: FastifyReply,
  { done, outcome, runNamed, refusal }: ActionOnDeliveries,
  key: RowKey,
): Promise<FastifyReply> {
  const { request } = reply
  const [found] = await world.db.prisma.delivery.findMany({
    where: key,
    select: { channel: true },
  })
  if (found === undefined) throw NO_DELIVERY
  const detail = { account: key.accountId }
  const entry = { action: `delivery ${done}`, subject: key.id, detail }
  const count = await runNamed(world, [key], (own) => writeChunkEntry(own, request, entry))
  const { closed, from } = formOf(request)
  const list = `${PARKED_PATH}?kind=${found.channel}`
  const backTo =
    from === 'delivery' ? deliveryPath(key) : `${list}${closed === 'yes' ? '&closed=yes' : ''}`
  return redirectDone(world, reply, backTo, count === 0 ? refusal : doneWords(count, outcome))
}

const NO_DELIVERY = new PageRefusal(404, 'Not found', 'There is no such delivery any more.')

function doneWords(count: number, outcome: string): string {
  return `${counted(count, 'delivery is', 'deliveries are')} ${outcome}.`
}

/**
 * The filter of the page on which the button was pressed. Needs attention names a reason. The list
 * of deliveries has all reasons, perhaps of one team.
 */
async function seenOf(world: World, form: Form) {
  const { channel: named, reason: why, until: instant = '', from, team = '' } = form
  const channel = DELIVERY_CHANNELS.find((one) => one === named)
  const reason = PARKED_DELIVERY_REASONS.find((one) => one === why)
  const until = parseInstant(instant)
  if (channel === undefined || until === undefined) throw incompleteForm()
  if (reason === undefined && (from !== 'deliveries' || why !== undefined)) throw incompleteForm()
  if (team === '') return { channel, reason, until }
  const { accountIds, fault } = await accountsAsked(world, { team })
  if (fault !== undefined) throw incompleteForm()
  return { channel, reason, until, accountIds }
}

function keyOf({ account, id }: ObjectParams): RowKey {
  if (isId(account) && isId(id)) return { accountId: account, id }
  throw new PageRefusal(404, 'Not found', 'There is no page at this address.')
}

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
function elsewhereOnly(counted: readonly AttentionRows[]): string | undefined {
  if (KINDS.some((kind) => countIn(counted, kind) > 0)) return undefined
  return ELSEWHERE.find(([kind]) => countIn(counted, kind) > 0)?.[2]
}

function countIn(counted: readonly AttentionRows[], kind: AttentionKind): number {
  return counted.find((one) => one.kind === kind)?.count ?? 0
}

async function parkedPage(world: World, query: QueryParams, counted: readonly AttentionRows[]) {
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
      <nav class="tabs" aria-label="Kinds">
        {tabs.map(({ name, words, path, count }) => (
          <a key={name} class="tab" href={path} aria-current={name === shown ? 'page' : undefined}>
            <span class={count > 0 ? 'count' : 'count none'}>{grouped(count)}</span>
            <span>{words}</span>
          </a>
        ))}
      </nav>
      {await listOf(world, shown, countOf(shown), query.closed === 'yes')}
    </>
  )
}

function listOf(world: World, kind: Kind, count: number, isDismissed: boolean) {
  switch (kind) {
    case 'payment':
      return parkedPayments(world, count)
    case 'endpoint':
      return endpointsThatTakeNothing(world)
    default:
      return parkedDeliveries(world, kind, isDismissed)
  }
}
