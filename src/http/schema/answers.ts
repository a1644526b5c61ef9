// What a route can answer, for the document.

import { ERROR_CATALOGUE, type ErrorCode } from '../../core/errors.ts'
import { type Schema, Type } from '../../resource/json-schema.ts'
import { exampleProblem } from './examples.ts'

/**
 * The resource as given by status, and the errors of these codes by theirs. A payment that was
 * declined is answered with a status of errors: there it may be either.
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
  const description = `${error.description}; or the payment, where it was declined`
  return { anyOf: [resource, error], description }
}

/** What any request with a key may be refused with. */
export const KEYED_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'rate_limited',
  'overloaded',
]

/** What any that does more than read may be refused with. */
export const CHANGE_ERRORS: readonly ErrorCode[] = [...KEYED_ERRORS, 'clock_advancing']

/** What a request with a body may be refused with, beside that. */
export const BODY_ERRORS: readonly ErrorCode[] = [
  ...CHANGE_ERRORS,
  'card_data_not_accepted',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
]

/** What asks of a team that moves money may be refused with, beside that. */
export const GOOD_STANDING_ERRORS: readonly ErrorCode[] = ['team_inactive', 'team_disabled']

export const security = [{ key: [] as string[] }]

/** Points at a schema that has a name of its own, and keeps its type. */
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
  { $id: 'Error', additionalProperties: false, examples: [exampleProblem] },
)

/**
 * For the document: the rooms read them by themselves, since a header and a field may say the same.
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
