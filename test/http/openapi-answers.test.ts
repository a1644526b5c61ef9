// What the OpenAPI document says is what happens: the examples of requests are accepted, and every
// answer is as described.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answerCheck,
  type CheckedCall,
  checkedCall,
  type Document,
  documentOf,
  eventCheck,
  type Named,
  operationsOf,
  type Parameter,
  refusalsOf,
  type Schema,
  schemaCheck,
} from '../support/document.ts'
import { FULL_LINK } from '../support/links.ts'
import { FULL } from '../support/people.ts'
import { withQuery } from '../support/requests.ts'
import { openSampleMerchant, type SampleMerchant } from '../support/samples.ts'
import { BANK, DECLINED_CARD } from '../support/sandbox-cards.ts'

/** The operations run one after the other. */
const LONG = { timeout: 180_000 }
const START_MS = 120_000

const MOST_TRIES = 4

/** Nothing is due in the new account of its sample, so the clock is ready at once. */
const CLOCK = 'POST /sandbox/clock'

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

let seller: SampleMerchant
let document: Document
let ask: CheckedCall

beforeAll(async () => {
  seller = await openSampleMerchant()
  document = documentOf(seller.service.app)
  ask = checkedCall(seller.service.app)
}, START_MS)
afterAll(() => seller.service.close())

describe('the OpenAPI document describes', LONG, () => {
  it.each([
    ['200', {}],
    ['202', { prefer: 'respond-async' }],
  ])('%s of every operation that can answer it', async (status, how) => {
    const others: string[] = []
    const operations = operationsOf(document)
    const answering = operations.filter(({ operation, route }) => {
      return status in operation.responses && (status === '200' || route !== CLOCK)
    })
    for (const named of answering) {
      const answers = []
      // A worker is sometimes faster than an answer that does not wait for it.
      while (answers.length < MOST_TRIES && answers.at(-1)?.status !== Number(status)) {
        const { whose, url, body } = await seller.sampleOf(named)
        answers.push(await ask(named.method, url, { ...whose.headers, ...how }, body))
      }
      const last = answers.at(-1)
      if (last?.status !== Number(status)) others.push(`${named.route}: ${last?.text}`)
    }
    expect(answering.length).toBeGreaterThan(4)
    expect(others).toEqual([])
  })

  it('a charge with every field, and all its events', async () => {
    const { headers } = seller.merchant
    const customer = await ask('POST', '/customer', headers, FULL)
    const link = await ask('POST', '/payment-link', headers, { ...FULL_LINK, active: true })
    const bank = { ...BANK, bank_name: 'First', customer_id: customer.body.id }
    const method = await ask('POST', '/payment-method', headers, bank)
    const charge = {
      total: '12.50',
      payment_method_id: method.body.id,
      payment_link_id: link.body.id,
      channel: 'web',
      meta: { lineItems: [{ item: 'Tea', price: 12.5 }] },
      funding: [{ account_id: 'a', amount: 12.5, memo: 'all of it' }],
      idempotency_id: 'with everything',
    }
    const made = await ask('POST', '/charge', headers, charge)
    const again = await ask('POST', '/charge', headers, charge)
    const funding = await ask('GET', `/transaction/${made.body.id}/funding`, headers)
    const voided = await ask('POST', `/transaction/${made.body.id}/void`, headers)
    const related = await ask('GET', `/transaction/${made.body.id}/related`, headers)
    expect([made, again, funding, voided, related].map(({ status }) => status)).toEqual(
      Array(5).fill(200),
    )
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('an authorisation with its captures, and their refunds', async () => {
    const { headers } = seller.merchant
    const id = await seller.make.authorised()
    await ask('POST', `/transaction/${id}/capture`, headers, { total: 4 })
    const captured = await ask('POST', `/transaction/${id}/capture`, headers, { total: 6 })
    expect(captured.body.child_captures).toHaveLength(2)
    const [first] = captured.body.child_captures
    await ask('POST', `/transaction/${first.id}/void`, headers)
    const { body } = await ask('GET', `/transaction/${id}`, headers)
    expect(body.child_captures[0].child_transactions).toHaveLength(1)
  })

  it('a payment that was declined, which is a transaction and 400', async () => {
    const card = await seller.service.card(seller.merchant, DECLINED_CARD)
    const body = { total: 1, payment_method_id: card }
    const declined = await ask('POST', '/charge', seller.merchant.headers, body)
    expect(declined).toMatchObject({ status: 400, body: { status: 'FAILED', success: false } })
  })

  it('the request that an endpoint gets for each of these events', async () => {
    const check = eventCheck(document)
    const events = await seller.service.world.db.prisma.event.findMany()
    for (const { type, snapshot } of events) check(type, snapshot)
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(15)
    const [one] = events
    expect(() => check(one?.type ?? '', { ...Object(one?.snapshot), secret: 1 })).toThrow()
  })

  it('no other answer, as a control', async () => {
    const check = answerCheck(document)
    const made = await ask('POST', '/customer', seller.merchant.headers, { firstname: 'Ada' })
    const others = [
      { ...made.body, secret: 1 },
      { ...made.body, id: 'x' },
      { ...made.body, created_at: 'today' },
      { ...made.body, meta: undefined },
    ]
    check('POST', '/customer', made)
    for (const body of others) {
      const wrong = { ...made, body: JSON.parse(JSON.stringify(body)) }
      expect(() => check('POST', '/customer', wrong)).toThrow()
    }
    const { ratelimit: _, ...headers } = made.headers
    expect(() => check('POST', '/customer', { ...made, headers })).toThrow()
    expect(() => check('POST', '/customer', { ...made, status: 418 })).toThrow()
    expect(() => check('POST', '/customer', { ...made, text: '', headers: {} })).toThrow()
  })

  it('no code that it does not name, as a control', async () => {
    const check = answerCheck(document)
    const refused = await ask('GET', '/customer?limit=0', seller.merchant.headers)
    const other = { ...refused, body: { ...refused.body, error: 'in_use' } }
    expect(() => check('GET', '/customer', other)).toThrow()
  })
})

describe('the examples of the OpenAPI document', LONG, () => {
  it('exist for bodies', () => {
    const operations = operationsOf(document)
    const lacking = operations.filter(({ operation: { requestBody } }) => {
      const media = requestBody?.content['application/json']
      return requestBody !== undefined && typeof media?.example !== 'object'
    })
    expect(lacking.map(({ route }) => route)).toEqual([])
  })

  it('exist for queries, and are accepted one by one and all together', async () => {
    const queried = operationsOf(document).filter(
      ({ operation }) => queriesOf(operation).length > 0,
    )
    expect(queried.length).toBeGreaterThan(2)
    // All faults are shown, so that one does not hide another.
    const refused: string[] = []
    for (const named of queried) {
      const { whose, url, body } = await seller.sampleOf(named)
      // Parameters of the sample are not added again, in its address or with another value in its body.
      const queries = queriesOf(named.operation).filter(
        ([name]) => !(name in Object(body)) && (!url.includes('?') || !/id$/i.test(name)),
      )
      for (const query of [...queries.map((one) => [one]), queries]) {
        const asked = withQuery(url, String(new URLSearchParams(query)))
        const answer = await ask(named.method, asked, whose.headers, body)
        if (answer.status !== 200) refused.push(`${named.route} ${asked}: ${answer.text}`)
      }
    }
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
