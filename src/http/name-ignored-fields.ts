// Names the fields of a body that the service does not know, in a header of the answer. They are
// ignored, since clients of other APIs send some; but a misspelt one must not be lost in silence,
// nor a header that was meant to be the Idempotency-Key.

import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { knownFields } from './drop-absent-fields.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Known fields that this body has no use for: by their names, since a value may be secret. */
    unusedFields?: (body: Readonly<Record<string, unknown>>) => readonly string[]
  }
}

/** Names come from the caller, and there may be as many as the body holds. */
const MOST_NAMES = 10
/** Items of one list are written alike, and the first ones tell what is wrong with all. */
const MOST_ITEMS = 10
const MOST_NAME_CHARACTERS = 64

export function nameIgnoredFields(app: FastifyInstance): void {
  // Before the validation, because a misspelt field is often why a required one is missing.
  app.addHook('preValidation', (request, reply, done) => {
    const { config, schema: { body: schema } = {} } = request.routeOptions
    const names =
      schema === undefined
        ? []
        : [
            ...Object.keys(request.headers).filter(isMeantAsKey),
            ...ignoredIn(schema, request.body),
            ...unusedIn(config.unusedFields, request.body),
          ].slice(0, MOST_NAMES)
    if (names.length > 0) reply.header('ignored-fields', names.map(nameText).join(', '))
    done()
  })
}

/** `idempotent-key`, `indempotency-key` and `idempotncy-key` too: without it a repeat charges twice. */
const LIKE_THE_KEY = /idem|dempot|potency/

function isMeantAsKey(header: string): boolean {
  return header !== 'idempotency-key' && LIKE_THE_KEY.test(header)
}

/** Dotted, as faults are: `funding.1.memmo`. What has no fields of ours, such as `meta`, is kept whole. */
function ignoredIn(schema: unknown, value: unknown, at = ''): readonly string[] {
  const known = knownFields(schema, value)
  if (known === undefined || typeof value !== 'object' || value === null) return []
  const names: string[] = []
  for (const [name, one] of Object.entries(value)) {
    if (names.length >= MOST_NAMES) break
    if (!Object.hasOwn(known, name)) {
      if (one !== null) names.push(`${at}${name}`)
    } else if (Array.isArray(one)) {
      const { items } = known[name] as { readonly items?: unknown }
      for (const [place, item] of one.slice(0, MOST_ITEMS).entries()) {
        names.push(...ignoredIn(items, item, `${at}${name}.${place}.`))
      }
    }
  }
  return names
}

function unusedIn(
  unusedFields: FastifyContextConfig['unusedFields'],
  body: unknown,
): readonly string[] {
  if (unusedFields === undefined || typeof body !== 'object' || body === null) return []
  const sent = body as Readonly<Record<string, unknown>>
  return unusedFields(sent).filter((name) => Object.hasOwn(sent, name) && sent[name] !== null)
}

/** A header holds ASCII, and a comma would begin another name. */
function nameText(name: string): string {
  return encodeURIComponent(name.slice(0, MOST_NAME_CHARACTERS).toWellFormed())
}
