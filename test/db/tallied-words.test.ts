// The total of a keyword that very many transactions have in their words: it comes from the tally of
// words, and nothing is counted twice or left out.

import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { forgetWords } from '../../src/payments/lists/forget-words.ts'
import { idsAt, openWalk } from '../../src/payments/lists/walk.ts'
import type { World } from '../../src/world.ts'
import { filledDatabase } from '../support/filled-database.ts'
import { listing, type PartialFilters } from '../support/listings.ts'
import { CROWDED } from '../support/transaction-crowd.ts'

/** More than are found one by one. */
const DECLINED = 11_000

/** The second customer's name is a word of the declines as well. */
const CUSTOMERS = `
  INSERT INTO customer (account_id, id, firstname, lastname, meta, created_at, updated_at)
  SELECT $1::uuid, md5(name)::uuid, name, 'Lovelace', '{}', timestamptz '2026-01-01',
    timestamptz '2026-01-01'
  FROM unnest(ARRAY['Ada', 'Fundsworth']) AS name`

const PENDING = `
  INSERT INTO transaction (account_id, id, type, method, status, currency, total, customer_id,
    payment_method_id, gateway_name, meta, request_id, owed, due_at, deadline_at, created_at,
    updated_at)
  SELECT $1::uuid, gen_random_uuid(), CASE WHEN n % 2 = 0 THEN 'charge' ELSE 'pre_auth' END
      ::transaction_type,
    'card', 'PENDING', 'USD', 100 + n % 3, md5(CASE WHEN n % 100 = 0 THEN 'Fundsworth' ELSE 'Ada' END)::uuid,
    md5('m')::uuid, 'sandbox', '{}', 'r', 'doubt', at, at, at, at
  FROM generate_series(1, ${DECLINED} + 1000) AS n,
    LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 minute' AS at) AS moment`

/** The first are declined, and of the others every second one succeeds. */
const DECIDE = `
  UPDATE transaction t SET captured = 0, owed = NULL, due_at = NULL, outcome_sequence = 1,
    status = CASE WHEN n <= ${DECLINED} THEN 'FAILED' ELSE 'SUCCESS' END::transaction_status,
    business_date = CASE WHEN n > ${DECLINED} THEN created_at END,
    message = CASE WHEN n <= ${DECLINED} THEN 'No funds, try ' || n % 7 ELSE 'Funds there' END
  FROM (SELECT id, row_number() OVER (ORDER BY created_at) AS n FROM transaction) numbered
  WHERE t.id = numbered.id AND (n <= ${DECLINED} OR n % 2 = 0)`

const MATCHES = `
  SELECT count(*)::integer AS count FROM transaction t
  JOIN customer c ON c.account_id = t.account_id AND c.id = t.customer_id
  WHERE (t.status = 'FAILED' AND t.message ILIKE '%' || $1 || '%'
      OR c.firstname ILIKE '%' || $1 || '%')`

const forget = (most = 100) =>
  forgetWords({ db: { commit: (_, act) => act(query) } as World['db'] }, most)

const database = filledDatabase(async (client) => {
  await client.query('SET session_replication_role = replica')
  for (const text of [CUSTOMERS, PENDING]) await client.query(text, [CROWDED])
  await client.query('SET session_replication_role = DEFAULT')
  await client.query(DECIDE)
  await client.query('VACUUM ANALYZE')
})
const { query } = database

async function expectTotal(filters: PartialFilters, more: string): Promise<number> {
  const [counted] = await query(`${MATCHES} AND ${more}`, filters.keywords)
  const walk = await openWalk(query, listing(filters))
  expect(walk.total).toBe(counted?.count)
  const last = Math.min(walk.total, 40)
  const ids = await idsAt(query, walk, walk.total - last, 50)
  expect(new Set(ids).size).toBe(last)
  return walk.total
}

describe('the tally of words', () => {
  it('keeps no words that no transaction has any more, once old rows are deleted', async () => {
    const others = await Promise.all(
      [1, 2].map(async () => {
        const other = new pg.Client({ connectionString: database.url })
        await other.connect()
        return other
      }),
    )
    const rows = await query(
      `UPDATE transaction SET message = 'a secret note' WHERE id IN
        (SELECT id FROM transaction WHERE status = 'FAILED' LIMIT 2) RETURNING id`,
    )
    // Each removes one of the two, and neither sees what the other has removed.
    for (const other of others) await other.query('BEGIN')
    for (const [i, other] of others.entries()) {
      await other.query(`UPDATE transaction SET message = 'No funds, try 1' WHERE id = $1`, [
        rows[i]?.id,
      ])
    }
    for (const other of others) await other.query('COMMIT')
    for (const other of others) await other.end()
    const noted = () => query(`SELECT 1 FROM transaction_words WHERE words LIKE '%secret note%'`)
    expect((await noted()).length).toBeGreaterThan(0)
    await forget()
    expect(await noted()).toEqual([])
  })

  it('loses every line that adds up to nothing, and no other, however many there are', async () => {
    const sum = () => query('SELECT sum(count) FROM transaction_words')
    const before = await sum()
    await query(
      `INSERT INTO transaction_words
       SELECT $1::uuid, sha256(n::text::bytea), 'charge', 'FAILED', 'card', false, shard,
         'many ' || n, CASE WHEN n % 2 = 0 THEN 1 - 2 * shard ELSE 1 END
       FROM generate_series(1, 2000) AS n, generate_series(0, 1) AS shard`,
      [CROWDED],
    )
    const left = () => query(`SELECT count FROM transaction_words WHERE words LIKE 'many %'`)
    const rounds: number[] = []
    do rounds.push(await forget(900))
    while ((rounds.at(-1) ?? 0) >= 900)
    expect(rounds.reduce((all, count) => all + count, 0)).toBe(2_000)
    expect((await left()).map(({ count }) => count)).toEqual(Array(2_000).fill('1'))
    await query(`DELETE FROM transaction_words WHERE words LIKE 'many %'`)
    expect(await sum()).toEqual(before)
  })
})

describe('the total of a keyword that very many transactions have in their words', () => {
  it.each(['funds', 'FUNDS', 'no funds, try', 'try'])('is exact: %s', async (keyword) => {
    expect(await expectTotal({ keywords: [keyword] }, 'true')).toBeGreaterThan(10_000)
  })

  it('is exact for a type and for a time', async () => {
    const keywords = ['funds']
    await expectTotal({ keywords, type: 'charge' }, "t.type = 'charge'")
    await expectTotal({ keywords, status: 'FAILED' }, "t.status = 'FAILED'")
    const from = new Date('2026-01-03T00:00:00Z')
    const created = { from, before: undefined }
    await expectTotal({ keywords, created }, "t.created_at >= '2026-01-03Z'")
  })

  it('is exact beside an owner, an amount, and the end of a card', async () => {
    const keywords = ['funds']
    const [owner] = await query(`SELECT id FROM customer WHERE firstname = 'Fundsworth'`)
    const owners = { customer_id: owner?.id }
    const few = await expectTotal({ keywords, owners }, `c.id = '${owner?.id}'`)
    expect([few > 0, few < 1_000]).toEqual([true, true])
    const many = await expectTotal({ keywords, least: 101n }, 't.total >= 101')
    expect(many).toBeGreaterThan(few)
    await expectTotal({ keywords, least: 102n, most: 102n }, 't.total = 102')
    expect(await expectTotal({ keywords, lastFour: '9999' }, 'false')).toBe(0)
  })

  it('is exact after more were decided', async () => {
    const before = await expectTotal({ keywords: ['funds'] }, 'true')
    await query(
      `UPDATE transaction SET captured = 0, owed = NULL, due_at = NULL, outcome_sequence = 1,
         status = 'FAILED', message = 'no funds any more'
       WHERE status = 'PENDING'`,
    )
    expect(await expectTotal({ keywords: ['funds'] }, 'true')).toBeGreaterThan(before)
  })
})
