// The clock of a sandbox account: a merchant sets, reads and ends it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR } from '../../src/core/time-units.ts'
import { newPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { clockOf, endClock, setClock, takeThere } from '../support/sandbox-clock.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const PATH = '/sandbox/clock'
const REAL = { now: expect.any(String), status: 'ready', target: null, progress: null }

let service: TestService

/** Workers make payments here, and only the test moves clocks. */
beforeAll(async () => {
  const settings = { CHARGE_WAIT_MS: '2s' }
  service = await openTestService({ queues: ['charge', 'doubt', 'refund'], settings })
})
afterAll(() => service.close())

const newApi = () => newPaymentsApi(service)

const ready = (now: string) => ({ now, status: 'ready', target: null, progress: null })
const instant = (ms: number) => new Date(ms).toISOString()

/** Expects the clock of an account that has never set it. */
async function realOrFail(merchant: Merchant): Promise<void> {
  const before = Date.now()
  const clock = await clockOf({ service, merchant })
  expect(clock).toEqual(REAL)
  expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(clock.now)).toBeLessThanOrEqual(Date.now())
}

describe('the clock of a live account', () => {
  it.each([
    ['GET', undefined],
    ['POST', { now: '2026-03-07' }],
    ['DELETE', undefined],
  ] as const)('is the real one: %s is refused', async (method, body) => {
    const { headers, accountId } = await service.merchant('live')
    expectRefusal(await call(service.app, method, PATH, headers, body), 403, 'sandbox_only')
    const [row] = await service.world.db.query('SELECT clock_at FROM account WHERE id = $1', [
      accountId,
    ])
    expect(row?.clock_at).toBeNull()
  })
})

describe('the clock of a sandbox account', () => {
  it('is the real clock until it is set, and ending it then changes nothing', async () => {
    const merchant = await service.merchant()
    await realOrFail(merchant)
    expect(await endClock({ service, merchant })).toMatchObject({ status: 200, body: REAL })
    await realOrFail(merchant)
  })

  it.each([
    ['2026-03-07T12:00:00Z', '2026-03-07T12:00:00.000Z'],
    ['2026-03-07T12:00:00.125-05:00', '2026-03-07T17:00:00.125Z'],
    ['2026-03-07 12:00:01', '2026-03-07T12:00:01.000Z'],
    ['2026-03-07', '2026-03-07T00:00:00.000Z'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    ['8999-12-31T23:59:59.999Z', '8999-12-31T23:59:59.999Z'],
  ])('can be set at first to any instant, in any form: %s', async (sent, now) => {
    const merchant = await service.merchant()
    const answer = await setClock({ service, merchant }, sent)
    expect(answer).toMatchObject({ status: 200, body: ready(now) })
    expect(await clockOf({ service, merchant })).toEqual(ready(now))
    expect(await clockOf({ service, merchant })).toEqual(ready(now))
  })

  it('dates a payment, while its idempotency key is dated in real time, by which keys expire', async () => {
    const api = await newApi()
    await setClock(api, '2026-03-07T12:00:00Z')
    const headers = { 'idempotency-key': 'in-real-time' }
    const began = Date.now()
    const { body } = await api.charge({}, headers)
    expect(body.created_at).toContain('2026-03-07')
    const [row] = await service.world.db.query(
      "SELECT created_at FROM idempotency WHERE key = 'in-real-time'",
    )
    expect(row?.created_at.getTime()).toBeGreaterThanOrEqual(began)
  })

  it.each([
    {},
    { now: null },
    { now: 1_772_884_800 },
    { now: '' },
    { now: 'tomorrow' },
    { now: '2026-02-30' },
    { now: '2026-03-07T25:00:00Z' },
    { now: '1969-12-31T23:59:59.999Z' },
    { now: '9000-01-01' },
    { now: '+012026-03-07T12:00:00Z' },
  ])('is refused for an invalid or distant instant: %j', async (body) => {
    const merchant = await service.merchant()
    const answer = await call(service.app, 'POST', PATH, merchant.headers, body)
    expectRefusal(answer, 400, 'invalid_request', ['now'])
    await realOrFail(merchant)
  })

  it('dates each action, in the past as well, and stands still between', async () => {
    const api = await newApi()
    await setClock(api, '2001-02-03T04:05:06.789Z')
    const { body } = await api.charge()
    expect(body).toMatchObject({
      status: 'SUCCESS',
      created_at: '2001-02-03T04:05:06.789Z',
      updated_at: '2001-02-03T04:05:06.789Z',
    })
    const [event] = await service.world.db.query(
      `SELECT created_at FROM event WHERE resource_id = $1`,
      [body.id],
    )
    expect(event?.created_at.toISOString()).toBe('2001-02-03T04:05:06.789Z')
    expect(await clockOf(api)).toEqual(ready('2001-02-03T04:05:06.789Z'))
  })

  it('belongs to one account: another account keeps the real one', async () => {
    const [mine, other] = [await service.merchant(), await service.merchant()]
    await setClock({ service, merchant: mine }, '2040-01-01')
    await realOrFail(other)
  })

  it('never moves back once it is set, even if nothing has happened', async () => {
    const merchant = await service.merchant()
    await setClock({ service, merchant }, '2040-01-01')
    const back = await setClock({ service, merchant }, '2039-12-31T23:59:59.999Z')
    expectRefusal(back, 409, 'clock_backwards')
    const same = await setClock({ service, merchant }, '2040-01-01')
    expect(same.body).toEqual(ready('2040-01-01T00:00:00.000Z'))
  })

  it('can be set back from real time to the newest row, and no further', async () => {
    const api = await newApi()
    const { body } = await api.charge()
    const newest = Date.parse(body.updated_at)
    expectRefusal(await setClock(api, instant(newest - 1)), 409, 'clock_backwards')
    const answer = await setClock(api, instant(newest))
    expect(answer).toMatchObject({ status: 200, body: ready(body.updated_at) })
  })

  it('can be set to any instant in an account with an invoice alone, and moves on from there', async () => {
    const api = await newApi()
    const { headers } = api.merchant
    const { body: card } = await call(service.app, 'GET', `/payment-method/${api.card}`, headers)
    const unpaid = { total: 10, customer_id: card.customer_id }
    const { body: invoice } = await call(service.app, 'POST', '/invoice', headers, unpaid)
    expect((await setClock(api, '2001-01-01')).body).toEqual(ready('2001-01-01T00:00:00.000Z'))
    const pay = { payment_method_id: api.card }
    const paid = await call(service.app, 'POST', `/invoice/${invoice.id}/pay`, headers, pay)
    expect(paid.body).toMatchObject({ success: true, created_at: '2001-01-01T00:00:00.000Z' })
    const earlier = await setClock(api, '2000-12-31')
    expectRefusal(earlier, 409, 'clock_backwards')
    const later = await setClock(api, '2001-01-01T00:00:01Z')
    expect(later.body).toEqual(ready('2001-01-01T00:00:01.000Z'))
  })

  it('counts a manual transaction as a row', async () => {
    const api = await newApi()
    const { body: card } = await call(
      service.app,
      'GET',
      `/payment-method/${api.card}`,
      api.merchant.headers,
    )
    const cash = { total: 1, type: 'charge', method: 'cash', customer_id: card.customer_id }
    await call(service.app, 'POST', '/transaction', api.merchant.headers, cash)
    expectRefusal(await setClock(api, '2001-01-01'), 409, 'clock_backwards')
  })

  it('advances ten years at most at once, if the account has rows', async () => {
    const api = await newApi()
    await setClock(api, '2030-01-01')
    await api.charge()
    const answer = await setClock(api, '2040-01-03')
    expectRefusal(answer, 400, 'invalid_request', ['now'])
    const { body } = await setClock(api, '2040-01-01')
    expect(body).toMatchObject({ status: 'advancing', target: '2040-01-01T00:00:00.000Z' })
  })

  it('is set at once to an instant before anything falls due', async () => {
    const api = await newApi()
    await setClock(api, '2030-01-01T12:00:00Z')
    await api.paid()
    const cutoff = '2030-01-02T01:00:00.000Z'
    const before = await setClock(api, '2030-01-02T00:59:59.999Z')
    expect(before.body).toEqual(ready('2030-01-02T00:59:59.999Z'))
    const { body } = await setClock(api, cutoff)
    expect(body).toMatchObject({ status: 'advancing', target: cutoff })
  })
})

describe('a clock that is advancing', () => {
  const FROM = '2030-01-01T12:00:00.000Z'
  const TARGET = '2030-01-05T12:00:00.000Z'

  async function advancing(): Promise<PaymentsApi> {
    const api = await newApi()
    await setClock(api, FROM)
    await api.paid()
    const { body } = await setClock(api, TARGET)
    expect(body).toEqual({ now: FROM, status: 'advancing', target: TARGET, progress: 0 })
    return api
  }

  it('shows where it is, how far it has come, and finally its arrival', async () => {
    const api = await advancing()
    await service.world.db.query('UPDATE account SET clock_at = $2 WHERE id = $1', [
      api.merchant.accountId,
      new Date('2030-01-02T12:00:00Z'),
    ])
    const halfway = { now: '2030-01-02T12:00:00.000Z', status: 'advancing', target: TARGET }
    expect(await clockOf(api)).toEqual({ ...halfway, progress: 0.25 })
    await takeThere(service.world, api.merchant)
    expect(await clockOf(api)).toEqual(ready(TARGET))
  })

  it('is neither set nor ended until it has arrived', async () => {
    const api = await advancing()
    expectRefusal(await setClock(api, '2031-01-01'), 409, 'clock_advancing')
    expectRefusal(await endClock(api), 409, 'clock_advancing')
    expect(await clockOf(api)).toMatchObject({ now: FROM, target: TARGET })
    await takeThere(service.world, api.merchant)
    expect((await setClock(api, '2031-01-01')).status).toBe(200)
  })

  it('is started by one of two simultaneous requests', async () => {
    const api = await newApi()
    await setClock(api, FROM)
    await api.paid()
    const answers = await Promise.all([setClock(api, TARGET), setClock(api, TARGET)])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe('clock_advancing')
  })
})

describe('ending a clock', () => {
  it('that is behind, with nothing due until real time, is done at once', async () => {
    const merchant = await service.merchant()
    await setClock({ service, merchant }, '2001-01-01')
    expect((await endClock({ service, merchant })).body).toEqual(REAL)
    await realOrFail(merchant)
  })

  it('that is behind advances it to real time first', async () => {
    const api = await newApi()
    await setClock(api, instant(Date.now() - 30 * 24 * HOUR))
    const id = await api.paid()
    const before = Date.now()
    const { body } = await endClock(api)
    expect(body).toMatchObject({ status: 'advancing', progress: 0 })
    expect(Date.parse(body.target)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(body.target)).toBeLessThanOrEqual(Date.now())
    await takeThere(service.world, api.merchant)
    await realOrFail(api.merchant)
    const { batched_at: batchedAt } = (await api.get(id)).body
    expect(Date.parse(batchedAt)).toBeLessThan(before - 28 * 24 * HOUR)
  })

  it('that is ahead is done at once if nothing is pending', async () => {
    const merchant = await service.merchant()
    await setClock({ service, merchant }, '2090-01-01')
    expect((await endClock({ service, merchant })).body).toEqual(REAL)
    await realOrFail(merchant)
  })

  it('that is ahead is refused until its batches are paid out', async () => {
    const api = await newApi()
    await setClock(api, '2090-01-02T12:00:00Z') // It is a Monday.
    await api.paid()
    for (const [now, what] of [
      [undefined, 'open'],
      ['2090-01-03T01:00:00Z', 'closed, and not paid out'],
    ] as const) {
      if (now !== undefined) {
        await setClock(api, now)
        await takeThere(service.world, api.merchant)
      }
      expect([what, (await endClock(api)).body.error]).toEqual([what, 'clock_ahead'])
    }
    await setClock(api, '2090-01-03T14:00:00Z')
    await takeThere(service.world, api.merchant)
    expect((await endClock(api)).body).toEqual(REAL)
  })

  it('that is ahead is refused while a payment is in progress', async () => {
    const api = await newApi()
    await setClock(api, '2090-01-01')
    const { body } = await api.charge({ total: 763.63 }, { prefer: 'respond-async' })
    expectRefusal(await endClock(api), 409, 'clock_ahead')
    await setClock(api, '2090-01-01T03:00:00Z')
    await takeThere(service.world, api.merchant)
    expect((await api.get(body.id)).body.status).toBe('FAILED')
    expect((await endClock(api)).body).toEqual(REAL)
  })
})
