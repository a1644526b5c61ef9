// Work that is due in an account's own time is due in real time only while the two are the same.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR } from '../../src/core/time-units.ts'
import { movableClock } from '../support/end-windows.ts'
import { newPaymentsApi, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { advanceHere, endClock, scheduleOf, setClock, takeThere } from '../support/sandbox-clock.ts'

/** In New York it is half past eight: yesterday's batch is closed and not yet paid out. */
const WEDNESDAY = Date.parse('2027-03-03T13:30:00.000Z')
const MONDAY = '2027-03-01T12:00:00.000Z'

let first: PaymentsApi

beforeAll(async () => {
  const clock = movableClock()
  clock.move(WEDNESDAY - clock.now().getTime())
  // No worker advances a clock here: a caller that ends an advance would wait in vain.
  const settings = { CHARGE_WAIT_MS: '100ms' }
  first = await openPaymentsApi({ clock, queues: ['charge', 'doubt', 'refund'], settings })
})
afterAll(() => first.service.close())

const newApi = (number?: string) => newPaymentsApi(first.service, number)

/** For each kind of row: when it is due in real time, and the instant of its business. */
async function dues({ service, merchant }: PaymentsApi) {
  const rows = await service.world.db.query(
    `SELECT 'batch ' || status AS what, due_at, coalesce(deposit_at, cutoff_at) AS at FROM batch
     WHERE account_id = $1 AND deposited_at IS NULL
     UNION ALL SELECT 'schedule', due_at, next_run_at FROM schedule
     WHERE account_id = $1 AND next_run_at IS NOT NULL
     UNION ALL SELECT 'invoice', due_at, retry_at FROM invoice
     WHERE account_id = $1 AND retry_at IS NOT NULL
     ORDER BY 1`,
    [merchant.accountId],
  )
  return rows.map(({ what, due_at, at }) => ({ what, dueAt: due_at, at }))
}

const WAITING = ['batch closed', 'batch open', 'invoice', 'schedule']

/** An open batch, one that is to be paid out, a schedule, and a payment to be retried. */
async function everythingDue(): Promise<PaymentsApi> {
  const api = await newApi()
  await setClock(api, MONDAY)
  const start = '2027-03-01T08:00:00'
  const declining = await first.service.card(api.merchant, DECLINED_CARD)
  await scheduleOf({ ...api, card: declining }, { rule: 'FREQ=DAILY;COUNT=1', start })
  await scheduleOf(api, { rule: 'FREQ=DAILY', start })
  return api
}

describe('in the time of its own clock', () => {
  it('an account has no business due in real time', async () => {
    const api = await everythingDue()
    await advanceHere(api, '2027-03-03T13:15:00Z')
    const found = await dues(api)
    expect(found.map(({ dueAt }) => dueAt)).toEqual(found.map(() => null))
    expect(found.map(({ what }) => what)).toEqual(WAITING)
  })

  it('its business is due again when it returns to real time', async () => {
    const api = await everythingDue()
    expect((await endClock(api)).body.status).toBe('advancing')
    await takeThere(first.service.world, api.merchant)
    const found = await dues(api)
    expect(found.map(({ what }) => what)).toEqual(WAITING)
    expect(found.map(({ dueAt }) => dueAt)).toEqual(found.map(({ at }) => at))
  })

  it('its business is due no more from the moment it leaves real time', async () => {
    const api = await newApi()
    await api.paid()
    await scheduleOf(api, { rule: 'FREQ=DAILY' })
    const before = await dues(api)
    expect(before.map(({ dueAt }) => dueAt)).toEqual(before.map(({ at }) => at))
    expect(before).toHaveLength(2)
    await setClock(api, new Date(WEDNESDAY + HOUR))
    const found = await dues(api)
    expect(found).toEqual(before.map((one) => ({ ...one, dueAt: null })))
  })

  it('work stays due: a payment in progress', async () => {
    const api = await newApi()
    const undecided = { total: 763.63 }
    const { body } = await api.charge(undecided, { prefer: 'respond-async' })
    await setClock(api, new Date(WEDNESDAY + HOUR))
    const [row] = await first.service.world.db.query(
      'SELECT due_at FROM transaction WHERE id = $1',
      [body.id],
    )
    expect(row?.due_at).toBeInstanceOf(Date)
  })
})
