// Turns answers into the dialect of the request's key: the last step before they are sent, so that
// neither the actions nor the answers that are kept for repeats know of it. Errors have one form.

import type { FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/find-caller.ts'
import { bodyInDialect, fileInDialect, inDialect } from '../core/dialect.ts'

type Body = Record<string, unknown>

/** The fields that an answer has only in the dialect, by the route. */
const ADDED: Readonly<Record<string, (caller: Caller) => Body>> = {
  '/self': (caller) => ({ merchant: merchantOf(caller), user: userOf(caller) }),
}

/**
 * An answer, or one row of it, as the request's key reads it. It is turned before it is printed, so
 * that it is not parsed again. Most answers stay as they are.
 */
export function shownTo(request: FastifyRequest, payload: unknown): unknown {
  const { caller, refusal, routeOptions } = request
  if (caller === undefined || isStandard(caller) || refusal !== undefined) return payload
  const body = inDialect(payload, caller.accountId)
  const added = ADDED[routeOptions.url ?? '']?.(caller)
  return added === undefined ? body : Object.assign(body as Body, added)
}

/** Turns an answer that is kept as text into the dialect. */
export function textFor({ caller }: Pick<FastifyRequest, 'caller'>, body: string): string {
  return caller === undefined || isStandard(caller) ? body : bodyInDialect(body, caller.accountId)
}

/** Turns the lines of a file into the dialect. */
export function linesFor(caller: Caller, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  return isStandard(caller) ? pieces : fileInDialect(pieces)
}

export function isInDialect({ caller }: Pick<FastifyRequest, 'caller'>): boolean {
  return caller !== undefined && !isStandard(caller)
}

function isStandard({ key }: Caller): boolean {
  return key.dialect === 'standard'
}

/** Such clients take the merchant of a key for its account. */
function merchantOf({ accountId, mode, team }: Caller): Body {
  return {
    id: accountId,
    company_name: team.name,
    display_name: team.name,
    status: team.status === 'active' ? 'ACTIVE' : 'INACTIVE',
    currency: ['USD'],
    gateway_type: mode === 'sandbox' ? 'test' : 'live',
    allow_ach: true,
    allow_credits: false,
    options: {},
  }
}

/** A key acts for itself, not for a person. */
function userOf({ key, team }: Caller): Body {
  return {
    id: key.id,
    name: key.name,
    email: null,
    is_api_key: true,
    team_role: 'admin',
    team_enabled: team.enabled,
  }
}
