// Time passes for a sandbox account at its merchant's request: all work that falls due on the way
// is done, in order and at its own instant, for this account and no other.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { World } from '../../src/world.ts'
import { WORKERS } from '../../workers/index.ts'
import { processorOf } from '../../workers/run.ts'
import { movableClock } from '../support/end-windows.ts'
import { openFurther } from '../support/further.ts'
import {
  newPaymentsApi,
  openPaymentsApi,
  type PaymentsApi,
  paymentsApiOf,
} from '../support/payments-api.ts'
import {
  changeCustomer,
  EMAIL,
  expectSentOnce,
  messagesOf,
  PATIENT_SENDERS,
} from '../support/receipts.ts'
import { expectRefusal } from '../support/requests.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import {
  advanceTo,
  clockOf,
  datedEventsOf,
  everythingOf,
  scheduleOf,
  setClock,
  untilReady,
} from '../support/sandbox-clock.ts'
import { call } from '../support/test-service.ts'

const LONG_TEST = { timeout: 120_000 }

/** Far more than it takes: some two seconds on an idle machine. */
const YEAR_MS = 60_000

/** Nine in the morning in New York on the last day of each month, which is 13 or 14 in UTC. */
const RUNS = [
  '2027-01-31T14:00:00.000Z',
  '2027-02-28T14:00:00.000Z',
  '2027-03-31T13:00:00.000Z',
  '2027-04-30T13:00:00.000Z',
  '2027-05-31T13:00:00.000Z',
  '2027-06-30T13:00:00.000Z',
  '2027-07-31T13:00:00.000Z',
  '2027-08-31T13:00:00.000Z',
  '2027-09-30T13:00:00.000Z',
  '2027-10-31T13:00:00.000Z',
  '2027-11-30T14:00:00.000Z',
  '2027-12-31T14:00:00.000Z',
]
const MONTHLY = { rule: 'FREQ=MONTHLY', start: '2027-01-31T09:00:00' }

let first: PaymentsApi

beforeAll(async () => {
  // Nothing is due in any account's real time while the tests run.
  const clock = movableClock()
  clock.move(Date.parse('2026-11-18T15:00:00Z') - clock.now().getTime())
  first = await openPaymentsApi({ clock, timings: PATIENT_SENDERS })
})
afterAll(() => first.service.close())

async function newApi(now: string, number?: string): Promise<PaymentsApi> {
  const api = await newPaymentsApi(first.service, number)
  await changeCustomer(api, { email: EMAIL })
  expect((await setClock(api, now)).status).toBe(200)
  return api
}

const rows = ({ service, merchant }: PaymentsApi, sql: string) =>
  service.world.db.query(sql, [merchant.accountId])

const invoicesOf = (api: PaymentsApi) =>
  rows(
    api,
    `SELECT status, created_at, paid_at, total_paid FROM invoice
     WHERE account_id = $1 ORDER BY id`,
  )

const paymentsOf = (api: PaymentsApi) =>
  rows(
    api,
    `SELECT status, created_at, business_date, invoice_try, receipt_email_at
     FROM transaction WHERE account_id = $1 ORDER BY id`,
  )

const batchesOf = (api: PaymentsApi) =>
  rows(
    api,
    `SELECT status, business_date, count, sales, closed_at, cutoff_at, deposit_at, deposited_at
     FROM batch WHERE account_id = $1 ORDER BY cutoff_at`,
  )

const PAYMENT_IDS = 'SELECT id FROM transaction WHERE account_id = $1 ORDER BY created_at'

async function expectYear(api: PaymentsApi): Promise<void> {
  const instants = RUNS.map((at) => new Date(at))
  const days = RUNS.map((at) => new Date(at.slice(0, 10)))
  expect(await invoicesOf(api)).toEqual(
    instants.map((at) => ({ status: 'PAID', created_at: at, paid_at: at, total_paid: '1000' })),
  )
  const batches = await batchesOf(api)
  expect(batches).toEqual(
    days.map((day, i) => ({
      status: 'closed',
      business_date: day,
      count: 1,
      sales: '1000',
      closed_at: batches[i]?.cutoff_at,
      cutoff_at: expect.any(Date),
      deposit_at: expect.any(Date),
      deposited_at: batches[i]?.deposit_at,
    })),
  )
  expect(await paymentsOf(api)).toEqual(
    instants.map((at, i) => ({
      status: 'SUCCESS',
      created_at: at,
      business_date: days[i],
      invoice_try: 1,
      receipt_email_at: at,
    })),
  )
  const ids = (await rows(api, PAYMENT_IDS)).map(({ id }) => id)
  const owed = await messagesOf(api)
  expect(owed.map(({ subject_id, recipient }) => [subject_id, recipient])).toEqual(
    ids.map((id) => [id, EMAIL]),
  )
}

describe('a year of a monthly schedule', LONG_TEST, () => {
  const START = '2027-01-15T12:00:00.000Z'
  const END = '2028-01-15T12:00:00.000Z'

  it('passes in seconds, and affects no other account', async () => {
    const real = paymentsApiOf(first.service, first.merchant, first.card)
    const elsewhere = await newApi('2027-01-30T12:00:00Z')
    for (const api of [real, elsewhere]) {
      await api.paid()
      await scheduleOf(api, { rule: 'FREQ=DAILY', start: '2027-01-31T09:00:00' })
    }
    const others = [real, elsewhere].map(({ merchant }) => merchant)
    const before = await Promise.all(others.map((one) => everythingOf(first.service, one)))

    const api = await newApi(START)
    await scheduleOf(api, MONTHLY)
    const begun = performance.now()
    await advanceTo(api, END)
    const tookMs = performance.now() - begun
    await expectYear(api)
    expect(tookMs).toBeLessThan(YEAR_MS)
    await expectSentOnce(api, RUNS.length)

    const instants = (await datedEventsOf(first.service, api.merchant)).map(
      (line) => line.split(' ')[0] ?? '',
    )
    const since = instants.filter((at) => at > START)
    expect(since).toEqual([...since].sort())
    expect(new Set(since).size).toBe(3 * RUNS.length)
    expect(await Promise.all(others.map((one) => everythingOf(first.service, one)))).toEqual(before)
  })

  it('is the same for two accounts at two dates at once', async () => {
    const [one, other] = [await newApi(START), await newApi('2031-06-01')]
    await scheduleOf(one, MONTHLY)
    await scheduleOf(other, { rule: 'FREQ=WEEKLY;COUNT=3', start: '2031-06-02T09:00:00' })
    await Promise.all([advanceTo(one, END), advanceTo(other, '2031-07-01')])
    await expectYear(one)
    const invoices = await invoicesOf(other)
    expect(invoices.map((row) => row.created_at.toISOString())).toEqual([
      '2031-06-02T13:00:00.000Z',
      '2031-06-09T13:00:00.000Z',
      '2031-06-16T13:00:00.000Z',
    ])
    expect((await clockOf(one)).now).toBe(END)
    expect((await clockOf(other)).now).toBe('2031-07-01T00:00:00.000Z')
  })

  it('passes though the worker that advances the clock dies on the way', async () => {
    // No worker of the service itself advances clocks.
    const queues = ['charge', 'refund', 'doubt', 'settlement', 'schedules', 'sweep'] as const
    const own = await openPaymentsApi({ queues })
    await using service = own.service
    await changeCustomer(own, { email: EMAIL })
    await setClock(own, START)
    await scheduleOf(own, MONTHLY)
    expect((await setClock(own, END)).body.status).toBe('advancing')
    const doomed = await openFurther(service)
    const { world, isDead } = dyingAfter(doomed.world, 150)
    work(world)
    await expect.poll(isDead).toBe(true)
    await doomed.world.queues.drain(0)
    await doomed[Symbol.asyncDispose]()
    const { status, progress } = await clockOf(own)
    expect(status).toBe('advancing')
    expect(progress).toBeGreaterThan(0)
    expect(progress).toBeLessThan(1)
    await using heir = await openFurther(service)
    work(heir.world)
    await untilReady(own)
    await heir.world.queues.drain(5_000)
    await expectYear(own)
  })

  /** After this many statements, nothing that it does reaches the database. */
  function dyingAfter(world: World, statements: number) {
    let left = statements
    const orDie =
      <A extends readonly unknown[], R>(act: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        left -= 1
        if (left < 0) throw new Error('stopped by the test')
        return act(...args)
      }
    const { ask, query, commit } = world.db
    const db = { ...world.db, ask: orDie(ask), query: orDie(query), commit: orDie(commit) }
    return { world: { ...world, db } as World, isDead: () => left < 0 }
  }

  function work(world: World): void {
    world.queues.work('clock', processorOf(world, 'clock', WORKERS.clock))
  }
})

describe('an automatic payment that is declined', LONG_TEST, () => {
  it('is retried after 1, 3 and 7 days, and then no more', async () => {
    const api = await newApi('2027-02-01T12:00:00Z', DECLINED_CARD)
    await scheduleOf(api, { rule: 'FREQ=DAILY;COUNT=1', start: '2027-02-01T09:00:00' })
    await advanceTo(api, '2027-03-01')
    const payments = await paymentsOf(api)
    expect(payments.map((row) => [row.created_at.toISOString(), row.status])).toEqual([
      ['2027-02-01T14:00:00.000Z', 'FAILED'],
      ['2027-02-02T14:00:00.000Z', 'FAILED'],
      ['2027-02-04T14:00:00.000Z', 'FAILED'],
      ['2027-02-08T14:00:00.000Z', 'FAILED'],
    ])
    const [invoice] = await rows(api, 'SELECT status, retry_at FROM invoice WHERE account_id = $1')
    expect(invoice).toEqual({ status: 'ATTEMPTED', retry_at: null })
    expect(await batchesOf(api)).toEqual([])
  })
})

describe('a refund', LONG_TEST, () => {
  it('is possible from the midnight Eastern after its batch, and not a moment earlier', async () => {
    const api = await newApi('2027-03-01T15:00:00Z')
    const id = await api.paid()
    await advanceTo(api, '2027-03-02T04:59:59.999Z')
    const { body } = await api.get(id)
    expect(body).toMatchObject({
      batched_at: '2027-03-02T01:00:00.000Z',
      is_voidable: false,
      is_refundable: false,
    })
    expectRefusal(await api.ask(id, 'refund'), 409, 'not_refundable_yet')
    await advanceTo(api, '2027-03-02T05:00:00Z')
    expect((await api.get(id)).body.is_refundable).toBe(true)
    expect((await api.ask(id, 'refund')).body).toMatchObject({ total_refunded: 10 })
  })
})

describe('while the clock is advancing', LONG_TEST, () => {
  it('the account can be read and not changed, and changed again as soon as it is ready', async () => {
    const api = await newApi('2027-03-01T12:00:00Z')
    const { headers } = api.merchant
    await scheduleOf(api, { rule: 'FREQ=DAILY', start: '2027-03-01T09:00:00' })
    const { body } = await setClock(api, '2027-03-31')
    expect(body.status).toBe('advancing')
    const create = () => call(first.service.app, 'POST', '/customer', headers, { company: 'B' })
    expectRefusal(await create(), 409, 'clock_advancing')
    expect((await call(first.service.app, 'GET', '/transaction', headers)).status).toBe(200)
    await untilReady(api)
    expect(await create()).toMatchObject({
      status: 200,
      body: { created_at: '2027-03-31T00:00:00.000Z' },
    })
  })
})
