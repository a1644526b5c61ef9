// The Needs attention pages: work that failed for good and needs a person's decision. Each action
// returns to its page.

import type { FastifyInstance } from 'fastify'
import { OperatorError } from '../../accounts/operator-error.ts'
import {
  DELIVERY_CHANNELS,
  PARKED_DELIVERY_REASONS,
  type ParkedReason,
} from '../../core/delivery.ts'
import { isId } from '../../core/id.ts'
import { parseInstant } from '../../core/instant.ts'
import { closeAll, closeNamed, redrive, redriveAll } from '../../deliveries/parked.ts'
import {
  askPaymentAgain,
  decidePayment,
  type PaymentDecision,
} from '../../operators/decide-payment.ts'
import { writeDeed } from '../../operators/deeds.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import { changeWebhook } from '../../webhooks/change-webhook.ts'
import type { World } from '../../world.ts'
import { ConsolePage } from '../layout.tsx'
import { parkedPage } from '../parked/page.tsx'
import { queryOf } from '../query.ts'
import { operatorOf } from '../who.ts'

const HIDDEN = { schema: { hide: true } }

interface OfOne {
  readonly Params: { readonly account: string; readonly id: string }
}

export function parkedPages(own: FastifyInstance, world: World): void {
  own.get('/parked', HIDDEN, async (request, reply) => {
    const operator = operatorOf(request)
    const page = await parkedPage(world, queryOf(request), operator)
    return answerHtml(
      reply,
      <ConsolePage title="Needs attention" place="parked" operator={operator}>
        {page}
      </ConsolePage>,
    )
  })
  paymentRoutes(own, world)
  deliveryRoutes(own, world)
  own.post<OfOne>('/parked/endpoints/:account/:id/enable', HIDDEN, async (request, reply) => {
    const { accountId, id } = keyOf(request.params)
    await changeWebhook(world, accountId, id, { status: 'active' })
    // Written right after the change, which also has an event of its own.
    await writeDeed(world, operatorOf(request), {
      deed: 'endpoint enabled',
      subject: id,
      detail: { account: accountId },
    })
    return reply.redirect('/admin/parked?kind=endpoint', 303)
  })
}

function paymentRoutes(own: FastifyInstance, world: World): void {
  own.post<OfOne>('/parked/:account/:id/ask', HIDDEN, async (request, reply) => {
    const key = keyOf(request.params)
    await askPaymentAgain(world, operatorOf(request), key)
    return reply.redirect(`/admin/transactions/${key.accountId}/${key.id}`, 303)
  })
  for (const [path, read] of Object.entries(DECISIONS)) {
    own.post<OfOne>(`/parked/:account/:id/${path}`, HIDDEN, async (request, reply) => {
      const key = keyOf(request.params)
      const form = formOf(request)
      const decision = read(form)
      await decidePayment(world, operatorOf(request), key, decision, said(form, 'reason'))
      return reply.redirect(`/admin/transactions/${key.accountId}/${key.id}`, 303)
    })
  }
}

const DECISIONS: Readonly<Record<string, (form: Form) => PaymentDecision>> = {
  made: (form) => ({ made: true, authId: said(form, 'reference') }),
  'never-made': () => ({ made: false }),
}

interface Act {
  /** The word in the audit entry, for one or for several. */
  readonly done: string
  readonly all: typeof redriveAll
  readonly named: typeof redrive
  /** Parked for this reason, they cannot be retried all at once. */
  readonly spares?: ParkedReason
  readonly unless: string
}

const ACTS: Readonly<Record<string, Act>> = {
  again: {
    done: 'tried again',
    all: redriveAll,
    named: redrive,
    spares: 'opted_out',
    unless: 'is not parked, or its event is deleted',
  },
  close: {
    done: 'closed',
    all: closeAll,
    named: closeNamed,
    unless: 'is not parked, or is closed',
  },
}

/** The changes are commits of their own, chunk by chunk, so the audit entry follows them. */
function deliveryRoutes(own: FastifyInstance, world: World): void {
  for (const [path, { done, all, named, spares, unless }] of Object.entries(ACTS)) {
    own.post(`/parked/deliveries/${path}`, HIDDEN, async (request, reply) => {
      const filter = seenOf(formOf(request))
      const { channel, reason } = filter
      if (reason === spares) throw BROKEN
      const detail = { channel, reason, count: await all(world, filter) }
      await writeDeed(world, operatorOf(request), { deed: `deliveries ${done}`, detail })
      return reply.redirect(`/admin/parked?kind=${channel}`, 303)
    })
    own.post<OfOne>(`/parked/deliveries/:account/:id/${path}`, HIDDEN, async (request, reply) => {
      const { accountId, id } = keyOf(request.params)
      const [found] = await world.db.prisma.delivery.findMany({
        where: { accountId, id },
        select: { channel: true },
      })
      if ((await named(world, [{ accountId, id }])) === 0)
        throw new OperatorError(`${id} ${unless}`)
      const detail = { account: accountId }
      await writeDeed(world, operatorOf(request), { deed: `delivery ${done}`, subject: id, detail })
      const closed = formOf(request).closed === 'yes' ? '&closed=yes' : ''
      return reply.redirect(`/admin/parked?kind=${found?.channel ?? 'email'}${closed}`, 303)
    })
  }
}

/** The filter of the page on which the button was pressed. */
function seenOf({ channel: named, reason: why, until: instant = '' }: Form) {
  const channel = DELIVERY_CHANNELS.find((one) => one === named)
  const reason = PARKED_DELIVERY_REASONS.find((one) => one === why)
  const until = parseInstant(instant)
  if (channel === undefined || reason === undefined || until === undefined) throw BROKEN
  return { channel, reason, until }
}

const BROKEN = new PageRefusal(400, 'The form is incomplete', 'Open the page again.')

const LONGEST = 200

function said(form: Form, name: string): string {
  const text = (form[name] ?? '').replaceAll('\0', '').trim().slice(0, LONGEST)
  if (text === '') throw new PageRefusal(400, 'Something is missing', `Enter the ${name} too.`)
  return text
}

function keyOf({ account, id }: OfOne['Params']) {
  if (isId(account) && isId(id)) return { accountId: account, id }
  throw new PageRefusal(404, 'Not found', 'There is no page at this address.')
}
