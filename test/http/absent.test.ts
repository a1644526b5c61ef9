// Null, an empty optional text and an absent field mean the same, on every route.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentOf, type Named, operationsOf, type Schema } from '../support/document.ts'
import { type Talker, talkersOf } from '../support/junk.ts'
import { expectRefusal } from '../support/requests.ts'
import { ROUTES } from '../support/route-table.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

interface Field {
  readonly name: string
  readonly schema: Schema
}

/** Parts that differ in each answer, for any caller. */
const ITS_OWN = new RegExp(
  `"(?:${[
    ...['id', 'customer_id', 'start', 'next_run_at', 'future_occurrences', 'created_at'],
    ...['updated_at', 'now', 'secret', 'qr_code_url', 'url', 'request_id'],
  ].join('|')})":(?:"[^"]*"|\\[[^\\]]*\\])`,
  'g',
)

describe('an empty field', () => {
  let service: TestService
  let merchant: Merchant
  let talkers: ReadonlyMap<string, Talker>
  let operations: readonly Named[]

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { CHARGE_WAIT_MS: '0' } })
    merchant = await service.merchant()
    talkers = await talkersOf(service, merchant)
    operations = operationsOf(documentOf(service.app))
  })
  afterAll(() => service.close())

  /** The answer without the parts that differ each time. */
  async function said(route: string, body: object | undefined, query = '') {
    const { method, url } = talkers.get(route) as Talker
    const headers = { ...merchant.headers, prefer: 'respond-async' }
    const answer = await call(service.app, method as 'POST', `${url}${query}`, headers, body)
    return { status: answer.status, text: answer.text.replace(ITS_OWN, '') }
  }

  function fieldsOf(route: string) {
    const { operation } = operations.find((one) => one.route === route) ?? {}
    const schema = operation?.requestBody?.content['application/json']?.schema ?? {}
    const inQuery = (operation?.parameters ?? []).filter((one) => one.in === 'query')
    const inBody = ((schema.anyOf ?? [schema]) as Schema[]).flatMap((one): Field[] => {
      const required = (one.required ?? []) as readonly string[]
      return Object.entries((one.properties ?? {}) as Record<string, Schema>)
        .filter(([name]) => !required.includes(name) && name !== 'link_meta')
        .map(([name, field]) => ({ name, schema: field }))
    })
    return { inBody, inQuery }
  }

  /** These routes move nothing, so a second request finds the same rows as the first. */
  const REPEATABLE = Object.keys(ROUTES).filter(
    (route) =>
      /^(POST|PUT) (?!\/provider\/)/.test(route) &&
      !/clock|receipt|replay|pay(\/\w+)?$|send\/|test$/.test(route),
  )

  it.each(REPEATABLE)('is like an absent field: %s', async (route) => {
    const { body = {} } = talkers.get(route) as Talker
    for (const { name, schema } of fieldsOf(route).inBody) {
      const { [name]: _, ...without } = body
      const absent = await said(route, without)
      expect({ name, ...(await said(route, { ...without, [name]: null })) }).toEqual({
        name,
        ...absent,
      })
      if (!isText(schema)) continue
      expect({ name, ...(await said(route, { ...without, [name]: '' })) }).toEqual({
        name,
        ...absent,
      })
    }
  })

  /** The document does not list itself. */
  const READ = Object.keys(ROUTES).filter(
    (route) => route.startsWith('GET ') && route !== 'GET /openapi.json',
  )

  it.each(READ)('is like an absent field, in the query of %s', async (route) => {
    const { status } = await said(route, undefined)
    for (const { name, schema } of fieldsOf(route).inQuery) {
      const { type, 'x-absent': word } = schema as Schema
      const isWhole = isText(schema as Schema) || type === 'array'
      const nothing = [...(isWhole ? [''] : []), ...(word === undefined ? [] : [word])]
      for (const value of nothing) {
        expect({ name, ...(await said(route, undefined, `?${name}=${value}`)) }).toMatchObject({
          name,
          status,
        })
      }
    }
  })

  it('is no id: an empty id does not select everything', async () => {
    for (const url of ['/transaction?customer_id=', '/invoice?schedule_id=']) {
      expectRefusal(await call(service.app, 'GET', url, merchant.headers), 400, 'invalid_id')
    }
    const body = { method: 'card', person_name: 'Ada', customer_id: '' }
    const answer = await call(service.app, 'POST', '/payment-method', merchant.headers, body)
    expectRefusal(answer, 400, 'invalid_id', ['customer_id'])
  })

  it.each(['limit', 'page', 'minTotal', 'total'])(
    'is no number: an empty %s of a query is at fault',
    async (name) => {
      const answer = await call(service.app, 'GET', `/transaction?${name}=`, merchant.headers)
      expectRefusal(answer, 400, 'invalid_request', [name])
    },
  )

  it('is no amount: an empty amount is at fault', async () => {
    const { url } = talkers.get('POST /transaction/{id}/refund') as Talker
    for (const field of ['amount', 'total']) {
      const answer = await call(service.app, 'POST', url, merchant.headers, { [field]: '' })
      expectRefusal(answer, 400, 'invalid_request', [field])
    }
  })
})

function isText(schema: Schema): boolean {
  return (
    schema.type === 'string' && !/id$/.test(String(schema['x-kind'])) && schema.format !== 'uuid'
  )
}
