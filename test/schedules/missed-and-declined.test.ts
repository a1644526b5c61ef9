// Missed runs that are made together do not each try a payment method that is declined.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RetryAdvice } from '../../src/core/decline.ts'
import { DAY, HOUR } from '../../src/core/time-units.ts'
import type { Gateway } from '../../src/outside/gateway/port.ts'
import { retryDueInvoices } from '../../src/schedules/retry-due-invoices.ts'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { type Diary, diaryOf, PATH } from '../support/schedules.ts'
import { openTestService } from '../support/test-service.ts'

const DECLINED_CARD = '4012888888881881'
const QUEUES = ['charge', 'refund', 'doubt', 'sweep'] as const

/** Half a day from now, so that no run of it is in time. */
const RULE = `FREQ=DAILY;BYHOUR=${new Date(Date.now() + 12 * HOUR).getUTCHours()};BYMINUTE=0`

describe('the runs of a schedule that were missed', () => {
  const clock = { at: new Date(), ahead: 0, now: () => new Date(Date.now() + clock.ahead) }
  let orders: string[] = []
  let advice: RetryAdvice = 'later'
  let diary: Diary
  let schedule = ''

  const counting = (sandbox: Gateway): Gateway => ({
    ...sandbox,
    async carryOut(order, signal) {
      orders.push(order.key)
      const answer = await sandbox.carryOut(order, signal)
      if (answer.kind !== 'declined' || answer.decline === undefined) return answer
      return { ...answer, decline: { ...answer.decline, retry: advice } }
    },
  })

  beforeAll(async () => {
    const service = await openTestService({ queues: QUEUES, clock, withGateway: counting })
    diary = await diaryOf(service, clock, await service.merchant(), DECLINED_CARD)
  })
  afterAll(() => diary.close())
  afterEach(() => diary.ask('DELETE', `${PATH}/${schedule}`))

  const world = () => diary.service.world

  const paymentsOf = (id: string) =>
    world().db.query(
      `SELECT t.status, t.message, t.retry_advice, t.invoice_try, v.status AS invoice,
        (extract(epoch FROM v.retry_at - v.created_at) / 86400)::integer AS days
      FROM transaction t JOIN invoice v ON v.account_id = t.account_id AND v.id = t.invoice_id
      WHERE t.schedule_id = $1 ORDER BY t.created_at, t.id`,
      [id],
    )

  async function decided(id: string) {
    await expect
      .poll(async () => (await paymentsOf(id)).filter(({ status }) => status === 'PENDING'))
      .toEqual([])
    return paymentsOf(id)
  }

  /** The payments of a schedule that has missed six runs. */
  async function missed(wish: object = {}) {
    const { id } = await diary.made({ rule: RULE, timezone: 'UTC', missed_runs: 'all', ...wish })
    schedule = id
    orders = []
    clock.ahead += 6 * DAY
    expect(await runDueSchedules(world())).toBe(1)
    return { id, payments: await decided(id) }
  }

  it('try a card that is declined once; their invoices wait for their retries', async () => {
    advice = 'later'
    const { payments } = await missed()
    const failed = { status: 'FAILED', retry_advice: 'later', invoice: 'ATTEMPTED', days: 1 }
    expect(payments).toHaveLength(6)
    for (const payment of payments) expect(payment).toMatchObject({ ...failed, invoice_try: 1 })
    const said = 'Not tried: another payment of its schedule was declined just before'
    expect(payments.filter(({ message }) => message === said)).toHaveLength(5)
    expect(orders).toHaveLength(1)
  })

  it('retry it together once', async () => {
    const { id } = await missed()
    await diary.put(id, { status: 'paused' })
    orders = []
    clock.ahead += DAY
    expect(await retryDueInvoices(world())).toBe(6)
    const payments = await decided(id)
    expect(payments.slice(6).map((one) => [one.invoice_try, one.days])).toEqual(
      Array(6).fill([2, 3]),
    )
    expect(orders).toHaveLength(1)
  })

  it('are not retried after `never`', async () => {
    advice = 'never'
    const { payments } = await missed()
    expect(payments.map(({ days }) => days)).toEqual(Array(6).fill(null))
    expect(orders).toHaveLength(1)
  })

  it('are each tried again after `now`', async () => {
    advice = 'now'
    const { payments } = await missed()
    expect(payments.map(({ days }) => days)).toEqual(Array(6).fill(1))
    expect(orders).toHaveLength(6)
  })

  it('are all paid by a card that is good', async () => {
    const other = await diaryOf(diary.service, clock, diary.merchant)
    const wish = { customer_id: other.customer, payment_method_id: other.card }
    const { payments } = await missed(wish)
    expect(payments.map(({ invoice }) => invoice)).toEqual(Array(6).fill('PAID'))
    expect(orders).toHaveLength(6)
  })
})
