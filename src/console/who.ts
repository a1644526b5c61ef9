// The operator behind a request's cookie, and whether a form belongs to that session.

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
    /** The console's guard sets it before any other code reads the request. */
    operator: SignedInOperator | undefined
  }
}

export interface SignedInOperator extends Operator {
  /** How much needs the attention of an operator, as the menu shows it. */
  readonly needsAttention: number
}

/** For the page of a mistyped address, which counts nothing. */
export function withoutCount(operator: Operator): SignedInOperator {
  return { ...operator, needsAttention: 0 }
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

export function operatorOf({ operator }: FastifyRequest): SignedInOperator {
  if (operator === undefined) throw new Refusal('unauthorized')
  return operator
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

/** In constant time, so that the time does not reveal how much was right. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
