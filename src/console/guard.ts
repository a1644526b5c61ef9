// Requires a session for every page, and for every form the session's own token and a role.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { remembered } from '../core/remembered.ts'
import { SECOND } from '../core/time-units.ts'
import { accountClocks } from '../operators/account-clocks.ts'
import { attentionByKind } from '../upkeep/due-by-kind.ts'
import { isReading, wantsPage } from '../web/html.ts'
import type { World } from '../world.ts'
import { answerSignIn } from './sign-in-page.tsx'
import { operatorBehind, operatorOf, refuseByRole, refuseForgedForm } from './who.ts'

/** For every route of the plugin. */
export function requireOperator(own: FastifyInstance, world: World): void {
  const needsAttention = countAttention(world)
  own.addHook('onRequest', async (request, reply) => {
    const operator = await operatorBehind(world, request)
    if (operator === undefined) return answerStranger(world, reply)
    const [count, sandboxTime] = await Promise.all([
      needsAttention(),
      sandboxTimeOf(world, request),
    ])
    const askedAt = world.clock.now()
    request.operator = { ...operator, needsAttention: count, askedAt, sandboxTime }
    // Before the form is read, which may have a picture in it.
    if (!isReading(request.method))
      refuseByRole(operatorOf(request), request.routeOptions.url ?? '')
  })
  own.addHook('preHandler', async (request) => {
    if (!isReading(request.method)) refuseForgedForm(request, operatorOf(request))
  })
}

/** Pages about rows whose instants are an account's own time. Those of messages are real. */
const OF_BUSINESS =
  /^\/admin\/(?:batches|customers|events|invoices|links|schedules|transactions)\/([0-9a-f-]{36})\//

async function sandboxTimeOf(world: World, { url }: FastifyRequest): Promise<Date | undefined> {
  const [, accountId] = OF_BUSINESS.exec(url) ?? []
  if (accountId === undefined) return undefined
  return (await accountClocks(world, [accountId])).get(accountId)
}

const COUNTED_EVERY_MS = 5 * SECOND

/** Counted once for all pages of some seconds. If it cannot be counted, the menu shows no number. */
function countAttention(world: World): () => Promise<number> {
  const counted = remembered(COUNTED_EVERY_MS, async () => {
    const kinds = await attentionByKind(world)
    return kinds.reduce((all, { count }) => all + count, 0)
  })
  return () => counted().catch(() => 0)
}

/** Answers a page with the sign-in, and a script with a status that it recognizes. */
export async function answerStranger(world: World, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply
  if (!wantsPage(request)) throw new Refusal('unauthorized')
  if (request.method === 'GET') return answerSignIn(world, reply, { next: request.url })
  return answerSignIn(world, reply, { next: pageOf(request), fault: SESSION_OVER })
}

const SESSION_OVER = 'Your session is over, so nothing was done. Sign in to go on.'

/** The page with the form that was sent. */
function pageOf({ headers: { referer = '' } }: FastifyRequest): string | undefined {
  if (!URL.canParse(referer)) return undefined
  const { pathname, search } = new URL(referer)
  return pathname + search
}
