// What follows for the document from the parts of a keyed route: its common refusals and headers.

import type { ErrorCode } from '../../core/errors.ts'
import { Type } from '../../resource/json-schema.ts'

interface KeyedRoute {
  readonly isChange: boolean
  readonly needsActiveTeam: boolean
  readonly params?: unknown
  readonly querystring?: unknown
  readonly body?: unknown
}

interface Rule {
  readonly codes: readonly ErrorCode[]
  holdsFor(route: KeyedRoute): boolean
}

const ID = /"x-kind":"(link_)?id"/
const CLOSED = /"additionalProperties":false/
const EXPORT = /"export":/
const IDEMPOTENCY_ID = /"idempotency_id":/

/** The document lists the codes in this order, and those of the route itself after them. */
const RULES: readonly Rule[] = [
  {
    codes: ['invalid_request', 'unauthorized', 'rate_limited', 'overloaded'],
    holdsFor: () => true,
  },
  {
    // The body of a change is read, also if the route has no use for it.
    codes: ['clock_advancing', 'invalid_json', 'body_too_large', 'unsupported_media_type'],
    holdsFor: ({ isChange }) => isChange,
  },
  { codes: ['card_data_not_accepted'], holdsFor: ({ body }) => body !== undefined },
  {
    codes: ['team_inactive', 'team_disabled'],
    holdsFor: ({ needsActiveTeam }) => needsActiveTeam,
  },
  {
    codes: ['invalid_id'],
    holdsFor: ({ params, querystring, body }) =>
      [params, querystring, body].some((schema) => has(ID, schema)),
  },
  { codes: ['unknown_field'], holdsFor: ({ body }) => has(CLOSED, body) },
  { codes: ['not_found'], holdsFor: ({ params }) => params !== undefined },
  { codes: ['too_many_exports'], holdsFor: ({ querystring }) => has(EXPORT, querystring) },
  { codes: ['idempotency_conflict'], holdsFor: ({ body }) => has(IDEMPOTENCY_ID, body) },
]

export function impliedRefusals(route: KeyedRoute): readonly ErrorCode[] {
  return RULES.flatMap(({ codes, holdsFor }) => (holdsFor(route) ? codes : []))
}

/**
 * For the document only: the routes read these headers themselves, since a header and a field may
 * carry the same value.
 */
export function impliedHeaders(body: unknown, isAwaited: boolean) {
  const key = Type.String({
    description: 'Up to 255 characters. A repeat with the same key gets the same answer.',
  })
  const prefer = Type.String({
    description: '`respond-async`: answer 202 at once, `PENDING` or `advancing`.',
  })
  return Type.Object({
    ...(has(IDEMPOTENCY_ID, body) && { 'idempotency-key': Type.Optional(key) }),
    ...(isAwaited && { prefer: Type.Optional(prefer) }),
  })
}

/** A pattern is found at any depth. In a text of the schema its quotes would be escaped. */
function has(pattern: RegExp, schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const text = texts.get(schema) ?? JSON.stringify(schema)
  texts.set(schema, text)
  return pattern.test(text)
}

/** The schemas as JSON. Several rules look into each. */
const texts = new WeakMap<object, string>()
