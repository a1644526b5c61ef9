// A body that is wrong in every field, or that is no JSON at all. Other faults of a request are
// tried by openapi-requests.test.ts.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerTo, expectAllowed } from '../support/check-answer.ts'
import { type Talker, talkersOf, text } from '../support/junk.ts'
import { JSON_TYPE, type Sent } from '../support/requests.ts'
import { ROUTES } from '../support/route-table.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const RUNS = { numRuns: 200 }

const WRONG: readonly unknown[] = [true, 1.5, -1, 'x', {}, [[]], [{}], [5], { a: 1 }]

/** The terms of JSON Schema, which are not words for a reader. */
const TERMS = /schema|anyOf|oneOf|pattern|format|NOT|[<>]|a string|an array|boolean|integer/

/** A value has one fault: of its kind, of its type or of its words. */
function expectWords(texts: readonly string[]): void {
  expect(texts).toHaveLength(1)
  for (const text of texts) {
    expect(text).not.toMatch(TERMS)
    const words = /one of (.*)$/.exec(text)?.[1]?.split(', ') ?? []
    expect(words).toEqual([...new Set(words)])
  }
}

describe('bad input', () => {
  let service: TestService
  let merchant: Merchant
  let talkers: ReadonlyMap<string, Talker>

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { CHARGE_WAIT_MS: '0' } })
    merchant = await service.merchant()
    talkers = await talkersOf(service, merchant)
  })
  afterAll(() => service.close())

  function talkerOf(route: string): Talker {
    const talker = talkers.get(route)
    if (talker === undefined) throw new Error(`the document does not have ${route}`)
    return talker
  }

  const ask = (sent: Sent) => answerTo(service, merchant, sent)

  /** Providers send signed forms; a second spelling is the same operation. */
  const posted = Object.keys(ROUTES).filter(
    (route) => /^(POST|PUT) (?!\/provider\/)/.test(route) && !/\/receipt-(email|sms)$/.test(route),
  )

  it('is tried on every route that takes a body', () => {
    const withBody = [...talkers.values()].filter(({ body }) => body !== undefined)
    expect(withBody.map(({ route }) => route).sort()).toEqual([...posted].sort())
  })

  const say = (route: string, payload: string) => {
    const { method, url } = talkerOf(route)
    return ask({ method, url, payload, headers: JSON_TYPE })
  }

  it.each(posted)('sent to %s gets all its faults at once', async (route) => {
    for (const names of talkerOf(route).alternatives.map(Object.keys)) {
      const answer = await say(route, JSON.stringify(Object.fromEntries(names.map(withNested))))
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
      const fields = Object.keys(answer.body.errors).map((field) => field.split('.')[0])
      expect(fields).toEqual(expect.arrayContaining(names))
    }
  })

  it.each(posted)('sent to %s gets a sentence about each field', async (route) => {
    for (const names of talkerOf(route).alternatives.map(Object.keys)) {
      for (const wrong of WRONG) {
        const body = Object.fromEntries(names.map((name) => [name, wrong]))
        const { errors = {} } = (await say(route, JSON.stringify(body))).body
        for (const texts of Object.values(errors)) expectWords(texts as string[])
      }
    }
  })

  // All routes read their bodies in one way.
  const route = 'POST /charge'

  it('gets an answer of the usual shape if the JSON is cut short or spoilt', async () => {
    const whole = JSON.stringify(talkerOf(route).body)
    const place = fc.nat({ max: whole.length })
    await fc.assert(
      fc.asyncProperty(place, text, async (at, junk) => {
        expectAllowed(await say(route, whole.slice(0, at)))
        expectAllowed(await say(route, whole.slice(0, at) + junk + whole.slice(at)))
      }),
      RUNS,
    )
  })

  it('gets an answer of the usual shape if it is any bytes of any type', async () => {
    const types = fc.constantFrom(
      ...['application/json', 'text/plain', '', 'a/b;c', 'application/json; charset=x'],
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), types, async (bytes, type) => {
        const { method, url } = talkerOf(route)
        const headers = { 'content-type': type }
        expectAllowed(await ask({ method, url, payload: Buffer.from(bytes), headers }))
      }),
      RUNS,
    )
  })
})

/** A name with a value that is wrong for every field of ours, lists among them. */
function withNested(name: string): [string, unknown] {
  return [name, [[]]]
}
