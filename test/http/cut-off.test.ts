// The database cuts connections off while it is being asked: whoever asked is told that it is away,
// by whatever way he asked, and never that something is wrong with us.

import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { call, openTestService } from '../support/test-service.ts'

const LONG_TEST = { timeout: 60_000 }

const MOST_ROUNDS = 1000

/** Between them the connections are whole: what needs several statements succeeds, too. */
const ROUNDS_A_CUT = 3

/** Half of them, at random. */
const CUT_OFF = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND datname = current_database() AND random() < 0.5`

describe('while connections are cut off', () => {
  it('every request is answered, or told that the database is away', LONG_TEST, async () => {
    await using service = await openTestService({ queues: [] })
    const merchant = await service.merchant()
    const card = await service.card(merchant)
    const url = `/payment-method/${card}`
    const { customer_id } = (await call(service.app, 'GET', url, merchant.headers)).body
    const bill = { total: 5, customer_id, payment_method_id: card }
    const wishes = [
      ['/invoice', bill],
      ['/invoice/schedule', { ...bill, rule: 'FREQ=DAILY' }],
      ['/payment-link', { common_name: 'Tea' }],
      ['/customer', { firstname: 'Ada' }],
    ] as const
    const killer = new pg.Client(service.databaseUrl)
    await killer.connect()
    const expected = wishes.flatMap(([path]) => [`${path} 200`, `${path} 503`]).sort()
    const seen = new Set<string>()
    for (let round = 0; round < MOST_ROUNDS && !expected.every((one) => seen.has(one)); round++) {
      const asked = wishes.map(async ([path, body]) => {
        const { status } = await call(service.app, 'POST', path, merchant.headers, body)
        seen.add(`${path} ${status}`)
      })
      await Promise.all([...asked, round % ROUNDS_A_CUT === 0 ? killer.query(CUT_OFF) : undefined])
    }
    await killer.end()
    expect([...seen].sort()).toEqual(expected)
  })
})
