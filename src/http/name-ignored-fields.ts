// Names the fields of a body that the service does not know, in a header of the answer. They are
// ignored, since clients of other APIs send some; but a misspelt one must not be lost in silence,
// nor a header that was meant to be the Idempotency-Key.

import type { FastifyInstance } from 'fastify'
import { knownFields } from './drop-absent-fields.ts'

/** Names come from the caller, and there may be as many as the body holds. */
const MOST_NAMES = 10
const MOST_NAME_CHARACTERS = 64

export function nameIgnoredFields(app: FastifyInstance): void {
  // Before the validation, because a misspelt field is often why a required one is missing.
  app.addHook('preValidation', (request, reply, done) => {
    const { body: schema } = request.routeOptions.schema ?? {}
    const names =
      schema === undefined
        ? []
        : [
            ...Object.keys(request.headers).filter(isMeantAsKey),
            ...ignoredIn(request.body, knownFields(schema, request.body)),
          ]
    if (names.length > 0) reply.header('ignored-fields', names.map(nameText).join(', '))
    done()
  })
}

/** `idempotent-key`, `indempotency-key` and `idempotncy-key` too: without it a repeat charges twice. */
const LIKE_THE_KEY = /idem|dempot|potency/

function isMeantAsKey(header: string): boolean {
  return header !== 'idempotency-key' && LIKE_THE_KEY.test(header)
}

function ignoredIn(body: unknown, known: object | undefined): readonly string[] {
  if (known === undefined || typeof body !== 'object' || body === null) return []
  const names: string[] = []
  for (const [name, value] of Object.entries(body)) {
    if (names.length === MOST_NAMES) break
    if (value !== null && !Object.hasOwn(known, name)) names.push(name)
  }
  return names
}

/** A header holds ASCII, and a comma would begin another name. */
function nameText(name: string): string {
  return encodeURIComponent(name.slice(0, MOST_NAME_CHARACTERS).toWellFormed())
}
