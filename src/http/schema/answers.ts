// What a route can answer, for the document.

import { ERROR_CATALOGUE, type ErrorCode } from '../../core/errors.ts'
import type { Schema } from '../../resource/json-schema.ts'
import { problem } from './problem.ts'
import { ref } from './ref.ts'

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
