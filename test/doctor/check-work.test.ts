// The doctor's findings about due work and about the endpoints of merchants.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../src/core/time-units.ts'
import { findingsOf } from '../../src/doctor/check.ts'
import { checkWebhooks } from '../../src/doctor/check-deliveries.ts'
import { checkAttention, checkOverdue } from '../../src/doctor/check-work.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    backend: 'postgres',
    settings: { CHARGE_WAIT_MS: '0', WEBHOOK_ALLOW_PRIVATE: 'true' },
  })
  merchant = await service.merchant()
  const body = { total: 3, payment_method_id: await service.card(merchant) }
  expect((await service.charge(merchant, body)).body).toMatchObject({ status: 'PENDING' })
  for (const name of ['a', 'b', 'c']) {
    const body = { target_url: `http://127.0.0.1:9/${name}`, event: '*' }
    const made = await call(service.app, 'POST', '/webhook', merchant.headers, body)
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
  it('finds work that has just fallen due in order', async () => {
    expect(await findingsOf(checkOverdue, service.world)).toEqual([
      { subject: 'overdue work', state: 'ok', says: '1 due, and young' },
    ])
    expect(await findingsOf(checkAttention, service.world)).toMatchObject([{ state: 'ok' }])
  })

  it.each([
    ['charge', '1 charge due, the oldest for 5 minutes', 'lamplighter worker charge'],
    ['doubt', '1 payment in doubt due, the oldest for 5 minutes', 'lamplighter worker doubt'],
  ])('reports a %s that no worker takes', async (owed, says, remedy) => {
    await query('UPDATE transaction SET due_at = $1, owed = $2', [minutesAgo(5), owed])
    expect((await findingsOf(checkOverdue, service.world))[0]).toEqual({
      subject: 'overdue work',
      state: 'fault',
      says,
      remedy: expect.stringContaining(remedy),
    })
  })

  it('reports a late batch', async () => {
    const day = service.world.newId()
    await query(
      `INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, due_at, created_at)
       VALUES ($1, $2, '2026-01-05', $3, 'America/New_York', $3, $3)`,
      [merchant.accountId, day, minutesAgo(130)],
    )
    expect((await findingsOf(checkOverdue, service.world))[0]).toMatchObject({
      state: 'fault',
      says: '1 batch to close due, the oldest for 2 hours',
      remedy: expect.stringContaining('lamplighter settle'),
    })
    await query('DELETE FROM batch WHERE id = $1', [day])
  })

  it('reports a sandbox clock that does not move on', async () => {
    await query(
      `UPDATE account SET clock_at = $2, clock_from = $2, clock_target = $3, clock_due_at = $2
       WHERE id = $1`,
      [merchant.accountId, minutesAgo(180), minutesAgo(0)],
    )
    expect((await findingsOf(checkOverdue, service.world))[0]).toMatchObject({
      state: 'fault',
      says: '1 sandbox clock to advance due, the oldest for 3 hours',
      remedy: expect.stringContaining('lamplighter worker clock'),
    })
  })

  it('reports payments that a person must decide, and says where', async () => {
    await query('UPDATE transaction SET due_at = NULL, owed = $2, parked_at = $1', [
      minutesAgo(1),
      'doubt',
    ])
    expect((await findingsOf(checkAttention, service.world))[0]).toEqual({
      subject: 'needs attention',
      state: 'fault',
      says: '1 payment that the gateway could not decide by the deadline',
      remedy: expect.stringContaining('/admin/parked'),
    })
  })
})

describe('the doctor of endpoints', () => {
  it('finds endpoints in order that accept events, or failed a moment ago', async () => {
    const well = { subject: 'webhooks', state: 'ok', says: '3 endpoints, and all are well' }
    expect(await findingsOf(checkWebhooks, service.world)).toEqual([well])
    await query('UPDATE webhook SET failing_since = $1', [minutesAgo(30)])
    const says = '3 endpoints, and 3 of them failed lately: they are tried again'
    expect(await findingsOf(checkWebhooks, service.world)).toEqual([{ ...well, says }])
  })

  it('warns of endpoints that have failed for long, or were disabled', async () => {
    const [one, other] = await query('SELECT id FROM webhook ORDER BY id')
    const since = new Date(Date.now() - 5 * HOUR)
    await query('UPDATE webhook SET failing_since = NULL')
    await query('UPDATE webhook SET failing_since = $2 WHERE id = $1', [one?.id, since])
    await query(
      `UPDATE webhook SET status = 'disabled', disabled_reason = 'Nothing but failures' WHERE id = $1`,
      [other?.id],
    )
    expect(await findingsOf(checkWebhooks, service.world)).toEqual([
      {
        subject: 'webhooks',
        state: 'warning',
        says: '1 of 2 endpoints takes nothing, the longest for 5 hours; after 5 days they are disabled',
        remedy: expect.stringContaining('lamplighter deliveries --channel webhook'),
      },
      {
        subject: 'webhooks',
        state: 'warning',
        says: '1 endpoint was disabled: failed for days, or answered 410',
        remedy: expect.stringContaining('PUT /webhook/{id}'),
      },
    ])
  })
})
