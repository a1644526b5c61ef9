import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CheckedCall,
  checkedCall,
  type Document,
  documentOf,
  type Named,
  operationsOf,
  type Parameter,
  refusalsOf,
  type Schema,
  schemaCheck,
} from '../support/document.ts'
import { withQuery } from '../support/requests.ts'
import { openShop, type Shop } from '../support/samples.ts'

/** The objects that appear in an answer as a whole. */
const SHOWN = [
  'Customer',
  'PaymentMethod',
  'PaymentLink',
  'Transaction',
  'Batch',
  'Deposit',
  'DepositTransaction',
  'Dispute',
  'Reversal',
  'Invoice',
  'Item',
  'ScheduledInvoice',
  'SandboxClock',
  'Event',
  'Delivery',
  'Webhook',
  'WebhookWithSecret',
  'WebhookDelivery',
  'Error',
]

/** The operations run one after the other. */
const LONG = { timeout: 180_000 }
const START_MS = 120_000

describe('the examples of the OpenAPI document', LONG, () => {
  let shop: Shop
  let ask: CheckedCall
  let document: Document

  beforeAll(async () => {
    shop = await openShop()
    document = documentOf(shop.service.app)
    ask = checkedCall(shop.service.app)
  }, START_MS)
  afterAll(() => shop.service.close())

  /** Checks all examples at once, so that one fault does not hide another. */
  async function refusedAmong(
    operations: readonly Named[],
    urls: (named: Named) => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    const refused: string[] = []
    for (const named of operations) {
      for (const url of await urls(named)) {
        const { whose, body } = await shop.sampleOf(named)
        const answer = await ask(named.method, url, whose.headers, body)
        if (answer.status !== 200) refused.push(`${named.route} ${url}: ${answer.text}`)
      }
    }
    return refused
  }

  it('exist for bodies, and are accepted as they are', async () => {
    const operations = operationsOf(document)
    const lacking = operations.filter(({ operation: { requestBody } }) => {
      const media = requestBody?.content['application/json']
      return requestBody !== undefined && typeof media?.example !== 'object'
    })
    expect(lacking.map(({ route }) => route)).toEqual([])
    expect(
      await refusedAmong(operations, async (named) => [(await shop.sampleOf(named)).url]),
    ).toEqual([])
  })

  it('exist for queries, and are accepted one by one and all together', async () => {
    const context = operationsOf(document).filter(
      ({ operation }) => queriesOf(operation).length > 0,
    )
    expect(context.length).toBeGreaterThan(2)
    const refused = await refusedAmong(context, async (named) => {
      const { url } = await shop.sampleOf(named)
      // Parameters of the sample are not added again.
      const queries = queriesOf(named.operation).filter(
        ([name]) => !url.includes('?') || !/id$/i.test(name),
      )
      const each = queries.map((one) => new URLSearchParams([one]))
      return [...each, new URLSearchParams(queries)].map((query) => withQuery(url, String(query)))
    })
    expect(refused).toEqual([])
  })

  it('match the schemas, for objects and answers', () => {
    const check = schemaCheck(document)
    for (const name of SHOWN) {
      const [example] = (document.components.schemas[name]?.examples ?? []) as readonly unknown[]
      expect([name, example]).toEqual([name, expect.any(Object)])
      expect([name, check(['components', 'schemas', name], example)]).toEqual([name, []])
    }
    const wrong = operationsOf(document).flatMap((named) =>
      examplesIn(document, named).flatMap(({ place, value }) =>
        check([...place, 'schema'], value).map((fault) => [named.route, fault]),
      ),
    )
    expect(wrong).toEqual([])
    const other = { ...document.components.examples.not_found, secret: 1 }
    expect(check(['components', 'schemas', 'Error'], other)).not.toEqual([])
  })

  it('exist for answers: for each success, and for each error by its code', () => {
    const lacking = operationsOf(document).flatMap((named) => {
      const there = examplesIn(document, named).map(({ name }) => name)
      const successes = Object.entries(named.operation.responses)
        .filter(([status, { content = {} }]) => status < '300' && JSON_TYPE in content)
        .map(([status]) => status)
      return [...successes, ...refusalsOf(named.operation)]
        .filter((name) => !there.includes(name))
        .map((name) => `${named.route} ${name}`)
    })
    expect(lacking, 'say in scripts/examples/example-story.ts how').toEqual([])
  })

  it('hold no key and no secret in answers', () => {
    const secrets = /sk_(sandbox|live)_\w{7,}|whsec_(?!A+=)/
    expect(JSON.stringify(document)).not.toMatch(secrets)
  })
})

const JSON_TYPE = 'application/json'

interface Example {
  /** The name of an answer, such as `200` or `409 in_use`. */
  readonly name: string
  readonly value: unknown
  /** The place of the example for its media type. */
  readonly place: readonly string[]
}

function examplesIn(
  { components }: Document,
  { path, method, operation }: Named,
): readonly Example[] {
  return Object.entries(operation.responses).flatMap(([status, { content = {} }]) => {
    const { example, examples = {} } = content[JSON_TYPE] ?? {}
    const place = ['paths', path, method.toLowerCase(), 'responses', status, 'content', JSON_TYPE]
    const plain = example === undefined ? [] : [{ name: status, value: example, place }]
    const named = Object.entries(examples).map(([code, { $ref, value }]) => ({
      name: `${status} ${code}`,
      value: $ref === undefined ? value : components.examples[code]?.value,
      place,
    }))
    return [...plain, ...named]
  })
}

function queriesOf({ parameters = [] }: Named['operation']): [string, string][] {
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => [parameter.name, exampleOf(parameter)])
}

function exampleOf({ name, schema }: Parameter): string {
  const value = exampleIn(schema)
  if (value === undefined) throw new Error(`the query ${name} lacks an example`)
  return String(value)
}

/** One of the words if there are some, or any text if any is allowed. */
function exampleIn(schema: Schema): unknown {
  if (typeof schema.items === 'object') return exampleIn(schema.items as Schema)
  const [first] = [schema.examples ?? [], schema.enum ?? []].flat()
  return first ?? (schema['x-kind'] === 'text' ? 'Ada' : undefined)
}
