// The audit fails when it should: each of its checks sees a database in which just that is wrong,
// and says just that.

import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { faultyGateway } from '../support/faulty-gateway.ts'
import { openTestHouse, type TestHouse } from '../support/house.ts'
import { audit, violationsIn } from './audit.ts'
import { CHECKS } from './audit-checks.ts'
import { type Books, CASES_OF_BOOKS } from './broken-books.ts'
import { CASES_OF_EVENTS } from './broken-events.ts'
import { chargeAndTell } from './tell.ts'

const CASES = [...CASES_OF_BOOKS, ...CASES_OF_EVENTS]

describe('the audit', () => {
  let house: TestHouse
  let client: pg.Client
  let books: Books

  beforeAll(async () => {
    // Slow enough for a caller who does not wait to be told PENDING.
    house = await openTestHouse({
      withGateway: (gateway) => faultyGateway(gateway, { fault: () => 'slow', slowMs: 300 }),
    })
    const merchant = await house.merchant()
    const good = await house.card(merchant)
    const bad = await house.card(merchant, '4000000000000002')
    const approved = await chargeAndTell(house.app, merchant, { card: good, cents: 1_250 })
    const declined = await chargeAndTell(house.app, merchant, { card: bad, cents: 990 })
    const order = { card: good, cents: 4_200, key: 'announced' }
    const pending = await chargeAndTell(house.app, merchant, { ...order, isAtOnce: true })
    expect(pending.status).toBe('PENDING')
    const announced = await vi.waitFor(async () => {
      const told = await chargeAndTell(house.app, merchant, order)
      expect(told.status).toBe('SUCCESS')
      return told
    })
    books = { approved, declined, announced }
    client = new pg.Client(house.databaseUrl)
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await house.close()
  })

  beforeEach(async () => {
    await client.query('BEGIN')
    // Neither triggers nor foreign keys stand in the way of what must not be.
    await client.query('SET LOCAL session_replication_role = replica')
  })
  afterEach(() => client.query('ROLLBACK'))

  it('finds nothing where nothing is wrong', async () => {
    expect(await audit(house.databaseUrl, Object.values(books))).toEqual([])
    expect(await violationsIn(client, Object.values(books))).toEqual([])
  })

  it('lets a charge fail at its deadline that the gateway never made', async () => {
    const { id } = books.declined
    await client.query(`DELETE FROM sandbox_gateway_payment WHERE key = '${id}'`)
    await client.query(`UPDATE transaction SET deadline_at = updated_at WHERE id = '${id}'`)
    expect(await violationsIn(client, Object.values(books))).toEqual([])
  })

  it.each(CASES)('says "$check" where $what', async ({ check, doctor, journal }) => {
    if (doctor !== undefined) await client.query(doctor(books))
    const violations = await violationsIn(client, journal?.(books) ?? Object.values(books))
    expect(violations).toEqual([expect.stringMatching(new RegExp(`^${check}: `))])
  })

  it('has no check that is not shown to fail', () => {
    const shown = new Set(CASES.map(({ check }) => check))
    expect(CHECKS.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([])
  })
})
