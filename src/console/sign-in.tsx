// Signing in to the console, by the password or by a link that works once, and signing out.
//
// Opening a link does not use it up, because chat programs open links to show a preview. The button
// on its page does.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '../core/time-units.ts'
import { clientAddress } from '../limits/client-address.ts'
import type { LimitState } from '../limits/request-limits.ts'
import { isKnownAddress, writeAuditEntry } from '../operators/audit-entries.ts'
import { endSession, openSession, SESSION_MS } from '../operators/session.ts'
import { useSignInLink } from '../operators/sign-in-link.ts'
import { type Form, formOf, isFromElsewhere, lineOf } from '../web/forms.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { BOARD_COOKIE, BOARD_PATH, sessionCookie } from './cookies.ts'
import { answerSignIn, LONGEST_NAME } from './sign-in-page.tsx'
import { isSame, operatorBehind, refuseForgedForm } from './who.ts'

type By = 'password' | 'link'

const HIDDEN = { schema: { hide: true } }

/** The names of refused tries are not stored, because some people type their password there. */
const STRANGER = 'stranger'

export function signInRoutes(own: FastifyInstance, world: World): void {
  own.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/sign-in',
    HIDDEN,
    async ({ query }, reply) => {
      const { once, next } = query
      return answerSignIn(world, reply, { status: 200, once: textOf(once), next: textOf(next) })
    },
  )
  own.post('/sign-in', HIDDEN, async (request, reply) => {
    refuseElsewhere(request)
    const form = formOf(request)
    const by = form.once === undefined ? 'password' : 'link'
    // Each try is counted before it is checked, so that many at once cannot slip through.
    await limitTries(world, request, reply, by)
    const name = lineOf(form.name, LONGEST_NAME)
    const asked = { next: form.next, name }
    // Before a link is used up, and before it shows whether a password is right.
    if (name === '')
      return answerSignIn(world, reply, { ...asked, once: form.once, fault: NAMELESS })
    if (await isRight(world, form)) return letIn(world, request, reply, { by, name })
    const address = clientAddress(request.ip)
    request.log.warn({ address, by }, 'sign-in refused')
    await writeAuditEntry(
      world,
      { name: STRANGER, address },
      { action: 'sign-in refused', detail: { by } },
    )
    return answerSignIn(world, reply, { ...asked, fault: FAULTS[by] })
  })
  own.post('/sign-out', HIDDEN, async (request, reply) => {
    // Another site's request comes without the cookie, but its answer would delete the cookie.
    refuseElsewhere(request)
    const operator = await operatorBehind(world, request)
    const cookie = sessionCookie(world, request)
    const secret = request.cookies[cookie.name]
    if (operator !== undefined && secret !== undefined) {
      refuseForgedForm(request, operator)
      await endSession(world, secret)
      await writeAuditEntry(world, operator, { action: 'signed out' })
    }
    return reply
      .clearCookie(cookie.name, cookie.options)
      .clearCookie(BOARD_COOKIE, { path: BOARD_PATH })
      .redirect('/admin/sign-in', 303)
  })
}

const NAMELESS = 'Enter your name: the audit log says who did what.'

const FAULTS = {
  password: 'Wrong password.',
  link: 'That link has been used or has ended. `lamplighter sign-in-link` makes another.',
} as const

function refuseElsewhere(request: FastifyRequest): void {
  if (!isFromElsewhere(request)) return
  throw new PageRefusal(403, 'This form can’t be accepted', 'It came from another site.')
}

/** The service has one password or none, and also links. */
async function isRight(world: World, { once, password = '' }: Form): Promise<boolean> {
  if (once !== undefined) return useSignInLink(world, once)
  const { adminPassword } = world.config
  return adminPassword !== undefined && isSame(password, adminPassword)
}

async function letIn(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  { by, name }: { readonly by: By; readonly name: string },
): Promise<FastifyReply> {
  const { next } = formOf(request)
  const operator = { name, address: clientAddress(request.ip) }
  const cookie = sessionCookie(world, request)
  const former = request.cookies[cookie.name]
  if (former !== undefined) await endSession(world, former)
  const secret = await openSession(world, operator)
  await writeAuditEntry(world, operator, { action: 'signed in', detail: { by } })
  return reply
    .setCookie(cookie.name, secret, { ...cookie.options, maxAge: SESSION_MS / SECOND })
    .redirect(ourPlace(next), 303)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/**
 * Limits the tries of one address, and the password tries of all unknown addresses together.
 * Strangers cannot lock an operator out: an address with a recent sign-in is counted alone, and a
 * link, which nobody can guess, counts only for its address.
 */
async function limitTries(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  by: By,
): Promise<void> {
  const { signInsAMinute, strangerSignInsAMinute } = world.timings
  const address = clientAddress(request.ip)
  const refuse = ({ isOver, resetMs }: LimitState, advice: string) => {
    if (!isOver) return
    const seconds = Math.ceil(resetMs / SECOND)
    reply.header('retry-after', seconds)
    throw new PageRefusal(429, 'Too many tries', `Wait for ${seconds} seconds${advice}.`)
  }
  refuse(await world.limits.count(`sign-in:${address}`, signInsAMinute), ' and try again')
  if (by === 'link' || (await isKnownAddress(world, address))) return
  const advice = ', or sign in by a link: `lamplighter sign-in-link` makes one'
  refuse(await world.limits.count('sign-in', strangerSignInsAMinute), advice)
}

const HOME = '/admin'

/** Any origin works: it only separates our own paths from other addresses. */
const HERE = 'http://service.invalid'

/**
 * Where somebody goes who has signed in: to the page that they asked for, if it is one of ours.
 *
 * Read as a browser reads it, which takes `\` for `/` and passes over tabs and line ends.
 */
function ourPlace(asked: string | undefined): string {
  if (asked === undefined || !URL.canParse(asked, HERE)) return HOME
  const { origin, pathname, search } = new URL(asked, HERE)
  const isOurs = origin === HERE && /^\/admin(\/|$)/.test(pathname)
  const isDoor = /^\/admin\/+sign-/.test(pathname)
  return isOurs && !isDoor ? pathname + search : HOME
}
