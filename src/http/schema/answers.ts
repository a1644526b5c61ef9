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

/** Refers to a named schema and keeps its type. */
export function ref<T>(schema: Schema<T>): Schema<T> {
  return Type.Unsafe({ $ref: `${schema.$id}#` })
}

/** The schema of a resource in answers, by its name in the document. */
export function resourceSchema<P extends Readonly<Record<string, Schema>>>(
  name: string,
  fields: P,
  description?: string,
) {
  return Type.Object(fields, {
    $id: name,
    additionalProperties: false,
    ...(description !== undefined && { description }),
  })
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
