// The database cuts connections off while it is used: every caller gets the error that it is away,
// on any route, and never an internal error.

import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { call, openTestService } from '../support/test-service.ts'

const LONG_TEST = { timeout: 60_000 }

const MOST_ROUNDS = 1000

/** The connections stay whole between cuts, so that requests of several statements succeed, too. */
const ROUNDS_A_CUT = 3

/** Cuts half of the connections, at random. */
const CUT_OFF = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND datname = current_database() AND random() < 0.5`

describe('while connections are cut off', () => {
  it('every request is answered, or refused because the database is away', LONG_TEST, async () => {
    await using service = await openTestService({ queues: [] })
    const merchant = await service.merchant()
    const card = await service.card(merchant)
    const url = `/payment-method/${card}`
    const { customer_id } = (await call(service.app, 'GET', url, merchant.headers)).body
    const bill = { total: 5, customer_id, payment_method_id: card }
    const requests = [
      ['/invoice', bill],
      ['/invoice/schedule', { ...bill, rule: 'FREQ=DAILY' }],
      ['/payment-link', { common_name: 'Tea' }],
      ['/customer', { firstname: 'Ada' }],
    ] as const
    const killer = new pg.Client(service.databaseUrl)
    await killer.connect()
    const expected = requests.flatMap(([path]) => [`${path} 200`, `${path} 503`]).sort()
    const seen = new Set<string>()
    for (let round = 0; round < MOST_ROUNDS && !expected.every((one) => seen.has(one)); round++) {
      const asked = requests.map(async ([path, body]) => {
        const { status } = await call(service.app, 'POST', path, merchant.headers, body)
        seen.add(`${path} ${status}`)
      })
      await Promise.all([...asked, round % ROUNDS_A_CUT === 0 ? killer.query(CUT_OFF) : undefined])
    }
    await killer.end()
    expect([...seen].sort()).toEqual(expected)
  })
})
