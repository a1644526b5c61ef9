// The tally of the lists agrees with a count, whichever program decides transactions, by any
// statement, and however many at once.

import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { call } from '../support/test-service.ts'

const KIND = 'account_id, type, status, method, is_manual'

/** Lines that are in one of the two and not in the other. */
const WRONG = `
  WITH tallied AS (
    SELECT ${KIND}, span, starts, sum(count)::bigint AS count FROM transaction_tally
    GROUP BY ${KIND}, span, starts HAVING sum(count) <> 0
  ), counted AS (
    SELECT ${KIND}, span, date_trunc(span::text, created_at AT TIME ZONE 'UTC')::date AS starts,
      count(*) AS count
    FROM transaction CROSS JOIN unnest(enum_range(NULL::tally_span)) AS span
    WHERE status <> 'PENDING' GROUP BY ${KIND}, span, 7
  )
  (TABLE tallied EXCEPT TABLE counted) UNION ALL (TABLE counted EXCEPT TABLE tallied)`

/** The same of the tally of words, which has no line of words that no transaction has any more. */
const WRONG_WORDS = `
  WITH tallied AS (
    SELECT ${KIND}, words, sum(count)::bigint AS count FROM transaction_words
    GROUP BY ${KIND}, words
  ), counted AS (
    SELECT ${KIND}, coalesce(message || ' ', '') || coalesce(source, '') AS words, count(*) AS count
    FROM transaction WHERE (status = 'FAILED' OR is_manual) AND status <> 'PENDING'
    GROUP BY ${KIND}, words
  )
  (TABLE tallied EXCEPT TABLE counted) UNION ALL (TABLE counted EXCEPT TABLE tallied)`

const TALLIED = `
  SELECT coalesce(sum(count), 0)::integer AS count FROM transaction_tally WHERE span = 'month'`

/** PENDING transactions in each of two accounts, over some months. */
const FILL = `
  SET session_replication_role = replica;
  INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
  SELECT id, id, 'sandbox', 100, timestamptz '2026-01-01'
  FROM (VALUES ('01941f29-7c00-7000-8000-000000000001'::uuid),
      ('01941f29-7c00-7000-8000-000000000002')) AS accounts(id);
  INSERT INTO transaction (account_id, id, type, method, status, currency, total, customer_id,
    payment_method_id, gateway_name, meta, request_id, owed, due_at, deadline_at, created_at,
    updated_at)
  SELECT account, gen_random_uuid(), 'charge', 'card', 'PENDING', 'USD', 100, account, account,
    'sandbox', '{}', 'r', 'doubt', at, at, at, at
  FROM (VALUES ('01941f29-7c00-7000-8000-000000000001'::uuid),
      ('01941f29-7c00-7000-8000-000000000002')) AS accounts(account),
    generate_series(1, 400) AS n,
    LATERAL (SELECT timestamptz '2026-01-01' + n * interval '7 hours' AS at) AS moment;
  SET session_replication_role = DEFAULT`

const DECIDED = 'captured = 0, owed = NULL, due_at = NULL, outcome_sequence = 1'

/** No worker takes a row before the test decides it. */
const OWED_TOMORROW = `
  INSERT INTO transaction (account_id, id, type, method, status, currency, total, customer_id,
    payment_method_id, gateway_name, meta, request_id, owed, due_at, deadline_at, created_at,
    updated_at)
  SELECT account_id, gen_random_uuid(), 'charge', 'card', 'PENDING', currency, total, customer_id,
    payment_method_id, 'sandbox', '{}', 'r', 'doubt', now() + interval '1 day',
    now() + interval '1 day', created_at, updated_at
  FROM transaction WHERE type = 'charge' AND gateway_name IS NOT NULL LIMIT 1
  RETURNING id`

const DECIDE_BY_HAND = `
  UPDATE transaction SET ${DECIDED}, status = 'FAILED', is_manual = true, gateway_name = NULL
  WHERE id = $1`

const DECIDE = `
  UPDATE transaction SET ${DECIDED}, status = $2,
    business_date = CASE WHEN $2 = 'SUCCESS'::transaction_status THEN created_at END
  WHERE id = ANY($1)`

/** The business days of the successes, by the first zone and cutoff, and those in a batch. */
const DAYS = `
  SELECT count(*)::integer AS of_all,
    count(*) FILTER (WHERE t.business_date
      = ((t.updated_at AT TIME ZONE 'America/New_York') + interval '4 hours')::date
      AND b.status = 'open' AND b.cutoff_at > t.updated_at
      AND b.cutoff_at <= t.updated_at + interval '25 hours')::integer AS joined
  FROM transaction t
  LEFT JOIN batch b ON b.account_id = t.account_id AND b.business_date = t.business_date`

describe('after every operation of a merchant', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi()
  })
  afterAll(() => api.service.close())

  it('the tally agrees with a count', async () => {
    const { service, merchant } = api
    const declining = await service.card(merchant, DECLINED_CARD)
    const charges = await Promise.all([
      ...Array.from({ length: 12 }, () => api.charge()),
      api.charge({ payment_method_id: declining }),
      api.charge({ total: 763.64 }, { prefer: 'respond-async' }),
    ])
    await api.ask(await api.paid(), 'void')
    const authorised = await api.authorised()
    await api.ask(authorised, 'capture', { total: 4 })
    await api.ask(authorised, 'capture', { total: 3 })
    const [{ body: first } = { body: {} }] = charges
    const manual = {
      message: 'first words',
      total: 5,
      type: 'refund',
      method: 'cash',
      customer_id: first.customer_id,
    }
    const recorded = await call(service.app, 'POST', '/transaction', merchant.headers, manual)
    expect(recorded.status).toBe(200)
    const url = `/transaction/${recorded.body.id}`
    const changed = await call(service.app, 'PUT', url, merchant.headers, { total: 6 })
    expect(changed.status).toBe(200)
    const noted = { message: 'kept', source: 'till 1' }
    expect((await call(service.app, 'PUT', url, merchant.headers, noted)).status).toBe(200)
    const { query } = service.world.db
    expect(await query(WRONG)).toEqual([])
    expect(await query(WRONG_WORDS)).toEqual([])
    const [tallied] = await query(TALLIED)
    const [counted] = await query(
      "SELECT count(*)::integer AS count FROM transaction WHERE status <> 'PENDING'",
    )
    expect(tallied).toEqual(counted)
    expect(tallied?.count).toBeGreaterThanOrEqual(19)
  })

  it('a decision by hand is in it, and a corrected method', async () => {
    const { query } = api.service.world.db
    const [owed] = await query(OWED_TOMORROW)
    const id = owed?.id
    await query(DECIDE_BY_HAND, [id])
    await query("UPDATE transaction SET method = 'check' WHERE id = $1", [id])
    await query("UPDATE transaction SET message = 'again', updated_at = updated_at")
    expect(await query(WRONG)).toEqual([])
    expect(await query(WRONG_WORDS)).toEqual([])
  })
})

describe('many transactions that are decided at once', () => {
  let database: FreshDatabase
  let clients: readonly pg.Client[]

  beforeAll(async () => {
    database = await freshDatabase()
    clients = Array.from({ length: 12 }, () => new pg.Client(database.url))
    await Promise.all(clients.map((client) => client.connect()))
    await clients[0]?.query(FILL)
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await database.drop()
  })

  it('are each tallied once, without a deadlock', async () => {
    const [first] = clients
    if (first === undefined) throw new Error('no client')
    const { rows } = await first.query('SELECT id FROM transaction ORDER BY account_id, created_at')
    const ids: string[] = rows.map(({ id }) => id)
    // Each commit has two statements, one forwards and one backwards, which could deadlock.
    const work = clients.map(async (client, i) => {
      const own = ids.filter((_, n) => n % clients.length === i)
      for (let at = 0; at < own.length; at += 8) {
        const some = own.slice(at, at + 8)
        const parts = [some.slice(0, 4), some.slice(4)]
        await client.query('BEGIN')
        for (const part of i % 2 === 0 ? parts : parts.reverse()) {
          await client.query(DECIDE, [part, at % 16 === 0 ? 'SUCCESS' : 'FAILED'])
        }
        await client.query('COMMIT')
      }
    })
    await Promise.all(work)
    expect((await first.query(WRONG)).rows).toEqual([])
    expect((await first.query(WRONG_WORDS)).rows).toEqual([])
    expect((await first.query(TALLIED)).rows).toEqual([{ count: ids.length }])
  })

  it('a wrong line would be found', async () => {
    await clients[0]?.query('BEGIN; UPDATE transaction_tally SET count = count + 1')
    const wrong = await clients[0]?.query(WRONG)
    await clients[0]?.query('ROLLBACK')
    expect(wrong?.rows.length).toBeGreaterThan(0)
  })
})

describe('a database that had transactions before it had a tally and batches', () => {
  const FROM = join(import.meta.dirname, '../../prisma/migrations')
  const TALLIES = '20261121100500_transaction_lists'
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lamplighter-tally-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has all of them in it, each in the batch of its day', async () => {
    const isBefore = (path: string) => path === FROM || relative(FROM, path) < TALLIES
    await cp(FROM, folder, { recursive: true, filter: isBefore })
    const url = await emptyDatabase()
    await migrate(url, folder)
    const client = new pg.Client(url)
    await client.connect()
    await client.query(FILL)
    await client.query(`UPDATE transaction SET ${DECIDED}, status = 'SUCCESS'`)
    await cp(FROM, folder, { recursive: true })
    expect(await migrate(url, folder)).toContain(TALLIES)
    expect((await client.query(WRONG)).rows).toEqual([])
    expect((await client.query(WRONG_WORDS)).rows).toEqual([])
    expect((await client.query(TALLIED)).rows).toEqual([{ count: 800 }])
    expect((await client.query(DAYS)).rows).toEqual([{ of_all: 800, joined: 800 }])
    await client.end()
  })
})

/** It is dropped with the server, at the end of the run. */
async function emptyDatabase(): Promise<string> {
  const name = `tally_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client(inject('adminUrl'))
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
  return Object.assign(new URL(inject('adminUrl')), { pathname: name }).href
}
