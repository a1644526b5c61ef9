// Who sends a request: the operator behind its cookie, and whether the form is one of theirs.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { findSession, type Operator } from '../operators/session.ts'
import { formOf, isFromElsewhere } from '../web/forms.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { sessionCookie } from './cookies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard of the console, before anything else looks at the request. */
    operator: Operator | undefined
  }
}

/** The field of each form that carries the session's token. */
export const FORM_TOKEN = '_form'

export async function operatorBehind(
  world: World,
  request: FastifyRequest,
): Promise<Operator | undefined> {
  const secret = request.cookies[sessionCookie(world, request).name]
  return secret === undefined ? undefined : await findSession(world, secret)
}

export function operatorOf({ operator }: FastifyRequest): Operator {
  if (operator === undefined) throw new Refusal('unauthorized')
  return operator
}

/** Another site can send a form, but neither read the token nor hide where it comes from. */
export function refuseForgedForm(
  request: FastifyRequest,
  { formToken }: Operator,
  sent = formOf(request)[FORM_TOKEN] ?? '',
): void {
  if (isFromElsewhere(request) || !isSame(sent, formToken)) {
    throw new PageRefusal(
      403,
      'That form is not ours',
      'It did not come from a page of this session. Open the page again and send it from there.',
    )
  }
}

/** In a time that tells nothing of how much of it was right. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
