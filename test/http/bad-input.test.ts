// Whatever is said to a route, its answer is one of those that it may give, in the shape that all
// refusals have, and it comes.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Merchant, openTestHouse, type TestHouse } from '../support/house.ts'
import { BODIES, QUERIES, text, value } from '../support/junk.ts'
import { expectProblem, JSON_TYPE, type Sent, send } from '../support/requests.ts'
import { routesOf } from '../support/routes.ts'

const RUNS = { numRuns: 40 }

/** Of a route without a worker behind it; longer is hung. */
const ANSWER_MS = 5_000

describe('bad input', () => {
  let house: TestHouse
  let merchant: Merchant

  beforeAll(async () => {
    house = await openTestHouse({ queues: [], settings: { CHARGE_WAIT_MS: '0' } })
    merchant = await house.merchant()
  })
  afterAll(() => house.close())

  async function ask(sent: Sent): Promise<Answer> {
    const headers = { ...merchant.headers, prefer: 'respond-async', ...sent.headers }
    const late = new Promise<never>((_, reject) => {
      setTimeout(reject, ANSWER_MS, new Error(`no answer to ${JSON.stringify(sent)}`)).unref()
    })
    return Promise.race([send(house.app, { ...sent, headers }), late])
  }

  function expectDecent(answer: Answer): void {
    expect(`${answer.status} ${answer.text}`).toMatch(/^(200|202|400|401|403|404|405|409|413|415) /)
    if (answer.status >= 400) expectProblem(answer)
  }

  it('is tried on every route that takes a body or a query', async () => {
    const routes = await routesOf(house.world)
    const posted = routes.flatMap((route) => /^POST (.*)$/.exec(route)?.[1] ?? [])
    expect(Object.keys(BODIES).sort()).toEqual(posted.sort())
  })

  describe.each(Object.entries(BODIES))('sent to POST %s', (url, right) => {
    const post = (payload: string, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
      ask({ method: 'POST', url, payload, headers })

    it('is answered decently when one field or another is wrong', async () => {
      const fields = fc.dictionary(fc.constantFrom(...Object.keys(right)), value)
      await fc.assert(
        fc.asyncProperty(fields, async (wrong) => {
          expectDecent(await post(JSON.stringify({ ...right, ...wrong })))
        }),
        RUNS,
      )
    })

    it('is answered decently when a field is missing', async () => {
      for (const field of Object.keys(right)) {
        expectDecent(await post(JSON.stringify({ ...right, [field]: undefined })))
      }
    })

    it('is answered decently when it is any JSON at all', async () => {
      await fc.assert(
        fc.asyncProperty(value, async (any) => expectDecent(await post(JSON.stringify(any)))),
        RUNS,
      )
    })

    it('is answered decently when the JSON is cut short or spoilt', async () => {
      const whole = JSON.stringify(right)
      const place = fc.nat({ max: whole.length })
      await fc.assert(
        fc.asyncProperty(place, text, async (at, junk) => {
          expectDecent(await post(whole.slice(0, at)))
          expectDecent(await post(whole.slice(0, at) + junk + whole.slice(at)))
        }),
        RUNS,
      )
    })

    it('is answered decently when it is any bytes of any type', async () => {
      const types = fc.constantFrom(
        'application/json',
        'text/plain',
        '',
        'a/b;c',
        'application/json; charset=x',
      )
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), types, async (bytes, type) => {
          const payload = Buffer.from(bytes)
          expectDecent(
            await ask({ method: 'POST', url, payload, headers: { 'content-type': type } }),
          )
        }),
        RUNS,
      )
    })

    it('is answered decently under any idempotency key', async () => {
      const key = fc.string({ maxLength: 300 }).filter((one) => /^[\x20-\x7e]*$/.test(one))
      await fc.assert(
        fc.asyncProperty(key, text, async (header, idempotency_id) => {
          const headers = { ...JSON_TYPE, 'idempotency-key': header }
          expectDecent(await post(JSON.stringify({ ...right, idempotency_id }), headers))
          expectDecent(await post(JSON.stringify(right), headers))
        }),
        { numRuns: 30 },
      )
    })
  })

  describe.each(Object.entries(QUERIES))('asked of GET %s', (url, names) => {
    const pairs = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), text), text), {
      maxLength: 4,
    })

    it('is answered decently, whatever the query', async () => {
      await fc.assert(
        fc.asyncProperty(pairs, async (query) => {
          const asked = new URLSearchParams(query)
          expectDecent(await ask({ url: `${url}?${asked}` }))
        }),
        RUNS,
      )
    })

    it('is answered decently, however it is encoded', async () => {
      const raw = fc.string({ unit: fc.constantFrom(...'%&=?;+[]#abc019'), maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(raw, async (query) => {
          expectDecent(await ask({ url: `${url}?${query}` }))
          expectDecent(await ask({ url: `${url}?${names[0]}=${query}` }))
        }),
        RUNS,
      )
    })
  })

  it('in the place of an id is answered decently', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (id) => {
        const answer = await ask({ url: `/transaction/${encodeURIComponent(id.toWellFormed())}` })
        expectDecent(answer)
        if (!/^[0-9a-f-]{36}$/i.test(id)) expect(answer.status).toBeGreaterThanOrEqual(400)
      }),
      RUNS,
    )
  })

  it('in the place of a path or a key is answered decently', async () => {
    const path = fc.string({ unit: fc.constantFrom(...'/%.:;abc{}*~'), maxLength: 20 })
    const key = fc.string({ maxLength: 40 }).filter((one) => /^[\x20-\x7e]*$/.test(one))
    await fc.assert(
      fc.asyncProperty(path, key, async (rest, authorization) => {
        expectDecent(await ask({ url: `/${rest}` }))
        expectDecent(await ask({ url: '/self', headers: { authorization } }))
        expectDecent(
          await ask({ url: '/self', headers: { authorization: `Bearer ${authorization}` } }),
        )
      }),
      RUNS,
    )
  })
})
