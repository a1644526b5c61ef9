// Work of one instant of a clock is done in one order: payments in progress, batches, runs,
// retries, and then the payments that these made.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPaymentsApi, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { advanceHere, datedEventsOf, scheduleOf, setClock } from '../support/sandbox-clock.ts'
import type { Merchant } from '../support/test-service.ts'

/**
 * It is a Monday; its cutoff is 20:00 in New York, and its deposit comes at 09:00 the next morning.
 */
const MONDAY = '2027-03-01T12:00:00.000Z'
const CUTOFF = '2027-03-02T01:00:00.000Z'
const DEPOSIT = '2027-03-02T14:00:00.000Z'

const ASYNC = { prefer: 'respond-async' }

let first: PaymentsApi

beforeAll(async () => {
  first = await openPaymentsApi({ queues: [] })
})
afterAll(() => first.service.close())

async function begin(number?: string): Promise<PaymentsApi> {
  const api = await newPaymentsApi(first.service, number)
  await setClock(api, MONDAY)
  return api
}

/** The events of that instant, without those of the merchant's own requests. */
async function eventsAt(merchant: Merchant, at: string): Promise<readonly string[]> {
  const events = await datedEventsOf(first.service, merchant)
  return events.flatMap((line) => (line.startsWith(at) ? [line.slice(at.length + 1)] : []))
}

describe('at the cutoff', () => {
  it('the batch takes earlier successes, and a run of that instant belongs to the next day', async () => {
    const api = await begin()
    const { body } = await api.charge({}, ASYNC)
    await scheduleOf(api, { rule: 'FREQ=DAILY;COUNT=1', start: '2027-03-01T20:00:00' })
    await advanceHere(api, '2027-03-03T12:00:00Z')
    const events = await eventsAt(api.merchant, CUTOFF)
    expect(events.slice(0, 4)).toEqual([
      'create_batch',
      'update_transaction_settled',
      'create_invoice',
      'update_scheduled_invoice',
    ])
    expect(events.slice(4).sort()).toEqual(['create_transaction', 'update_invoice'])
    expect((await api.get(body.id)).body.batched_at).toBe(CUTOFF)
    const rows = await first.service.world.db.query(
      'SELECT closed_at FROM batch WHERE account_id = $1 ORDER BY cutoff_at',
      [api.merchant.accountId],
    )
    const next = '2027-03-03T01:00:00.000Z'
    expect(rows.map((row) => row.closed_at.toISOString())).toEqual([CUTOFF, next])
  })

  it('a payment with that deadline is decided first', async () => {
    const api = await begin()
    await advanceHere(api, '2027-03-01T22:00:00Z')
    await api.charge({ total: 763.63 }, ASYNC)
    await api.charge({}, ASYNC)
    await advanceHere(api, CUTOFF)
    expect(await eventsAt(api.merchant, CUTOFF)).toEqual([
      'update_transaction',
      'create_batch',
      'update_transaction_settled',
    ])
  })
})

describe('in the morning', () => {
  it('the deposit comes before the runs, and these before retries', async () => {
    const api = await begin()
    await api.charge({}, ASYNC)
    const declining = await first.service.card(api.merchant, DECLINED_CARD)
    const at = { start: '2027-03-02T09:00:00' }
    // It was declined a day before, so its first retry is at that instant.
    await advanceHere(api, '2027-03-01T13:59:00Z')
    const early = { start: '2027-03-01T09:00:00' }
    await scheduleOf({ ...api, card: declining }, { rule: 'FREQ=DAILY;COUNT=1', ...early })
    await scheduleOf(api, { rule: 'FREQ=DAILY;COUNT=1', ...at })
    await advanceHere(api, DEPOSIT)
    const events = await eventsAt(api.merchant, DEPOSIT)
    expect(events.slice(0, 4)).toEqual([
      'create_deposit',
      'create_invoice',
      'update_scheduled_invoice',
      // The second payment of the invoice has begun.
      'update_invoice',
    ])
    expect(events.slice(4).sort()).toEqual([
      ...['create_transaction', 'create_transaction'],
      ...['update_invoice', 'update_invoice'],
    ])
  })
})

describe('each instant', () => {
  it('is processed separately, however many there are and however far the target', async () => {
    const api = await begin()
    await scheduleOf(api, { rule: 'FREQ=DAILY;BYHOUR=7,19;COUNT=8', start: '2027-03-01T07:00:00' })
    await advanceHere(api, '2027-05-01')
    const events = await datedEventsOf(first.service, api.merchant)
    // Rows from before the clock was set have the real time, and came at the same moment.
    const instants = events.map((line) => line.split(' ')[0] ?? '').filter((at) => at > '2027')
    expect(instants).toEqual([...instants].sort())
    expect(instants.length).toBeGreaterThan(40)
    const made = events.filter((line) => line.endsWith(' create_invoice'))
    expect(made).toHaveLength(8)
    expect(events.filter((line) => line.endsWith(' create_batch'))).toHaveLength(4)
    expect(events.filter((line) => line.endsWith(' create_deposit'))).toHaveLength(4)
  })
})
