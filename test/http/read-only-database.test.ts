// A primary has become a standby: writing callers get 503, and once there is a primary again, no
// process keeps a connection to the old one.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** More than both pools may open. */
const CONNECTIONS = 20

describe('a database that can only be read', () => {
  let service: TestService
  let merchant: Merchant
  let card: string
  let admin: pg.Client

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { CHARGE_WAIT_MS: '0' } })
    merchant = await service.merchant()
    card = await service.card(merchant)
    admin = new pg.Client(service.databaseUrl)
    await admin.connect()
  })
  afterAll(async () => {
    await admin.end()
    await service.close()
  })

  const writes = (): readonly (readonly [
    method: 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
  ])[] => [
    ['POST', '/customer', { firstname: 'Ada' }],
    ['POST', '/charge', { total: 1, payment_method_id: card }],
    [
      'POST',
      '/invoice/schedule',
      { total: 1, rule: 'FREQ=DAILY', customer_id: service.world.newId() },
    ],
    ['PUT', `/payment-method/${card}`, { nickname: String(Math.random()) }],
    ['DELETE', `/payment-method/${card}`],
  ]

  async function setReadOnly(isReadOnly: boolean): Promise<void> {
    const [name] = (await admin.query('SELECT current_database() AS name')).rows
    const state = isReadOnly ? 'on' : 'off'
    await admin.query(`ALTER DATABASE "${name.name}" SET default_transaction_read_only = ${state}`)
  }

  it('answers 503 with Retry-After to writing requests, and serves reading ones', async () => {
    await setReadOnly(true)
    // Existing connections keep the old primary.
    await admin.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    await call(service.app, 'GET', '/customer', merchant.headers)
    for (const [method, url, body] of writes().filter(([, url]) => !url.includes('schedule'))) {
      const answer = await call(service.app, method, url, merchant.headers, body)
      expectRefusal(answer, 503, 'unavailable')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await call(service.app, 'GET', '/customer', merchant.headers)).status).toBe(200)
  })

  it('is forgotten once it can be written again', async () => {
    await setReadOnly(false)
    for (const [method, url, body] of writes()) {
      // Every connection may be to the old primary: each finds that out once.
      const statuses: number[] = []
      while (statuses.at(-1) !== 200 && statuses.at(-1) !== 404 && statuses.length < CONNECTIONS) {
        statuses.push((await call(service.app, method, url, merchant.headers, body)).status)
      }
      expect([200, 404], `${method} ${url} ${statuses}`).toContain(statuses.at(-1))
    }
  })
})
