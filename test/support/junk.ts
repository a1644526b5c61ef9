// Faulty requests of clients, made from the API's document: a new route is tried as soon as it
// exists.

import fc from 'fast-check'
import { anyText } from './any-text.ts'
import { insertBatch } from './batch-rows.ts'
import { documentOf } from './document.ts'
import { call, type Merchant, type TestService } from './test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

type Properties = Readonly<Record<string, object>>

interface BodySchema {
  readonly properties?: Properties
  readonly anyOf?: readonly BodySchema[]
}

interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: BodySchema; example?: object }>>
  }
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
  const ids = await makeIds(service, merchant)
  return Object.entries(documentOf(service.app).paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => {
      const { parameters = [], requestBody } = operation as Described
      const { schema, example } = requestBody?.content['application/json'] ?? {}
      const method = verb.toUpperCase()
      return {
        route: `${method} ${path}`,
        method,
        url: path.replace('{id}', idFor(ids, path)),
        queries: parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])),
        body: schema && { ...example, ...idsIn(schema.properties ?? {}, ids) },
        alternatives: schema === undefined ? [] : alternativesOf(schema),
      }
    }),
  )
}

interface Ids {
  readonly transaction: string
  readonly customer: string
  readonly paymentMethod: string
  readonly link: string
  readonly batch: string
  readonly invoice: string
  readonly item: string
  readonly webhook: string
}

/** Resources for the requests; the transaction is manual, and can be changed. */
async function makeIds(service: TestService, merchant: Merchant): Promise<Ids> {
  const { headers } = merchant
  const make = async (url: string, body: object) =>
    (await call(service.app, 'POST', url, headers, body)).body
  const card = await make('/payment-method', CARD)
  const cash = { total: 1, type: 'charge', method: 'cash', customer_id: card.customer_id }
  const transaction = await make('/transaction', cash)
  const link = await make('/payment-link', { common_name: 'Shop' })
  const invoice = await make('/invoice', { total: 1, customer_id: card.customer_id })
  const item = await make('/item', { item: 'Coffee' })
  const webhook = await make('/webhook', { target_url: TARGET, event: '*' })
  return {
    transaction: transaction.id,
    customer: card.customer_id,
    paymentMethod: card.id,
    link: link.id,
    batch: await insertBatch(service, merchant),
    invoice: invoice.id,
    item: item.id,
    webhook: webhook.id,
  }
}

const CARD = {
  method: 'card',
  person_name: 'Ada Lovelace',
  card_number: '4111111111111111',
  card_exp: '1239',
}

/** An address without a name to resolve; without workers it is not called either. */
const TARGET = 'https://1.1.1.1/'

function idFor(ids: Ids, path: string): string {
  if (/^(\/sandbox)?\/transaction/.test(path)) return ids.transaction
  if (path.startsWith('/batch')) return ids.batch
  if (path.startsWith('/customer')) return ids.customer
  if (path.startsWith('/invoice')) return ids.invoice
  if (path.startsWith('/item')) return ids.item
  if (path.startsWith('/webhook')) return ids.webhook
  return path.startsWith('/payment-method') ? ids.paymentMethod : ids.link
}

/** All alternatives of a body that may have one form or another. */
function alternativesOf({ properties, anyOf = [] }: BodySchema): readonly Properties[] {
  return properties === undefined ? anyOf.flatMap(alternativesOf) : [properties]
}

function idsIn(properties: Properties, ids: Ids): Record<string, string> {
  const known = {
    customer_id: ids.customer,
    payment_method_id: ids.paymentMethod,
    target_url: TARGET,
    since: new Date().toISOString(),
  }
  return Object.fromEntries(Object.entries(known).filter(([name]) => name in properties))
}

export const text = fc.oneof(
  anyText,
  fc.constantFrom('\u0000', '%', '_', '\\', "'", '"', '__proto__', '\ud800', '🕯', ' ', '\r\n'),
  fc.constantFrom('0', '1', '-1', '1e9', 'NaN', 'null', 'true', UNKNOWN, '9'.repeat(400)),
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
