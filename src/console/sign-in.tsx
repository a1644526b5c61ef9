// Signing in to the console, by an operator's own password, by the service's one password or by a
// link that works once, and signing out.
//
// Opening a link does not use it up, because chat programs open links to show a preview. The button
// on its page does.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '../core/time-units.ts'
import { clientAddress } from '../limits/client-address.ts'
import { inOneCommit, STRANGER, writeAuditEntry } from '../operators/audit-entries.ts'
import { holdOperators } from '../operators/hold-operators.ts'
import { LONGEST_NAME, nameFault, nameKeyOf } from '../operators/names.ts'
import { endSession, openSession, SESSION_MS } from '../operators/session.ts'
import { useSignInLink } from '../operators/sign-in-link.ts'
import { signInOperator } from '../operators/sign-in-operator.ts'
import { formOf, lineOf, STRANGERS_FORM } from '../web/forms.ts'
import type { World, WritingWorld } from '../world.ts'
import { BOARD_COOKIE, BOARD_PATH, sessionCookie } from './cookies.ts'
import { isKeptRefusal, limitSignIns, type SignInMeans } from './limit-tries.ts'
import { answerSignIn } from './sign-in-page.tsx'
import { isSame, operatorBehind, refuseElsewhere, refuseForgedForm } from './who.ts'

/** A script that signs in with the password alone. The page of the form always sends a name. */
const UNNAMED = 'operator'

export function signInRoutes(own: FastifyInstance, world: World): void {
  own.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/sign-in',
    async ({ query }, reply) => {
      const [once, next] = [textOf(query.once), textOf(query.next)]
      const isChosen = query.password === 'chosen'
      return answerSignIn(world, reply, { status: 200, once, next, isChosen })
    },
  )
  own.post('/sign-in', STRANGERS_FORM, async (request, reply) => {
    refuseElsewhere(request)
    const form = formOf(request)
    const by = form.once === undefined ? 'password' : 'link'
    // Each try is counted before it is checked, so that many at once cannot slip through.
    await limitSignIns(world, reply, by)
    const name = lineOf(form.name ?? UNNAMED, LONGEST_NAME)
    const asked = { next: form.next, name }
    // Before a link is used up, and before it shows whether a password is right.
    const fault = name === '' ? 'Enter your name.' : nameFault(name)
    if (fault !== undefined) {
      return answerSignIn(world, reply, { ...asked, once: form.once, nameFault: fault })
    }
    const outcome = await tryToSignIn(world, request, name)
    if (typeof outcome !== 'string') return letIn(world, reply, outcome.secret)
    const address = clientAddress(request.ip)
    request.log.warn({ address, by }, 'sign-in refused')
    const why = RIGHT_PASSWORD[outcome]
    const detail = why === undefined ? { by } : { by, operator: name, why }
    const entry = { action: 'sign-in refused', detail }
    if (why !== undefined || (await isKeptRefusal(world, address, by))) {
      await writeAuditEntry(world, { name: STRANGER, address }, entry)
    }
    const once = outcome === 'link' ? form.once : undefined
    return answerSignIn(world, reply, { ...asked, once, fault: FAULTS[outcome] })
  })
  own.post('/sign-out', STRANGERS_FORM, async (request, reply) => {
    // Another site's request comes without the cookie, but its answer would delete the cookie.
    refuseElsewhere(request)
    const operator = await operatorBehind(world, request)
    const cookie = sessionCookie(world, request)
    const secret = request.cookies[cookie.name]
    if (operator !== undefined && secret !== undefined) {
      refuseForgedForm(request, operator)
      await inOneCommit(world, `session of ${operator.name}`, async (own) => {
        await endSession(own, secret)
        await writeAuditEntry(own, operator, { action: 'signed out' })
      })
    }
    return reply
      .clearCookie(cookie.name, cookie.options)
      .clearCookie(BOARD_COOKIE, { path: BOARD_PATH })
      .redirect('/admin/sign-in', 303)
  })
}

const FAULTS = {
  wrong: 'Wrong name or password.',
  'code needed': 'Enter the code of your authenticator app, and the password again.',
  'wrong code': 'Wrong code. Wait for the app to show the next one.',
  locked: 'Too many wrong codes. An admin has to reset your second factor.',
  unreadable:
    'Your second factor cannot be read, because the key that sealed it is lost. An admin has to ' +
    'reset your second factor.',
  link:
    'That link has been used or has ended, or that is the name of an operator, who signs in with a ' +
    'password. `lamplighter sign-in-link` makes another link.',
} as const

/** The password was right, so the name is no typed secret, and an admin must know of it. */
const RIGHT_PASSWORD: Readonly<Partial<Record<Refused, string>>> = {
  'code needed': 'the password was right, without a code',
  'wrong code': 'the password was right, the code was wrong',
  locked: 'the password was right, the second factor is locked',
  unreadable: 'the password was right, the second factor cannot be read',
}

type Refused = keyof typeof FAULTS

/**
 * Returns the secret of the new session. The name of an operator is accepted only with that
 * operator's password, so that the shared password and the links cannot be used under that name.
 */
async function tryToSignIn(
  world: World,
  request: FastifyRequest,
  name: string,
): Promise<{ readonly secret: string } | Refused> {
  const { once, password = '', code = '' } = formOf(request)
  const address = clientAddress(request.ip)
  if (once !== undefined) {
    return inOneCommit(world, 'sign-in link', async (own) => {
      const isRight = await useSignInLink(own, { secret: once, name })
      return (isRight && (await openShared(own, { name, address }, 'link'))) || 'link'
    })
  }
  const outcome = await signInOperator(world, { name, password, code: code.trim(), address })
  if (outcome !== 'unknown') return outcome
  const { adminPassword } = world.config
  const isRight = adminPassword !== undefined && isSame(password, adminPassword)
  if (!isRight) return 'wrong'
  return inOneCommit(world, `session of ${name}`, async (own) => {
    return (await openShared(own, { name, address }, 'password')) ?? 'wrong'
  })
}

const NAMED = 'SELECT FROM operator WHERE name_key = $1'

/** Undefined if an operator has got that name meanwhile. None can between here and the commit. */
async function openShared(
  own: WritingWorld,
  operator: { readonly name: string; readonly address: string },
  by: SignInMeans,
): Promise<{ readonly secret: string } | undefined> {
  await holdOperators(own.db.query)
  if ((await own.db.query(NAMED, [nameKeyOf(operator.name)])).length > 0) return undefined
  const secret = await openSession(own, operator)
  await writeAuditEntry(own, operator, { action: 'signed in', detail: { by } })
  return { secret }
}

async function letIn(world: World, reply: FastifyReply, secret: string): Promise<FastifyReply> {
  const { request } = reply
  const cookie = sessionCookie(world, request)
  const former = request.cookies[cookie.name]
  if (former !== undefined) await endSession(world, former)
  return reply
    .setCookie(cookie.name, secret, { ...cookie.options, maxAge: SESSION_MS / SECOND })
    .redirect(ourPlace(formOf(request).next), 303)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const HOME = '/admin'

/** Any origin works: it only separates our own paths from other addresses. */
const HERE = 'http://service.invalid'

/**
 * The page after signing in: the requested one, if it is one of ours.
 *
 * The path is read as a browser reads it, which takes `\` for `/` and passes over tabs and line
 * ends.
 */
function ourPlace(asked: string | undefined): string {
  if (asked === undefined || !URL.canParse(asked, HERE)) return HOME
  const { origin, pathname, search } = new URL(asked, HERE)
  const isOurs = origin === HERE && /^\/admin(\/|$)/.test(pathname)
  const isDoor = /^\/admin\/+sign-/.test(pathname)
  return isOurs && !isDoor ? pathname + search : HOME
}
