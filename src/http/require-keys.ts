// Every route needs a key, unless it is added by `withoutKeys`. So no route can forget to ask for
// one: a route that says nothing about it answers 401. The checks, headers and refusals that follow
// from the key and from the schema are added here too, and a route names only what is its own.

import type { FastifyInstance, RouteOptions } from 'fastify'
import type { ErrorCode } from '../core/errors.ts'
import { type Schema, Type } from '../resource/json-schema.ts'
import { isReading } from '../web/html.ts'
import type { World } from '../world.ts'
import { authenticate, requireActiveTeam } from './authenticate.ts'
import { answers } from './schema/answers.ts'
import { impliedHeaders, impliedRefusals } from './schema/implied.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The routes of this plugin need no key. */
    readonly isPublic?: true
  }
  interface FastifyContextConfig {
    /** The route moves money, or shows how it moved. */
    needsActiveTeam?: boolean
    /** The refusals that do not follow from the schema of the route. */
    refusals?: readonly ErrorCode[]
  }
}

/**
 * A route without a schema for its query refuses all parameters, because a misspelt or imagined one
 * must not be ignored silently. Routes without a key are exempt: monitors call them and add
 * parameters of their own.
 */
const NO_QUERY = Type.Object({}, { additionalProperties: false })

const SECURITY = [{ key: [] }]

/** Call it before the routes are added. */
export function requireKeys(app: FastifyInstance, world: World): void {
  app.addHook('onRoute', function addChecks(this: FastifyInstance, route) {
    if (this.isPublic === true) refuseNeeds(route)
    else Object.assign(route, keyed(route, world))
  })
}

/** Adds routes whose callers have no key, such as probes, and pages for payers and operators. */
export async function withoutKeys(
  app: FastifyInstance,
  add: (open: FastifyInstance) => void | Promise<void>,
): Promise<void> {
  await app.register(async (open) => {
    open.decorate('isPublic', true)
    await add(open)
  })
}

/** Such a route would be open in silence, because its needs are checked only after its key. */
function refuseNeeds({ url, config = {} }: RouteOptions): void {
  const { needsActiveTeam, refusals } = config
  if (needsActiveTeam === undefined && refusals === undefined) return
  throw new Error(`${url} is added without keys, and what it needs would not be checked`)
}

function keyed(route: RouteOptions, world: World): Pick<RouteOptions, 'onRequest' | 'schema'> {
  const { method, schema = {}, config: { needsActiveTeam = false, refusals = [] } = {} } = route
  const response = (schema.response ?? {}) as Readonly<Record<number, Schema>>
  // Only what is waited for can be answered 202, before its outcome is known.
  const isAwaited = 202 in response
  // An account's clock is advanced once at a time, and by other workers than its payments.
  const check = authenticate(world, isAwaited && needsActiveTeam ? 'payment' : 'other')
  const isChange = ![method].flat().every(isReading)
  const implied = impliedRefusals({ ...schema, isChange, needsActiveTeam })
  return {
    onRequest: [
      check,
      ...(needsActiveTeam ? [requireActiveTeam] : []),
      ...[route.onRequest ?? []].flat(),
    ],
    schema: {
      ...schema,
      security: SECURITY,
      querystring: schema.querystring ?? NO_QUERY,
      headers: impliedHeaders(schema.body, isAwaited),
      response: answers(response, [...implied, ...refusals]),
    },
  }
}
