// Whatever an address contains, or a key's place holds, the answer has the usual shape.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { answerTo, expectAllowed } from '../support/check-answer.ts'
import { type Talker, talkersOf, text } from '../support/junk.ts'
import type { Sent } from '../support/requests.ts'
import { ROUTES } from '../support/route-table.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const RUNS = { numRuns: 12 }
const MANY_RUNS = { numRuns: 200 }

/** The document lists the other routes, and not itself. */
const DOCUMENT = { url: '/openapi.json', queries: [] as readonly string[] }

describe('a bad address', () => {
  let service: TestService
  let merchant: Merchant
  let talkers: ReadonlyMap<string, Talker>

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { CHARGE_WAIT_MS: '0' } })
    merchant = await service.merchant()
    talkers = await talkersOf(service, merchant)
  })
  afterAll(() => service.close())

  const ask = (sent: Sent) => answerTo(service, merchant, sent)

  const asked = Object.keys(ROUTES).filter((route) => route.startsWith('GET '))

  describe.each(asked)('asked of %s', (route) => {
    it('gets an answer of the usual shape, whatever its query', async () => {
      const { url, queries } = talkers.get(route) ?? DOCUMENT
      const names = fc.oneof(fc.constantFrom('x', ...queries), text)
      const pairs = fc.array(fc.tuple(names, text), { maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(pairs, async (query) => {
          expectAllowed(await ask({ url: `${url}?${new URLSearchParams(query)}` }))
        }),
        RUNS,
      )
    })
  })

  // All routes read their queries in one way: each run asks another of them.
  it('of any bytes gets an answer of the usual shape', async () => {
    const raw = fc.string({ unit: fc.constantFrom(...'%&=?;+[]#abc019'), maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...asked), raw, async (route, junk) => {
        const { url, queries } = talkers.get(route) ?? DOCUMENT
        expectAllowed(await ask({ url: `${url}?${junk}` }))
        expectAllowed(await ask({ url: `${url}?${queries[0] ?? 'x'}=${junk}` }))
      }),
      MANY_RUNS,
    )
  })

  it('in the place of a path or a key gets an answer of the usual shape', async () => {
    const path = fc.string({ unit: fc.constantFrom(...'/%.:;abc{}*~'), maxLength: 20 })
    const key = fc.string({ maxLength: 40 }).filter((one) => /^[\x20-\x7e]*$/.test(one))
    await fc.assert(
      fc.asyncProperty(path, key, async (rest, authorization) => {
        expectAllowed(await ask({ url: `/${rest}` }))
        expectAllowed(await ask({ url: '/self', headers: { authorization } }))
        const bearer = { authorization: `Bearer ${authorization}` }
        expectAllowed(await ask({ url: '/self', headers: bearer }))
      }),
      RUNS,
    )
  })
})
