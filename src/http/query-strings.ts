// A query as text by name. A parameter that is sent several times is a list, and so is
// `keywords[]=a&keywords[]=b`, because clients differ in how they write lists.

import type { FastifyInstance } from 'fastify'
import { Type } from '../resource/json-schema.ts'

const LIST_MARK = /\[\d*\]$/

type Query = Record<string, string | string[]>

export function readQuery(text: string): Query {
  // Without a prototype, because a name may be `__proto__`.
  const query: Query = Object.create(null)
  if (text === '') return query
  for (const [name, value] of new URLSearchParams(text)) {
    const plain = name.replace(LIST_MARK, '')
    const known = query[plain]
    if (Array.isArray(known)) known.push(value)
    else if (known !== undefined) query[plain] = [known, value]
    else query[plain] = plain === name ? value : [value]
  }
  return query
}

const NO_QUERY = Type.Object({}, { additionalProperties: false })

/**
 * A route of the API without a schema for its query refuses all parameters, because a misspelt or
 * imagined one must not be ignored silently. Routes without a key are exempt: monitors call them
 * and add parameters of their own.
 *
 * Call it before the routes are added.
 */
export function refuseUnknownQueries(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema } = route
    const isOfApi = schema?.security !== undefined
    if (isOfApi && schema.querystring === undefined) {
      route.schema = { ...schema, querystring: NO_QUERY }
    }
  })
}
