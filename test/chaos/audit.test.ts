// The audit fails when it should: each of its checks sees a database in which just that is wrong,
// and says just that.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { faultyGateway } from '../support/faulty-gateway.ts'
import { openTestHouse, type TestHouse } from '../support/house.ts'
import { audit, type Told, violationsIn } from './audit.ts'
import { CHECKS } from './audit-checks.ts'
import { chargeAndTell } from './tell.ts'

/** The transactions of the house under audit: one of each kind. */
interface Books {
  readonly approved: Told
  readonly declined: Told
  /** SUCCESS, and its caller was told PENDING before. */
  readonly announced: Told
}

interface Case {
  readonly check: string
  readonly what: string
  /** SQL that breaks it. */
  readonly doctor?: (books: Books) => string
  /** What callers were told, where that is what is wrong. */
  readonly journal?: (books: Books) => readonly Told[]
}

const CASES: readonly Case[] = [
  {
    check: 'what was accepted is in our books',
    what: 'a charge is gone',
    journal: ({ approved }) => [{ ...approved, id: randomUUID(), key: 'another' }],
  },
  {
    check: 'what was accepted is what was ordered',
    what: 'the amount is another',
    journal: ({ approved }) => [{ ...approved, cents: approved.cents + 1 }],
  },
  {
    check: 'what was accepted is what was ordered',
    what: 'the key is that of another charge',
    journal: ({ approved, announced }) => [{ ...announced, key: approved.key }],
  },
  {
    check: 'a final answer stays true',
    what: 'a charge was answered as declined and is not',
    journal: ({ approved }) => [{ ...approved, status: 'FAILED' }],
  },
  {
    check: 'the answer that is kept is the one that was given',
    what: 'one of two answers differs by a space',
    journal: ({ approved }) => [approved, { ...approved, body: `${approved.body} ` }],
  },
  {
    check: 'a key has one transaction',
    what: 'two transactions have one key',
    journal: ({ approved }) => [approved],
    doctor: ({ approved, announced }) =>
      `UPDATE transaction SET idempotency_id = '${approved.key}' WHERE id = '${announced.id}'`,
  },
  {
    check: 'nothing is owed',
    what: 'a charge is still in doubt',
    journal: ({ declined }) => [declined],
    doctor: ({ approved }) => `
      UPDATE transaction SET status = 'PENDING', captured = 0, owed = 'doubt', due_at = '2031-01-01'
      WHERE id = '${approved.id}'`,
  },
  {
    check: 'nothing is owed',
    what: 'a charge is parked',
    journal: ({ declined }) => [declined],
    doctor: ({ approved }) => `
      UPDATE transaction SET status = 'PENDING', captured = 0, owed = 'doubt', parked_at = '2031-01-01'
      WHERE id = '${approved.id}'`,
  },
  {
    check: 'the gateway agrees with what succeeded',
    what: 'the gateway declined it',
    doctor: ({ approved }) =>
      `UPDATE sandbox_gateway_payment SET outcome = 'declined' WHERE key = '${approved.id}'`,
  },
  {
    check: 'the gateway agrees with what succeeded',
    what: 'the gateway does not know it',
    doctor: ({ approved }) => `DELETE FROM sandbox_gateway_payment WHERE key = '${approved.id}'`,
  },
  {
    check: 'the gateway agrees with what failed',
    what: 'the gateway approved it',
    doctor: ({ declined }) =>
      `UPDATE sandbox_gateway_payment SET outcome = 'approved' WHERE key = '${declined.id}'`,
  },
  {
    check: 'the gateway agrees with what failed',
    what: 'it failed before its deadline and the gateway does not know it',
    doctor: ({ declined }) => `DELETE FROM sandbox_gateway_payment WHERE key = '${declined.id}'`,
  },
  {
    check: 'the gateway agrees with what failed',
    what: 'it failed at its deadline and the gateway approved it',
    doctor: ({ declined }) => `
      UPDATE sandbox_gateway_payment SET outcome = 'approved' WHERE key = '${declined.id}';
      UPDATE transaction SET deadline_at = updated_at WHERE id = '${declined.id}'`,
  },
  {
    check: 'the gateway made what we ordered',
    what: 'the gateway took a cent more',
    doctor: ({ approved }) =>
      `UPDATE sandbox_gateway_payment SET amount = amount + 1 WHERE key = '${approved.id}'`,
  },
  {
    check: 'the gateway made what we ordered',
    what: 'the gateway calls it by another name',
    doctor: ({ approved }) =>
      `UPDATE sandbox_gateway_payment SET gateway_id = 'another' WHERE key = '${approved.id}'`,
  },
  {
    check: 'the gateway made nothing else',
    what: 'the gateway charged a second time, with a key of its own',
    doctor: ({ approved }) => `
      INSERT INTO sandbox_gateway_payment
        (account_id, key, gateway_id, operation, amount, outcome, silent_until, created_at)
      SELECT account_id, key || '-2', gateway_id || '-2', operation, amount, outcome, silent_until, created_at
      FROM sandbox_gateway_payment WHERE key = '${approved.id}'`,
  },
  {
    check: 'what succeeded is captured',
    what: 'a cent is missing',
    doctor: ({ approved }) =>
      `UPDATE transaction SET captured = captured - 1 WHERE id = '${approved.id}'`,
  },
  {
    check: 'events are numbered without a gap',
    what: 'an event was never written',
    doctor: ({ approved }) => `DELETE FROM event WHERE resource_id = '${approved.id}'`,
  },
  {
    check: 'events are numbered without a gap',
    what: 'a number was left out',
    doctor: ({ announced }) =>
      `UPDATE event SET sequence = 3 WHERE resource_id = '${announced.id}' AND sequence = 2`,
  },
  {
    check: 'events are numbered without a gap',
    what: 'an event is one too many',
    doctor: ({ approved }) => `
      INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
      SELECT account_id, '${randomUUID()}', 'update_transaction', resource_id, 2, snapshot, request_id, created_at
      FROM event WHERE resource_id = '${approved.id}'`,
  },
  {
    check: 'the first event tells of the creation, the others of changes',
    what: 'the first tells of a change',
    doctor: ({ approved }) =>
      `UPDATE event SET type = 'update_transaction' WHERE resource_id = '${approved.id}'`,
  },
  {
    check: 'events tell the story of the row',
    what: 'the last event tells of another outcome',
    journal: ({ declined }) => [declined],
    doctor: ({ approved }) => `
      UPDATE event SET snapshot = jsonb_set(snapshot::jsonb, '{status}', '"FAILED"')
      WHERE resource_id = '${approved.id}'`,
  },
  {
    check: 'events tell the story of the row',
    what: 'the outcome comes before PENDING',
    doctor: ({ announced }) => `
      UPDATE event SET sequence = 3 - sequence + 10,
        type = CASE sequence WHEN 2 THEN 'create_transaction' ELSE 'update_transaction' END
      WHERE resource_id = '${announced.id}';
      UPDATE event SET sequence = sequence - 10 WHERE resource_id = '${announced.id}';
      UPDATE transaction SET outcome_sequence = 1 WHERE id = '${announced.id}'`,
  },
  {
    check: 'who was told PENDING finds the event of it',
    what: 'the only event tells of the outcome',
    journal: ({ approved }) => [{ ...approved, status: 'PENDING' }],
  },
  {
    check: 'events tell of what is there',
    what: 'an event tells of nothing',
    doctor: ({ approved }) => `
      INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
      SELECT account_id, '${randomUUID()}', type, '${randomUUID()}', sequence, snapshot, request_id, created_at
      FROM event WHERE resource_id = '${approved.id}'`,
  },
  {
    check: 'the answer that is kept is the outcome',
    what: 'the kept answer is PENDING',
    journal: ({ approved }) => [approved],
    doctor: ({ announced }) =>
      `UPDATE transaction SET outcome_sequence = 1 WHERE id = '${announced.id}'`,
  },
  {
    check: 'the answer that is kept is the outcome',
    what: 'the kept answer was never written',
    doctor: ({ approved }) =>
      `UPDATE transaction SET outcome_sequence = 2 WHERE id = '${approved.id}'`,
  },
  {
    check: 'a key is held by its transaction',
    what: 'nobody holds it',
    doctor: ({ approved }) => `DELETE FROM idempotency WHERE key = '${approved.key}'`,
  },
  {
    check: 'a key is held by its transaction',
    what: 'another holds it',
    doctor: ({ approved, announced }) =>
      `UPDATE idempotency SET resource_id = '${announced.id}' WHERE key = '${approved.key}'`,
  },
  {
    check: 'no key is taken by nothing',
    what: 'a key was taken and nothing made with it',
    doctor: ({ approved }) => `
      INSERT INTO idempotency (account_id, key, operation, request, resource_id, created_at)
      SELECT account_id, 'another', operation, request, '${randomUUID()}', created_at
      FROM idempotency WHERE key = '${approved.key}'`,
  },
]

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
