// A route of the API that says nothing of a query takes none: what is misspelt or believed in must
// not be passed over in silence. Those without a key are asked by monitors, which add what they
// like.

import type { FastifyInstance } from 'fastify'
import { Type } from '../resource/json-schema.ts'

const NO_QUERY = Type.Object({}, { additionalProperties: false })

/** Call it before the routes are added. */
export function refuseUnknownQueries(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema } = route
    const isOfApi = schema?.security !== undefined
    if (isOfApi && schema.querystring === undefined) {
      route.schema = { ...schema, querystring: NO_QUERY }
    }
  })
}
