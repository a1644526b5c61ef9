// A key has so many requests a minute, whichever process they come to.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../src/accounts/manage-keys.ts'
import type { App } from '../../src/http/app.ts'
import { sweep } from '../../src/upkeep/sweep.ts'
import { letPass, type MovableClock, movableClock } from '../support/end-windows.ts'
import { type Further, openFurther } from '../support/further.ts'
import { askSelf, rateLimitOf, statusCounts, times } from '../support/rate-limit.ts'
import { expectRefusal, send } from '../support/requests.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const FAILED_SIGN_INS = 30

let clock: MovableClock
let service: TestService
let further: Further
let merchant: Merchant

beforeEach(async () => {
  clock = movableClock()
  service = await openTestService({
    queues: [],
    clock,
    settings: { RATE_LIMIT_PER_MINUTE: '100' },
    timings: { failedSignInsAMinute: FAILED_SIGN_INS },
  })
  further = await openFurther(service)
  merchant = await service.merchant()
})
afterEach(async () => {
  await further[Symbol.asyncDispose]()
  await service.close()
})

const pass = (ms: number) => letPass(ms, { clock, redis: service.redis })

describe('the requests of one key', () => {
  it('are answered up to the hundredth of a minute, and the next is refused', async () => {
    for (let i = 1; i <= 100; i += 1) {
      const answer = await askSelf(service.app, merchant)
      expect([i, answer.status, rateLimitOf(answer)?.left]).toEqual([i, 200, 100 - i])
    }
    for (let i = 0; i < 3; i += 1) {
      const refused = await askSelf(service.app, merchant)
      expectRefusal(refused, 429, 'rate_limited')
      expect(rateLimitOf(refused)).toMatchObject({ left: 0, limit: 100 })
      expect(refused.headers['retry-after']).toBe(String(rateLimitOf(refused)?.resetS))
    }
  })

  it('count in a minute that begins with the first request and ends sixty seconds later', async () => {
    const first = await askSelf(service.app, merchant)
    expect(rateLimitOf(first)?.resetS).toBe(60)
    await pass(30_000)
    await Promise.all(times(100, () => askSelf(service.app, merchant)))
    await pass(15_000)
    expectRefusal(await askSelf(service.app, merchant), 429, 'rate_limited')
    await pass(15_000)
    const next = await askSelf(service.app, merchant)
    expect([next.status, rateLimitOf(next)]).toEqual([200, { left: 99, resetS: 60, limit: 100 }])
  })

  it('are counted over all processes: of two hundred at once exactly a hundred are answered', async () => {
    const answers = await Promise.all(
      times(200, (i) => askSelf(i % 2 === 0 ? service.app : further.app, merchant)),
    )
    expect(statusCounts(answers)).toEqual({ 200: 100, 429: 100 })
    const left = answers.filter(({ status }) => status === 200).map((one) => rateLimitOf(one)?.left)
    expect(new Set(left).size).toBe(100)
  })

  it('that one process has used up are refused by another', async () => {
    await Promise.all(times(100, () => askSelf(service.app, merchant)))
    expectRefusal(await askSelf(further.app, merchant), 429, 'rate_limited')
  })
})

describe('ended minutes', () => {
  const kept = () => service.world.db.query('SELECT FROM request_window')

  it('are cleared out of the database by the sweep', async () => {
    await askSelf(service.app, merchant)
    expect(await kept()).toHaveLength(service.backend === 'postgres' ? 1 : 0)
    await pass(3 * 60_000)
    await sweep(service.world)
    expect(await kept()).toEqual([])
  })
})

describe('another key', () => {
  it('has its own requests, in the same account too', async () => {
    await Promise.all(times(101, () => askSelf(service.app, merchant)))
    const { accountId } = merchant
    const { key } = await createKey(service.world, { accountId, mode: 'sandbox', name: 'second' })
    const second = { headers: { authorization: `Bearer ${key}` } }
    for (const other of [second, await service.merchant()]) {
      const answer = await askSelf(service.app, other)
      expect([answer.status, rateLimitOf(answer)?.left]).toEqual([200, 99])
    }
    expectRefusal(await askSelf(service.app, merchant), 429, 'rate_limited')
  })
})

describe('failed sign-ins', () => {
  const fail = (app: App) => send(app, { url: '/self', headers: { authorization: 'Bearer x' } })

  it('are refused beyond thirty a minute and address, over all processes', async () => {
    const answers = await Promise.all(
      times(80, (i) => fail(i % 2 === 0 ? service.app : further.app)),
    )
    expect(statusCounts(answers)).toEqual({ 401: FAILED_SIGN_INS, 429: 80 - FAILED_SIGN_INS })
    await pass(60_000)
    expectRefusal(await fail(service.app), 401, 'unauthorized')
  })

  it('never stop a valid key from being answered', async () => {
    await Promise.all(times(FAILED_SIGN_INS + 1, () => fail(service.app)))
    expectRefusal(await fail(service.app), 429, 'rate_limited')
    expect((await askSelf(service.app, merchant)).status).toBe(200)
    expectRefusal(await fail(service.app), 429, 'rate_limited')
  })

  it('are not counted for a valid key', async () => {
    await Promise.all(times(FAILED_SIGN_INS + 1, () => askSelf(service.app, merchant)))
    expectRefusal(await fail(service.app), 401, 'unauthorized')
  })
})
