// The way into the console, by the password or by a link that works once; and the way out.
//
// Opening a link uses nothing up, since whatever shows the beginning of it to somebody in a chat
// opens it too: the button on its page does.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '../core/time-units.ts'
import { clientAddress } from '../limits/client-address.ts'
import type { LimitState } from '../limits/request-limits.ts'
import { isKnownAddress, writeDeed } from '../operators/deeds.ts'
import { endSession, openSession, SESSION_MS } from '../operators/session.ts'
import { useSignInLink } from '../operators/sign-in-link.ts'
import { type Form, formOf, isFromElsewhere } from '../web/forms.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { BOARD_COOKIE, BOARD_PATH, sessionCookie } from './cookies.ts'
import { answerSignIn, LONGEST_NAME } from './sign-in-page.tsx'
import { isSame, operatorBehind, refuseForgedForm } from './who.ts'

type By = 'password' | 'link'

const HIDDEN = { schema: { hide: true } }

/** Who does not say is called that. */
const NAMELESS = 'operator'

/** Names of those who were not let in are not kept: some type their password there. */
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
    // Each counts before it is looked at: of many at once, none gets by unseen.
    await limitTries(world, request, reply, by)
    if (await isRight(world, form)) return letIn(world, request, reply, by)
    const address = clientAddress(request.ip)
    request.log.warn({ address, by }, 'sign-in refused')
    await writeDeed(world, { name: STRANGER, address }, { deed: 'sign-in refused', detail: { by } })
    return answerSignIn(world, reply, { next: form.next, fault: FAULTS[by] })
  })
  own.post('/sign-out', HIDDEN, async (request, reply) => {
    // It comes without the cookie, but its answer would take it away.
    refuseElsewhere(request)
    const operator = await operatorBehind(world, request)
    const cookie = sessionCookie(world, request)
    const secret = request.cookies[cookie.name]
    if (operator !== undefined && secret !== undefined) {
      refuseForgedForm(request, operator)
      await endSession(world, secret)
      await writeDeed(world, operator, { deed: 'signed out' })
    }
    return reply
      .clearCookie(cookie.name, cookie.options)
      .clearCookie(BOARD_COOKIE, { path: BOARD_PATH })
      .redirect('/admin/sign-in', 303)
  })
}

const FAULTS = {
  password: 'Wrong password.',
  link: 'That link has been used or has ended. `lamplighter sign-in-link` makes another.',
} as const

function refuseElsewhere(request: FastifyRequest): void {
  if (!isFromElsewhere(request)) return
  throw new PageRefusal(403, 'That form is not ours', 'It came from another site.')
}

/** The service has one password or none, and links beside it. */
async function isRight(world: World, { once, password = '' }: Form): Promise<boolean> {
  if (once !== undefined) return useSignInLink(world, once)
  const { adminPassword } = world.config
  return adminPassword !== undefined && isSame(password, adminPassword)
}

async function letIn(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  by: By,
): Promise<FastifyReply> {
  const { name = '', next } = formOf(request)
  const operator = { name: shownName(name), address: clientAddress(request.ip) }
  const cookie = sessionCookie(world, request)
  const former = request.cookies[cookie.name]
  if (former !== undefined) await endSession(world, former)
  const secret = await openSession(world, operator)
  await writeDeed(world, operator, { deed: 'signed in', detail: { by } })
  return reply
    .setCookie(cookie.name, secret, { ...cookie.options, maxAge: SESSION_MS / SECOND })
    .redirect(ourPlace(next), 303)
}

/** Without what is not seen, or turns around what is. */
function shownName(said: string): string {
  const shown = said.replace(/\p{C}/gu, '').trim()
  return [...shown].slice(0, LONGEST_NAME).join('') || NAMELESS
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/**
 * The tries of one address, and the passwords that all strangers try together. Strangers cannot
 * keep an operator out: an address from which one signed in lately is counted alone, and a link,
 * which nobody can guess, counts for its address only.
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

/** Any origin serves, as long as what stays on it is told from what leaves it. */
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
