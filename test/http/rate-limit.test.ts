// The headers of the rate limit, and the settings that change it.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findCallerByHash } from '../../src/accounts/find-caller.ts'
import { askSelf, rateLimitOf, statusCounts, times } from '../support/rate-limit.ts'
import { expectRefusal, JSON_TYPE, type Sent, send } from '../support/requests.ts'
import { setTeam } from '../support/set-team.ts'
import { soon } from '../support/soon.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: [], settings: { RATE_LIMIT_PER_MINUTE: '50' } })
})
beforeEach(async () => {
  merchant = await service.merchant()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => service.close())

/** How often the store has counted the keys or the addresses of all tests. */
async function countOf(subjects: 'key' | 'address'): Promise<number> {
  const sql =
    "SELECT coalesce(sum(count), 0)::integer AS sum FROM request_window WHERE subject LIKE $1 || ':%'"
  return (await service.world.db.query(sql, [subjects]))[0]?.sum
}

const ask = (sent: Sent, whose: Pick<Merchant, 'headers'> = merchant) =>
  send(service.app, { ...sent, headers: { ...JSON_TYPE, ...whose.headers, ...sent.headers } })

const post = (url: string, body: object | string, whose?: Merchant) =>
  ask(
    { method: 'POST', url, payload: typeof body === 'string' ? body : JSON.stringify(body) },
    whose,
  )

const limit = (sandbox: number | string) =>
  setTeam(service.world, merchant.teamId, [`sandbox_rate_limit=${sandbox}`])

const PERSON = { firstname: 'Ada' }

describe('every answer to a key shows the requests left', () => {
  it('whatever the answer is', async () => {
    const fallen = await service.merchant()
    const live = await service.merchant('live')
    await setTeam(service.world, fallen.teamId, ['enabled=false'])
    const charge = { total: 1, payment_method_id: UNKNOWN }
    const given: Record<string, () => ReturnType<typeof ask>> = {
      200: () => post('/customer', PERSON),
      202: async () =>
        service.charge(
          merchant,
          { ...charge, payment_method_id: await service.card(merchant) },
          { prefer: 'respond-async' },
        ),
      '400 of a query': () => ask({ url: '/customer?x=1' }),
      '400 of a body': () => post('/customer', {}),
      '400 of no JSON': () => post('/customer', '{'),
      '400 of an id': () => ask({ url: '/transaction/x' }),
      403: () => ask({ url: `/transaction/${UNKNOWN}` }, fallen),
      404: () => ask({ url: `/transaction/${UNKNOWN}` }),
      '404 of a path': () => ask({ url: '/nothing' }),
      '404 of a path with a body': () => post('/charges', {}),
      405: () => ask({ method: 'PATCH', url: '/customer' }),
      '405 of a method of WebDAV': () => ask({ method: 'PROPFIND' as 'GET', url: '/customer' }),
      413: () => post('/customer', { notes: 'x'.repeat(1024 * 1024) }),
      415: () => ask({ method: 'POST', url: '/customer', headers: XML, payload: '<x/>' }),
      503: () => post('/charge', charge, live),
    }
    for (const [what, give] of Object.entries(given)) {
      const answer = await give()
      expect([what, answer.status]).toEqual([what, Number.parseInt(what, 10)])
      expect([what, rateLimitOf(answer)?.limit]).toEqual([what, 50])
    }
  })

  it('also when something is wrong on our side', async () => {
    await service.world.db.query('ALTER TABLE customer RENAME TO lost')
    const answer = await ask({ url: '/customer' })
    expectRefusal(answer, 500, 'internal_error')
    expect(rateLimitOf(answer)).toMatchObject({ left: 49, limit: 50 })
    await service.world.db.query('ALTER TABLE lost RENAME TO customer')
  })

  it('but none if no key is needed, or the key is invalid', async () => {
    const answers = [
      await send(service.app, { url: '/self' }),
      await ask({ url: '/self', headers: { authorization: 'Bearer x' } }),
      await ask({ url: '/healthz' }),
      await ask({ url: '/nothing', headers: { authorization: 'Bearer x' } }),
      await send(service.app, { method: 'PATCH', url: '/customer' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 404, 405])
    for (const { headers } of answers) {
      expect(headers).not.toHaveProperty('ratelimit')
      expect(headers).not.toHaveProperty('ratelimit-policy')
    }
  })

  it('counts error answers like others', async () => {
    await ask({ url: '/customer?x=1' })
    await post('/customer', '{')
    await ask({ url: '/nothing' })
    expect(rateLimitOf(await askSelf(service.app, merchant))?.left).toBe(46)
  })

  it('and a key that has none left finds no path either', async () => {
    await limit(1)
    await askSelf(service.app, merchant)
    expectRefusal(await ask({ url: '/nothing' }), 429, 'rate_limited')
    expectRefusal(await ask({ method: 'PATCH', url: '/customer' }), 429, 'rate_limited')
    expectRefusal(await send(service.app, { url: '/nothing' }), 404, 'not_found')
  })
})

describe('a request', () => {
  /** How often the limits had counted when the key of a request was found. */
  function countedAtLookUp(): readonly number[] {
    const { db, limits } = service.world
    const counted = vi.spyOn(limits, 'count')
    const seen: number[] = []
    const ask = db.ask.bind(db)
    vi.spyOn(db, 'ask').mockImplementation(async (statement, input) => {
      const answer = await ask(statement, input)
      if (statement.name === findCallerByHash.name) seen.push(counted.mock.calls.length)
      return answer
    })
    return seen
  }

  it('is counted while its key is looked up, once the key has been valid', async () => {
    const seen = countedAtLookUp()
    for (const left of [49, 48]) {
      expect(rateLimitOf(await askSelf(service.app, merchant))?.left).toBe(left)
    }
    expect(seen).toEqual([0, 2])
  })

  it('is not counted if its key cannot be looked up', async () => {
    await askSelf(service.app, merchant)
    const { db } = service.world
    const asked = vi.spyOn(db, 'query')
    const ask = db.ask.bind(db)
    const away = vi.spyOn(db, 'ask').mockImplementation((statement, input) => {
      if (statement.name === findCallerByHash.name) return Promise.reject(new Error('away'))
      return ask(statement, input)
    })
    for (const status of [500, 500]) {
      expect((await askSelf(service.app, merchant)).status).toBe(status)
    }
    away.mockRestore()
    const givenBack = () =>
      asked.mock.results.filter((_, at) => asked.mock.calls[at]?.[0].includes('request_window'))
    await soon(() => expect(givenBack()).toHaveLength(2))
    await Promise.all(givenBack().map(({ value }) => value))
    expect(rateLimitOf(await askSelf(service.app, merchant))?.left).toBe(48)
  })

  it('is refused with a key that has been revoked since, and counted by its address', async () => {
    await askSelf(service.app, merchant)
    const before = await countOf('address')
    await service.world.db.query(
      'UPDATE api_key SET revoked_at = created_at WHERE account_id = $1',
      [merchant.accountId],
    )
    expectRefusal(await askSelf(service.app, merchant), 401, 'unauthorized')
    expect(await countOf('address')).toBe(before + 1)
  })
})

describe('a refused request', () => {
  it('is not carried out, nor looked at', async () => {
    await limit(1)
    expect((await post('/customer', PERSON)).status).toBe(200)
    for (const body of [PERSON, {}, '{']) {
      const refused = await post('/customer', body)
      expectRefusal(refused, 429, 'rate_limited')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    }
    const sql = 'SELECT FROM customer WHERE account_id = $1'
    expect(await service.world.db.query(sql, [merchant.accountId])).toHaveLength(1)
  })

  it('is not counted in the store, once this process knows that none are left', async () => {
    await limit(2)
    const before = await countOf('key')
    await Promise.all(times(2, () => askSelf(service.app, merchant)))
    await Promise.all(times(20, () => askSelf(service.app, merchant)))
    expect(await countOf('key')).toBe(before + 2)
  })

  it('is refused before the state of its team is checked', async () => {
    await setTeam(service.world, merchant.teamId, ['enabled=false', 'sandbox_rate_limit=1'])
    expectRefusal(await post('/charge', {}), 403, 'team_disabled')
    expectRefusal(await post('/charge', {}), 429, 'rate_limited')
  })
})

describe('the seconds to wait', () => {
  it('are whole, sufficient, and at least one', async () => {
    let now = new Date('2026-03-07T12:00:00.250Z')
    const settings = { RATE_LIMIT_PER_MINUTE: '1' }
    await using still = await openTestService({ queues: [], clock: { now: () => now }, settings })
    const one = await still.merchant()
    expect(rateLimitOf(await askSelf(still.app, one))).toEqual({ left: 0, resetS: 60, limit: 1 })
    const moments: readonly (readonly [at: string, waitS: number])[] = [
      ['12:00:00.250', 60],
      ['12:00:00.251', 60],
      ['12:00:01.250', 59],
      ['12:00:59.250', 1],
      ['12:01:00.249', 1],
    ]
    for (const [at, waitS] of moments) {
      now = new Date(`2026-03-07T${at}Z`)
      const refused = await askSelf(still.app, one)
      expectRefusal(refused, 429, 'rate_limited')
      expect(refused.body.message).toBe(
        `too many requests: the limit is 1 a minute, try again in ${waitS} s`,
      )
      const { 'retry-after': retryAfter } = refused.headers
      expect([at, retryAfter, rateLimitOf(refused)?.resetS]).toEqual([at, String(waitS), waitS])
    }
    now = new Date('2026-03-07T12:01:00.250Z')
    expect((await askSelf(still.app, one)).status).toBe(200)
  })
})

describe('the limit of an account', () => {
  it('is the default of new accounts until it is set, and then counts at once', async () => {
    expect(rateLimitOf(await askSelf(service.app, merchant))).toMatchObject({ left: 49, limit: 50 })
    await limit(3)
    expect(rateLimitOf(await askSelf(service.app, merchant))).toMatchObject({ left: 1, limit: 3 })
    await askSelf(service.app, merchant)
    expectRefusal(await askSelf(service.app, merchant), 429, 'rate_limited')
    const { body } = await askSelf(service.app, await service.merchant())
    expect(body.account.rate_limit_per_minute).toBe(50)
  })

  it('lets requests through when it is raised in the middle of a used-up minute', async () => {
    await limit(2)
    const ten = () => Promise.all(times(10, () => askSelf(service.app, merchant)))
    expect(statusCounts(await ten())).toEqual({ 200: 2, 429: 8 })
    await limit(1_000_000)
    expect(statusCounts(await ten())).toEqual({ 200: 10 })
  })

  it('is separate for live and sandbox', async () => {
    await setTeam(service.world, merchant.teamId, ['sandbox_rate_limit=7', 'live_rate_limit=8'])
    const accounts = await service.world.db.prisma.account.findMany({
      where: { teamId: merchant.teamId },
      orderBy: { mode: 'asc' },
    })
    expect(accounts.map((one) => [one.mode, one.rateLimitPerMinute])).toEqual([
      ['sandbox', 7],
      ['live', 8],
    ])
  })

  it('is never less than one, more than a million, or no whole number', async () => {
    for (const value of ['0', '-1', '1000001', '1e3', '10.5', 'many', '٣', '9'.repeat(30)]) {
      await expect(limit(value), value).rejects.toThrow(/are a whole number, 1 to 1000000$/)
      expect(rateLimitOf(await askSelf(service.app, merchant))?.limit).toBe(50)
    }
  })
})

const XML = { 'content-type': 'application/xml' }
