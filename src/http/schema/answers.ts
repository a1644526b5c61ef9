// The answers of a route, for the document.

import { ERROR_CATALOGUE, type ErrorCode } from '../../core/errors.ts'
import { type Schema, Type } from '../../resource/json-schema.ts'

/**
 * The resource by its statuses, and the errors of these codes by theirs. A declined payment is
 * answered with an error status, where the body may be either.
 */
export function answers(resource: Readonly<Record<number, Schema>>, codes: readonly ErrorCode[]) {
  const all: readonly ErrorCode[] = [...codes, 'internal_error', 'unavailable']
  const byStatus: Record<number, Schema> = {}
  for (const code of all) {
    const { status } = ERROR_CATALOGUE[code]
    const known = byStatus[status]?.description
    const description = known === undefined ? `\`${code}\`` : `${known}, \`${code}\``
    byStatus[status] = { ...ref(problem), description }
  }
  for (const [status, schema] of Object.entries(resource)) {
    const error = byStatus[Number(status)]
    byStatus[Number(status)] = error === undefined ? schema : either(schema, error)
  }
  return byStatus
}

function either(resource: Schema, error: Schema): Schema {
  const description = `${error.description}; or the payment, if it was declined`
  return { anyOf: [resource, error], description }
}

/** Possible refusals of every request with a key. */
export const KEYED_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'rate_limited',
  'overloaded',
]

/** Possible refusals of a request that changes something: its body is read, also without a use. */
export const CHANGE_ERRORS: readonly ErrorCode[] = [
  ...KEYED_ERRORS,
  'clock_advancing',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
]

/** Additional refusals of a request with a body. */
export const BODY_ERRORS: readonly ErrorCode[] = [...CHANGE_ERRORS, 'card_data_not_accepted']

/** Additional refusals of a request that needs an active team. */
export const INACTIVE_TEAM_ERRORS: readonly ErrorCode[] = ['team_inactive', 'team_disabled']

export const security = [{ key: [] as string[] }]

/** Refers to a named schema and keeps its type. */
export function ref<T>(schema: Schema<T>): Schema<T> {
  return Type.Unsafe({ $ref: `${schema.$id}#` })
}

export const problem = Type.Object(
  {
    error: Type.Enum(Object.keys(ERROR_CATALOGUE) as ErrorCode[]),
    message: Type.String(),
    errors: Type.Optional(
      Type.Record(Type.Array(Type.String()), {
        description: 'Faults by field; nested fields are dotted.',
      }),
    ),
    request_id: Type.String(),
  },
  { $id: 'Error', additionalProperties: false },
)

/**
 * For the document only: the routes read these headers themselves, since a header and a field may
 * carry the same value.
 */
export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'Up to 255 characters. A repeat with the same key gets the same answer.',
    }),
  ),
})

export const chargeHeaders = Type.Object({
  ...idempotencyHeaders.properties,
  prefer: Type.Optional(
    Type.String({ description: '`respond-async`: answer 202 and PENDING at once.' }),
  ),
})
