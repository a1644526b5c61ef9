// A batch with many transactions, as a busy day leaves it at its cutoff: written by the database
// itself, since the API would take hours.

import type pg from 'pg'
import { newId } from '../../src/outside/identity.ts'

/** Rows for each statement. */
const CHUNK = 50_000

/** For the account $1 and the day $2, the rows $3 to $4. */
const TRANSACTIONS = `
  WITH thrown AS (
    SELECT i, md5(i::text || $1::text || $2::text) AS hex,
      ($2::text || ' 00:00:00Z')::timestamptz + make_interval(secs => i * 0.36) AS at
    FROM generate_series($3::bigint, $4::bigint) AS i
  ), made AS (
    SELECT *, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || left(hex, 3)
      || '8' || substr(hex, 4, 15))::uuid AS id
    FROM thrown
  )
  INSERT INTO transaction (account_id, id, type, method, status, message, currency, total, captured,
    customer_id, payment_method_id, business_date, gateway_name, auth_id, last_four, meta,
    idempotency_id, request_id, deadline_at, version, outcome_sequence, created_at, updated_at)
  SELECT $1::text::uuid, id, 'charge', 'card', 'SUCCESS', 'Approved', 'USD', 100 + i % 9000,
    100 + i % 9000, md5('customer' || $1::text || i / 2)::uuid,
    md5('method' || $1::text || i / 2)::uuid, $2::text::date, 'sandbox', 'sbx_' || id, '1111',
    '{"order": "A-1", "note": "as a merchant writes it"}',
    CASE WHEN i % 2 = 0 THEN 'order-' || i || $2 END, 'crowd', at, 1, 1, at, at
  FROM made`

/** For the account $1 and $2 transactions: each customer buys twice a day. */
const CUSTOMERS = `
  INSERT INTO customer (account_id, id, firstname, lastname, email, phone, meta, created_at, updated_at)
  SELECT $1::text::uuid, md5('customer' || $1::text || n)::uuid, 'Ada', 'Lovelace ' || n,
    n || '@example.com', '+12025550100', '{}', timestamptz '2024-01-01', timestamptz '2024-01-01'
  FROM generate_series(0, $2::bigint / 2) AS n`

const PAYMENT_METHODS = `
  INSERT INTO payment_method (account_id, id, customer_id, method, gateway_name, gateway_token,
    person_name, card_type, card_exp, last_four, is_default, meta, created_at, updated_at)
  SELECT $1::text::uuid, md5('method' || $1::text || n)::uuid,
    md5('customer' || $1::text || n)::uuid, 'card', 'sandbox', 'tok_' || n, 'Ada Lovelace', 'visa',
    '1239', '1111', true, '{}', timestamptz '2024-01-01', timestamptz '2024-01-01'
  FROM generate_series(0, $2::bigint / 2) AS n`

const BATCH = `
  INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, created_at, due_at)
  VALUES ($1, $2, $3::text::date, $4, 'UTC', $4, $4)`

/** Indexes without a constraint, which are made again faster than they are maintained. */
const INDEXES = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
  FROM pg_index WHERE indrelid IN ('transaction'::regclass, 'customer'::regclass) AND NOT indisunique`

/** Fills each of the days and its open batch with this many; answers the batches' ids. */
export async function fillDays(
  client: pg.Client,
  accountId: string,
  days: readonly string[],
  each: number,
): Promise<readonly string[]> {
  await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '256MB'")
  const { rows: indexes } = await client.query(INDEXES)
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
  await client.query(CUSTOMERS, [accountId, each])
  await client.query(PAYMENT_METHODS, [accountId, each])
  const ids: string[] = []
  for (const day of days) {
    const id = newId()
    await client.query(BATCH, [accountId, id, day, new Date(`${day}T23:59:00Z`)])
    for (let first = 1; first <= each; first += CHUNK) {
      const last = Math.min(each, first + CHUNK - 1)
      await client.query(TRANSACTIONS, [accountId, day, first, last])
    }
    ids.push(id)
  }
  for (const { definition } of indexes) await client.query(definition)
  await client.query('SET session_replication_role = DEFAULT')
  for (const table of ['transaction', 'customer', 'payment_method', 'batch']) {
    await client.query(`VACUUM (ANALYZE) ${table}`)
  }
  return ids
}

/** A few transactions of each account on one day, in an open batch; answers the batches' ids. */
export async function writeDay(
  client: pg.Client,
  accountIds: readonly string[],
  day: string,
  each: number,
): Promise<readonly string[]> {
  await client.query('SET session_replication_role = replica')
  const ids: string[] = []
  for (const accountId of accountIds) {
    const id = newId()
    await client.query(`${CUSTOMERS} ON CONFLICT DO NOTHING`, [accountId, each])
    await client.query(`${PAYMENT_METHODS} ON CONFLICT DO NOTHING`, [accountId, each])
    await client.query(BATCH, [accountId, id, day, new Date(`${day}T23:59:00Z`)])
    await client.query(TRANSACTIONS, [accountId, day, 1, each])
    ids.push(id)
  }
  await client.query('SET session_replication_role = DEFAULT')
  return ids
}
