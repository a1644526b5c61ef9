// Faulty requests of clients, made from the API's document: a new route is tried as soon as it
// exists.

import fc from 'fast-check'
import { anyText } from './any-text.ts'
import { documentOf, type Named, operationsOf } from './document.ts'
import { makeOneOfEach, type Resources } from './resources.ts'
import { routeTable, UNKNOWN_IDS } from './route-table.ts'
import { call, type Merchant, type TestService } from './test-service.ts'

type Properties = Readonly<Record<string, object>>

interface BodySchema {
  readonly properties?: Properties
  readonly anyOf?: readonly BodySchema[]
}

/** A route with a body or a parameter, and a known id if it takes one. */
export interface Talker {
  readonly route: string
  readonly method: string
  readonly url: string
  readonly queries: readonly string[]
  /** An acceptable body, to be spoilt; undefined if there is none. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** The fields of the body, more than one set if it has alternatives. */
  readonly alternatives: readonly Properties[]
}

/** By their routes. */
export async function talkersOf(
  service: TestService,
  merchant: Merchant,
): Promise<ReadonlyMap<string, Talker>> {
  const talkers = await allTalkers(service, merchant)
  return new Map(talkers.map((talker) => [talker.route, talker]))
}

async function allTalkers(service: TestService, merchant: Merchant): Promise<readonly Talker[]> {
  await service.app.ready()
  const ids = await makeOneOfEach(service, merchant)
  // A transaction that was recorded by hand can be changed.
  const cash = { total: 1, type: 'charge', method: 'cash', customer_id: ids.customer }
  const { body } = await call(service.app, 'POST', '/transaction', merchant.headers, cash)
  const named = operationsOf(documentOf(service.app))
  return named.map((one) => talkerOf(one, { ...ids, transaction: body.id }))
}

const KINDS = new Map(routeTable.map(({ route, kind }) => [route, kind]))

function talkerOf({ route, method, path, operation }: Named, ids: Resources): Talker {
  const { parameters = [], requestBody } = operation
  const { schema, example } = requestBody?.content['application/json'] ?? {}
  const kind = KINDS.get(route)
  const { properties = {} } = (schema ?? {}) as BodySchema
  return {
    route,
    method,
    url: kind === undefined ? path : path.replace('{id}', ids[kind]),
    queries: parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])),
    body: schema && { ...example, ...idsIn(properties, ids) },
    alternatives: schema === undefined ? [] : alternativesOf(schema),
  }
}

/** An address without a name to resolve; without workers it is not called either. */
const TARGET = 'https://1.1.1.1/'

/** All alternatives of a body that may have one form or another. */
function alternativesOf({ properties, anyOf = [] }: BodySchema): readonly Properties[] {
  return properties === undefined ? anyOf.flatMap(alternativesOf) : [properties]
}

function idsIn(properties: Properties, ids: Resources): Record<string, string> {
  const known = {
    customer_id: ids.customer,
    payment_method_id: ids.payment_method,
    target_url: TARGET,
    since: new Date().toISOString(),
  }
  return Object.fromEntries(Object.entries(known).filter(([name]) => name in properties))
}

export const text = fc.oneof(
  anyText,
  fc.constantFrom('\u0000', '%', '_', '\\', "'", '"', '__proto__', '\ud800', '🕯', ' ', '\r\n'),
  fc.constantFrom(
    '0',
    '1',
    '-1',
    '1e9',
    'NaN',
    'null',
    'true',
    UNKNOWN_IDS.customer,
    '9'.repeat(400),
  ),
)

/** JSON texts: some of them no JavaScript value produces. */
export const json = fc.oneof(
  { weight: 3, arbitrary: text.map((one) => JSON.stringify(one)) },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((one) => JSON.stringify(one)) },
  fc.double().map((one) => JSON.stringify(one)),
  fc.constantFrom('1e400', '-1e400', '-0', '0.1e-400', '1E+2', '12345678901234567890123', '12.50'),
  fc.constantFrom('NaN', 'Infinity', "'a'", '01', '+1', '.5', '{"a":1,"a":2}', '{"":null}', '[[]]'),
  fc.constantFrom('{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '"\\ud800"'),
  fc.nat({ max: 3_000 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  fc.nat({ max: 3_000 }).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
)
