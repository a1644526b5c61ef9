import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isFreeName, isInstantName } from '../../src/core/dialect.ts'
import { ERROR_CATALOGUE } from '../../src/core/errors.ts'
import { EVENT_NAMES, WEBHOOK_TEST } from '../../src/events/event-names.ts'
import {
  type Document,
  documentOf,
  type Named,
  operationsOf,
  refusalsOf,
  type Schema,
} from '../support/document.ts'
import { send } from '../support/requests.ts'
import { ROUTES } from '../support/route-table.ts'
import { routesOf } from '../support/routes.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/**
 * The document itself, operations that only say that an id is missing, second spellings, and the
 * operations that providers call.
 */
const UNLISTED = [
  'GET /openapi.json',
  'DELETE /query/payment-links',
  'PUT /transaction/{id}/receipt-email',
  'PUT /transaction/{id}/receipt-sms',
  'POST /transaction/{id}/receipt-email',
  'POST /transaction/{id}/receipt-sms',
  'POST /provider/stripe',
  'POST /provider/checkout',
  'POST /provider/twilio/status',
  'POST /provider/twilio/message',
]

/** The statuses of any request with a key, and of any with a body. */
const OF_KEYED = ['200', '400', '401', '429', '500', '503']
const OF_BODIES = ['413', '415']

describe('the OpenAPI document', () => {
  let service: TestService
  let document: Document

  beforeAll(async () => {
    service = await openTestService({ queues: [], backend: 'postgres' })
    await service.app.ready()
    document = documentOf(service.app)
  })
  afterAll(() => service.close())

  it('is answered without a key, and is valid OpenAPI 3.1', async () => {
    const { status, body } = await send(service.app, { url: '/openapi.json' })
    expect([status, body.openapi]).toEqual([200, '3.1.0'])
    expect(await new Validator().validate(body)).toMatchObject({ valid: true })
    expect(body).toEqual(document)
  })

  it('says on each refusal after a valid key how many requests are left', () => {
    const keyed = operationsOf(document).filter(({ operation }) => operation.security.length > 0)
    const answers = keyed.flatMap(({ operation }) => Object.entries(operation.responses))
    const silent = answers.filter(([, { headers = {} }]) => !('RateLimit' in headers))
    // Faults of our own may come before the key is looked up.
    expect([...new Set(silent.map(([status]) => status))].sort()).toEqual(['401', '500', '503'])
  })

  it('is printed once, since it costs a stranger nothing to ask for it', async () => {
    const first = await send(service.app, { url: '/openapi.json' })
    const stringify = vi.spyOn(JSON, 'stringify')
    const second = await send(service.app, { url: '/openapi.json' })
    const printed = stringify.mock.results.filter(({ value }) => String(value).length > 100_000)
    stringify.mockRestore()
    expect([second.text === first.text, printed.length]).toEqual([true, 0])
    expect(second.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('says what generators of clients read: open objects as such, and no conditions', () => {
    const unread = (schema: unknown, at: string): readonly string[] => {
      if (typeof schema !== 'object' || schema === null) return []
      const { type, properties, additionalProperties: more, anyOf } = schema as Schema
      const isEmpty = type === 'object' && (properties ?? more ?? anyOf) === undefined
      const parts = Object.entries(schema).filter(([name]) => !name.startsWith('example'))
      return [
        ...(isEmpty || 'if' in schema ? [at] : []),
        ...parts.flatMap(([name, part]) => unread(part, `${at}/${name}`)),
      ]
    }
    expect(unread(document.paths, '')).toEqual([])
    expect(unread(document.components, '')).toEqual([])
  })

  it('would not be valid with a fault in it, as a control', async () => {
    const faulty = { ...document, paths: { '/x': { get: { responses: 5 } } } }
    expect(await new Validator().validate(faulty)).toMatchObject({ valid: false })
  })

  it('is shown on a page that loads nothing from elsewhere, without a redirect', async () => {
    for (const url of ['/docs', '/docs/']) {
      const page = await send(service.app, { url })
      expect([page.status, page.headers['content-type']]).toEqual([
        200,
        expect.stringMatching(/^text\/html/),
      ])
      expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//)
    }
  })

  it('lists every useful route', async () => {
    const listed = operationsOf(document).map(({ route }) => route)
    const routes = (await routesOf(service.world)).filter((route) => !UNLISTED.includes(route))
    expect(listed.sort()).toEqual([...routes].sort())
  })

  it('lists every error with its status and its remedy', () => {
    for (const [code, { status, remedy }] of Object.entries(ERROR_CATALOGUE)) {
      expect(document.info.description).toContain(`\`${code}\` | ${status} |`)
      expect(document.info.description).toContain(remedy)
    }
  })

  it('describes every operation, under one of its headings', () => {
    const headings = document.tags.map(({ name }) => name)
    const wrong = operationsOf(document).filter(({ operation: { summary = '', tags = [] } }) => {
      return !/\w/.test(summary) || tags.length !== 1 || !headings.includes(tags[0] ?? '')
    })
    expect(wrong.map(({ route }) => route)).toEqual([])
  })

  it('gives no two operations the same summary', () => {
    const summaries = operationsOf(document).map(({ operation }) => operation.summary)
    expect(summaries).toEqual([...new Set(summaries)])
  })

  it('describes every parameter', () => {
    const silent = operationsOf(document).flatMap(({ route, operation: { parameters = [] } }) =>
      parameters
        .filter(({ description = '' }) => !/\w/.test(description))
        .map((one) => [route, one]),
    )
    expect(silent).toEqual([])
  })

  it('describes every status', () => {
    const silent = operationsOf(document).flatMap(({ route, operation }) =>
      Object.entries(operation.responses)
        .filter(([, { description }]) => !/\w/.test(description) || /^Default/.test(description))
        .map(([status]) => `${route} ${status}`),
    )
    expect(silent).toEqual([])
  })

  it('names every operation as a client would, each uniquely', () => {
    const names = [
      ...operationsOf(document).map(({ operation }) => operation.operationId ?? ''),
      ...Object.values(document.webhooks).map(({ post }) => post.operationId ?? ''),
    ]
    expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]+)*$/.test(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['createCharge', 'listBatches']))
  })

  it('has instants and free objects only under names that a dialect knows', () => {
    const { Error: _, ...schemas } = document.components.schemas
    const responses = operationsOf(document).map(({ operation }) => operation.responses)
    const fields = [schemas, ...responses].flatMap((schema) => fieldsIn(schema))
    const named = (passes: (schema: Schema) => boolean) => [
      ...new Set(fields.filter(({ schema }) => passes(schema)).map(({ name }) => name)),
    ]
    const instants = named((schema) => /"format":"date-time"/.test(JSON.stringify(schema)))
    expect(instants.filter((name) => !isInstantName(name))).toEqual([])
    expect(instants).toContain('respond_by')
    const others = named((schema) => !/"format":"date-time"/.test(JSON.stringify(schema)))
    expect(others.filter(isInstantName)).toEqual([])
    const open = named(({ type, properties }) => type === 'object' && properties === undefined)
    // An event's resource is translated like the resource itself.
    expect(open.filter((name) => !isFreeName(name))).toEqual(['data'])
  })

  it('names no refusal of an operation twice', () => {
    const twice = operationsOf(document).filter(({ operation }) => {
      const refusals = refusalsOf(operation)
      return new Set(refusals).size < refusals.length
    })
    expect(twice.map(({ route }) => route)).toEqual([])
  })

  it('describes the request that an endpoint gets for every event', () => {
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_NAMES, WEBHOOK_TEST])
  })

  it('says which operations need a key, and which refusals follow from that', () => {
    for (const { route, operation } of operationsOf(document)) {
      const isKeyed = ROUTES[route] !== 'no key'
      const statuses = Object.keys(operation.responses)
      const hasBody = operation.requestBody !== undefined
      const expected = [...(isKeyed ? OF_KEYED : ['200']), ...(hasBody ? OF_BODIES : [])]
      expect([route, operation.security]).toEqual([route, isKeyed ? [{ key: [] }] : []])
      expect([route, ...statuses]).toEqual(expect.arrayContaining([route, ...expected]))
    }
  })

  it.each<[string, (named: Named) => boolean]>([
    ['idempotency-key', ({ route }) => ONCE.test(route) || RECEIPT.test(route)],
    ['prefer', ({ operation }) => '202' in operation.responses],
  ])('shows the header %s on the operations that use it, and on no other', (name, isMeant) => {
    const wrong = operationsOf(document).filter((named) => {
      const { parameters = [] } = named.operation
      return parameters.some((one) => one.in === 'header' && one.name === name) !== isMeant(named)
    })
    expect(wrong.map(({ route }) => route)).toEqual([])
  })
})

interface Field {
  readonly name: string
  readonly schema: Schema
}

/** The innermost fields of a schema, and those that can hold anything. */
function fieldsIn(schema: unknown, name = ''): readonly Field[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, examples: _, example: __, ...rest } = schema as Record<string, Schema>
  const own = Object.entries(properties ?? {}).flatMap(([field, one]) => fieldsIn(one, field))
  const inner = Object.values(rest).flatMap((one) => fieldsIn(one, name))
  const isLeaf = own.length === 0 && inner.length === 0 && 'type' in schema
  return isLeaf ? [{ name, schema: schema as Schema }] : [...own, ...inner]
}

/** Operations that create something, move money, or send something. */
const ONCE =
  /^POST \/(charge|customer|payment-method|payment-link|invoice(\/(schedule|\{id\}\/pay(\/\w+)?))?|item|query\/payment-links|transaction(\/\{id\}\/(void|refund|void-or-refund|capture))?|webhook(\/\{id\}\/test)?)$/

const RECEIPT = /^(PUT|POST) \/(transaction\/\{id\}\/receipt|invoice\/\{id\}\/send)\/(email|sms)$/
