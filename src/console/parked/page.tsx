// The Needs attention page: work that failed for good and needs a person's decision. It shows the
// count of each kind, and one kind in full. Each action returns to its page.

import type { FastifyInstance } from 'fastify'
import { counted, grouped } from '../../core/counts.ts'
import { parseInstant } from '../../core/instant.ts'
import { askAllPaymentsAgain } from '../../operators/decide-payment.ts'
import {
  type AttentionKind,
  type AttentionRows,
  attentionByKind,
} from '../../upkeep/due-by-kind.ts'
import { formOf } from '../../web/forms.ts'
import { incompleteForm } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone, takeDone } from '../done.ts'
import { DISPUTES_TO_ANSWER } from '../pages/disputes.tsx'
import { Notes } from '../parts/fields.tsx'
import { DELIVERIES_PATH, PARKED_PATH, SCHEDULES_PATH } from '../paths.ts'
import { choiceOf, notAChoice, type QueryParams, queryOf, unknownNotes } from '../query.ts'
import { writeChunkEntry } from '../who.ts'
import { ASK_ALL_PATH, endpointsThatTakeNothing, parkedPayments } from './lists.tsx'

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

const KINDS = ['payment', 'endpoint'] as const

type Kind = (typeof KINDS)[number]

const WORDS: Readonly<Record<Kind, string>> = {
  payment: 'Payments to review',
  endpoint: 'Endpoints that take nothing',
}

/** Listed on pages of their own. */
const ELSEWHERE = [
  ['email', 'Failed e-mails', `${DELIVERIES_PATH}?state=failed&channel=email`],
  ['sms', 'Failed SMS', `${DELIVERIES_PATH}?state=failed&channel=sms`],
  ['webhook', 'Failed webhooks', `${DELIVERIES_PATH}?state=failed&channel=webhook`],
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
    // Few services ever have such schedules.
    ...ELSEWHERE.filter(([kind]) => kind !== 'schedule' || countOf(kind) > 0),
  ].map(([name, words, path]) => ({ name, words, path, count: countOf(name) }))
  return (
    <>
      {query.kind === undefined || query.kind === shown ? null : (
        <p class="note">{notAChoice(query.kind)}</p>
      )}
      <Notes all={unknownNotes(query, ['kind'])} />
      <nav class="tabs" aria-label="Kinds">
        {tabs.map(({ name, words, path, count }) => (
          <a key={name} class="tab" href={path} aria-current={name === shown ? 'page' : undefined}>
            <span class={count > 0 ? 'count' : 'count none'}>{grouped(count)}</span>
            <span>{words}</span>
          </a>
        ))}
      </nav>
      {shown === 'payment'
        ? await parkedPayments(world, countOf(shown))
        : await endpointsThatTakeNothing(world)}
    </>
  )
}
