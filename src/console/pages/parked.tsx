// The Needs attention pages: work that failed for good and needs a person's decision. Each action
// returns to its page.

import type { FastifyInstance } from 'fastify'
import { counted } from '../../core/counts.ts'
import {
  DELIVERY_CHANNELS,
  PARKED_DELIVERY_REASONS,
  type ParkedReason,
} from '../../core/delivery.ts'
import { isId } from '../../core/id.ts'
import { parseInstant } from '../../core/instant.ts'
import { dismissAll, dismissNamed, retryAll, retryNamed } from '../../deliveries/parked.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { askAllPaymentsAgain } from '../../operators/decide-payment.ts'
import { attentionByKind } from '../../upkeep/due-by-kind.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { incompleteForm, PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import type { ObjectParams, ObjectRoute } from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone, takeDone } from '../done.ts'
import { ASK_ALL_PATH } from '../parked/lists.tsx'
import { elsewhereOnly, parkedPage } from '../parked/page.tsx'
import { DELIVERY_ACTIONS } from '../parked/read-parked.ts'
import { DELIVERIES_PATH, deliveryPath, PARKED_PATH } from '../paths.ts'
import { accountsAsked, pathWith, queryOf } from '../query.ts'
import { operatorOf, writeChunkEntry } from '../who.ts'

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

/** All are changed chunk by chunk, each with its audit entry in the same commit. */
function deliveryRoutes(own: FastifyInstance, world: World): void {
  for (const { segment, done, outcome, runAll, runNamed, notInBulk, none, refusal } of ACTIONS) {
    own.post(`/parked/deliveries/${segment}`, async (request, reply) => {
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
    })
    own.post<ObjectRoute>(`/parked/deliveries/:account/:id/${segment}`, async (request, reply) => {
      const { accountId, id } = keyOf(request.params)
      const [found] = await world.db.prisma.delivery.findMany({
        where: { accountId, id },
        select: { channel: true },
      })
      if (found === undefined) throw NO_DELIVERY
      const count = await runNamed(world, [{ accountId, id }])
      if (count > 0) {
        await writeAuditEntry(world, operatorOf(request), {
          action: `delivery ${done}`,
          subject: id,
          detail: { account: accountId },
        })
      }
      const { closed, from } = formOf(request)
      const list = `${PARKED_PATH}?kind=${found.channel}`
      const backTo =
        from === 'delivery'
          ? deliveryPath({ accountId, id })
          : `${list}${closed === 'yes' ? '&closed=yes' : ''}`
      return redirectDone(world, reply, backTo, count === 0 ? refusal : doneWords(count, outcome))
    })
  }
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

function keyOf({ account, id }: ObjectParams) {
  if (isId(account) && isId(id)) return { accountId: account, id }
  throw new PageRefusal(404, 'Not found', 'There is no page at this address.')
}
