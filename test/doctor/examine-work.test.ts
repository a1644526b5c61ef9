// What the doctor says of what is owed and of the endpoints of merchants.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { examineWebhooks } from '../../src/doctor/examine-deliveries.ts'
import { examineWork } from '../../src/doctor/examine-work.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    backend: 'postgres',
    settings: { CHARGE_WAIT_MS: '0', WEBHOOK_ALLOW_PRIVATE: 'true' },
  })
  merchant = await service.merchant()
  const wish = { total: 3, payment_method_id: await service.card(merchant) }
  expect((await service.charge(merchant, wish)).body).toMatchObject({ status: 'PENDING' })
  for (const name of ['a', 'b', 'c']) {
    const wish = { target_url: `http://127.0.0.1:9/${name}`, event: '*' }
    const made = await call(service.app, 'POST', '/webhook', merchant.headers, wish)
    expect(made.status).toBe(200)
  }
})
beforeEach(async () => {
  await query('UPDATE transaction SET due_at = $1, owed = $2, parked_at = NULL', [
    minutesAgo(1),
    'charge',
  ])
})
afterAll(() => service.close())

const query = (text: string, values?: readonly unknown[]) => service.world.db.query(text, values)
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE)

describe('the doctor', () => {
  it('finds work well that has just come due', async () => {
    expect(await examineWork(service.world)).toEqual([
      { subject: 'overdue work', state: 'good', says: '1 due, and young' },
      { subject: 'parked payments', state: 'good', says: 'none' },
      { subject: 'parked schedules', state: 'good', says: 'none' },
    ])
  })

  it.each([
    ['charge', '1 charge due, the oldest for 5 minutes', 'lamplighter worker charge'],
    ['doubt', '1 payment in doubt due, the oldest for 5 minutes', 'lamplighter worker doubt'],
  ])('minds a %s that nobody sees to', async (owed, says, remedy) => {
    await query('UPDATE transaction SET due_at = $1, owed = $2', [minutesAgo(5), owed])
    expect((await examineWork(service.world))[0]).toEqual({
      subject: 'overdue work',
      state: 'bad',
      says,
      remedy: expect.stringContaining(remedy),
    })
  })

  it('minds a batch that is late', async () => {
    const day = service.world.newId()
    await query(
      `INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, due_at, created_at)
       VALUES ($1, $2, '2026-01-05', $3, 'America/New_York', $3, $3)`,
      [merchant.accountId, day, minutesAgo(130)],
    )
    expect((await examineWork(service.world))[0]).toMatchObject({
      state: 'bad',
      says: '1 batch due, the oldest for 2 hours',
      remedy: expect.stringContaining('lamplighter settle'),
    })
    await query('DELETE FROM batch WHERE id = $1', [day])
  })

  it('minds a sandbox clock that does not get on', async () => {
    await query(
      `UPDATE account SET clock_at = $2, clock_from = $2, clock_target = $3, clock_due_at = $2
       WHERE id = $1`,
      [merchant.accountId, minutesAgo(180), minutesAgo(0)],
    )
    expect((await examineWork(service.world))[0]).toMatchObject({
      state: 'bad',
      says: '1 sandbox clock that is being advanced due, the oldest for 3 hours',
      remedy: expect.stringContaining('lamplighter worker clock'),
    })
  })

  it('minds payments that wait for a person, and says where he decides', async () => {
    await query('UPDATE transaction SET due_at = NULL, owed = $2, parked_at = $1', [
      minutesAgo(1),
      'doubt',
    ])
    expect((await examineWork(service.world))[1]).toEqual({
      subject: 'parked payments',
      state: 'bad',
      says: '1 that the gateway could not decide by their deadline',
      remedy: expect.stringContaining('/admin/parked'),
    })
  })
})

describe('the doctor of endpoints', () => {
  it('finds those well that take what they are sent, or failed a moment ago', async () => {
    const well = { subject: 'webhooks', state: 'good', says: '3 endpoints, and all are well' }
    expect(await examineWebhooks(service.world)).toEqual([well])
    await query('UPDATE webhook SET failing_since = $1', [minutesAgo(30)])
    expect(await examineWebhooks(service.world)).toEqual([well])
  })

  it('finds those odd that have taken nothing for long, or were disabled', async () => {
    const [one, other] = await query('SELECT id FROM webhook ORDER BY id')
    const since = new Date(Date.now() - 5 * HOUR)
    await query('UPDATE webhook SET failing_since = NULL')
    await query('UPDATE webhook SET failing_since = $2 WHERE id = $1', [one?.id, since])
    await query(
      `UPDATE webhook SET status = 'disabled', disabled_reason = 'Nothing but failures' WHERE id = $1`,
      [other?.id],
    )
    expect(await examineWebhooks(service.world)).toEqual([
      {
        subject: 'webhooks',
        state: 'odd',
        says: '1 of 2 endpoints takes nothing, the longest for 5 hours; after 5 days they are disabled',
        remedy: expect.stringContaining('lamplighter deliveries --channel webhook'),
      },
      {
        subject: 'webhooks',
        state: 'odd',
        says: '1 endpoint was disabled: failed for days, or answered 410',
        remedy: expect.stringContaining('PUT /webhook/{id}'),
      },
    ])
  })
})
