// Turns answers into the dialect of the key that asked: the last step before they are sent, so that
// neither the actions nor the answers that are kept for repeats know of it. Errors have one form.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/find-caller.ts'
import { fileInDialect, inDialect } from '../core/dialect.ts'

type Body = Record<string, unknown>

/** What an answer has only in the dialect, by the route. */
const ADDED: Readonly<Record<string, (caller: Caller) => Body>> = {
  '/self': (caller) => ({ merchant: merchantOf(caller), user: userOf(caller) }),
}

/** A hook with a callback, because it runs for every answer and most of them stay as they are. */
export function speakDialect(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { caller, refusal } = request
    const isAsItIs = caller === undefined || caller.key.dialect === 'standard'
    if (isAsItIs || refusal !== undefined || typeof payload !== 'string') return done(null, payload)
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    done(null, isJson ? translated(request, caller, payload) : payload)
  })
}

function translated(
  { routeOptions }: Pick<FastifyRequest, 'routeOptions'>,
  caller: Caller,
  payload: string,
): string {
  const body = inDialect(JSON.parse(payload), caller.accountId)
  const added = ADDED[routeOptions.url ?? '']?.(caller)
  return JSON.stringify(added === undefined ? body : { ...body, ...added })
}

/** The lines of an export, for the key that asked for it. */
export function linesFor(
  { key }: Pick<Caller, 'key'>,
  pieces: AsyncGenerator<string>,
): AsyncGenerator<string> {
  return key.dialect === 'standard' ? pieces : fileInDialect(pieces)
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
