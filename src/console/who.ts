// The operator behind a request's cookie, whether a form belongs to that session, and whether the
// operator's role allows it.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { hasRole, type Role } from '../core/role.ts'
import { type NewAuditEntry, writeAuditEntry } from '../operators/audit-entries.ts'
import { findSession, type Operator } from '../operators/session.ts'
import { formOf, isFromElsewhere } from '../web/forms.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { QueryWorld, WritingWorld } from '../world.ts'
import { sessionCookie } from './cookies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The console's guard sets it before any other code reads the request. */
    operator: SignedInOperator | undefined
  }
}

export interface SignedInOperator extends Operator {
  /** The number of rows that need the attention of an operator, if the menu shows it. */
  readonly needsAttention?: number
  /** When the page was requested, by the service's clock: the browser's may be wrong. */
  readonly askedAt?: Date
  /** The time of the account that the page is about, if that has a sandbox clock. */
  readonly sandboxTime?: Date | undefined
}

/** The field of each form that carries the session's token. */
export const FORM_TOKEN = '_form'

export async function operatorBehind(
  world: QueryWorld,
  request: FastifyRequest,
): Promise<Operator | undefined> {
  const secret = request.cookies[sessionCookie(world, request).name]
  return secret === undefined ? undefined : await findSession(world, secret)
}

export function operatorOf({ operator }: FastifyRequest): SignedInOperator {
  if (operator === undefined) throw new Refusal('unauthorized')
  return operator
}

/** Before there is a session, whose token a form could carry. */
export function refuseElsewhere(request: FastifyRequest): void {
  if (!isFromElsewhere(request)) return
  throw new PageRefusal(403, 'This form can’t be accepted', 'It came from another site.')
}

/** Another site can send a form, but it can neither read the token nor hide its origin. */
export function refuseForgedForm(
  request: FastifyRequest,
  { formToken }: Operator,
  sent = formOf(request)[FORM_TOKEN] ?? '',
): void {
  if (isFromElsewhere(request) || !isSame(sent, formToken)) {
    throw new PageRefusal(
      403,
      'This form can’t be accepted',
      'It did not come from a page of this session. Open the page again and send it from there.',
    )
  }
}

/** An operator who sets where events go, or rolls what signs them, can read and forge them. */
const ENDPOINT_SETTINGS = /^\/admin\/endpoints\/(new|[^/]+\/[^/]+\/(set|roll|delete))$/

/** The role that the forms under a path need. */
export function roleFor(path: string): Role {
  if (/^\/admin\/(teams|operators)(\/|$)/.test(path)) return 'admin'
  if (ENDPOINT_SETTINGS.test(path)) return 'admin'
  if (/^\/admin\/(me|sign-out)(\/|$)/.test(path)) return 'view'
  return 'operate'
}

export function mayAct({ role }: Pick<Operator, 'role'>, path: string): boolean {
  return hasRole(role, roleFor(path))
}

export function refuseByRole(operator: Operator, path: string): void {
  if (mayAct(operator, path)) return
  throw new PageRefusal(
    403,
    'Your role doesn’t allow this',
    `It needs the role ${roleFor(path)}, and yours is ${operator.role}. Nothing was done.`,
  )
}

/**
 * For each step of a long action, which may go on after its operator was removed or demoted, or has
 * signed out.
 */
export async function refuseIfEnded(world: QueryWorld, request: FastifyRequest): Promise<void> {
  const { method, routeOptions } = request
  const operator = await operatorBehind(world, request)
  if (operator !== undefined && (method === 'GET' || mayAct(operator, routeOptions.url ?? '')))
    return
  throw new PageRefusal(
    403,
    'The rest was not done',
    'Your session has ended, or your role no longer allows this. The audit log shows what was done.',
  )
}

/** A chunk of an operator whose right has ended is undone with its commit. */
export async function writeChunkEntry(
  own: WritingWorld,
  request: FastifyRequest,
  entry: NewAuditEntry,
): Promise<void> {
  await refuseIfEnded(own, request)
  await writeAuditEntry(own, operatorOf(request), entry)
}

/** Compares in constant time, so that the time does not reveal how much was right. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
