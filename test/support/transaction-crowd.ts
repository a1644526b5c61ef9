// Accounts with many transactions, as two years of business leave them: written by the database
// itself, since the API would take days.

import type pg from 'pg'

/** The account under test. */
export const CROWDED = '01941f29-7c00-7000-8000-000000000001'

/** The last day of its business. */
const CROWD_END = new Date('2026-11-20T00:00:00Z')

/** From this day the batches are open; that of the day before is frozen, and not closed yet. */
export const CROWD_OPEN_DAY = '2026-10-15'
export const CROWD_CLOSING_DAY = '2026-10-14'

/** The undecided transactions of each account. */
export const CROWD_PENDING = 200

const OTHER_ACCOUNTS = 20

/** Rows for each statement: its sorts and joins stay in memory. */
const CHUNK = 1_000_000

/**
 * For the account $1, the rows $2 to $3 of $4; deterministic, so that two runs compare. The first
 * two steps are materialized, since PostgreSQL would otherwise throw the dice of a row once for
 * each use of them, and their numbers are `float8`, in which `exp` is cheap: together they halve
 * the CPU.
 */
const TRANSACTIONS = `
  WITH dice AS MATERIALIZED (
    SELECT i, md5(i::text || $1::text) AS hex,
      timestamptz '${CROWD_END.toISOString()}' - ($4::bigint - i) * (interval '730 days' / $4) AS at
    FROM generate_series($2::bigint - 1, $3::bigint + 1) AS i
  ), thrown AS MATERIALIZED (
    SELECT i, at, hex,
      (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || left(hex, 3)
        || '8' || substr(hex, 4, 15))::uuid AS id,
      ('x' || substr(hex, 1, 6))::bit(24)::integer / 16777216::float8 AS of_type,
      ('x' || substr(hex, 7, 6))::bit(24)::integer / 16777216::float8 AS of_status,
      ('x' || substr(hex, 13, 6))::bit(24)::integer / 16777216::float8 AS of_method,
      ('x' || substr(hex, 19, 6))::bit(24)::integer / 16777216::float8 AS of_owner,
      ('x' || substr(hex, 25, 6))::bit(24)::integer / 16777216::float8 AS of_total,
      i > $4 - ${CROWD_PENDING} AS is_pending
    FROM dice
  ), typed AS (
    SELECT *, of_method >= 0.97 AND NOT is_pending AS is_manual,
      CASE WHEN of_method >= 0.97 THEN 'charge'
        WHEN of_type < 0.85 THEN 'charge' WHEN of_type < 0.90 THEN 'pre_auth'
        WHEN of_type < 0.94 THEN 'capture' WHEN of_type < 0.96 THEN 'void'
        ELSE 'refund' END::transaction_type AS type
    FROM thrown
  ), related AS (
    SELECT *, NOT is_manual AND type IN ('capture', 'void', 'refund') AS is_child,
      lag(id) OVER (ORDER BY i) AS before_it,
      lead(NOT is_manual AND type IN ('capture', 'void', 'refund')) OVER (ORDER BY i) AS is_parent
    FROM typed
  ), decided AS (
    SELECT *,
      CASE WHEN is_pending THEN 'PENDING' WHEN is_manual OR of_status < 0.92 THEN 'SUCCESS'
        ELSE 'FAILED' END::transaction_status AS status
    FROM related
  )
  INSERT INTO transaction (account_id, id, type, method, status, message, currency, total, children,
    is_manual, source, customer_id, payment_method_id, invoice_id, schedule_id, payment_link_id,
    reference_id, void_id, business_date, idempotency_id, gateway_name, auth_id, last_four, meta,
    request_id, owed, due_at, deadline_at, version, outcome_sequence, created_at, updated_at)
  SELECT $1::text::uuid, id, type,
    CASE WHEN of_method >= 0.99 AND is_manual THEN 'check' WHEN is_manual THEN 'cash'
      WHEN of_method >= 0.85 THEN 'bank' ELSE 'card' END::method,
    status,
    CASE WHEN is_pending THEN NULL WHEN is_manual THEN 'Paid at the desk, slip ' || left(hex, 8)
      WHEN status = 'SUCCESS' THEN 'Approved' ELSE 'Declined by the sandbox gateway' END,
    'USD', (100 * exp(9 * of_total))::bigint, coalesce(is_parent, false)::integer,
    is_manual, CASE WHEN is_manual THEN 'till ' || i % 20 END,
    md5('customer' || $1::text || trunc(of_owner * $4 / 20))::uuid,
    md5('method' || $1::text || trunc(of_owner * $4 / 20))::uuid,
    CASE WHEN of_owner < 0.1 THEN md5('invoice' || i)::uuid END,
    CASE WHEN of_owner < 0.05 THEN md5('schedule' || i % 1000)::uuid END,
    CASE WHEN of_owner > 0.95 THEN md5('link' || i % 50) END,
    CASE WHEN is_child THEN before_it END,
    CASE WHEN is_settled AND day >= '${CROWD_OPEN_DAY}' AND type <> 'refund' AND i % 5 = 0
      THEN md5('void' || i)::uuid END,
    CASE WHEN is_settled THEN day END,
    CASE WHEN i % 10 = 0 THEN 'order-' || i END,
    CASE WHEN NOT is_manual THEN 'sandbox' END,
    CASE WHEN NOT is_manual AND NOT is_pending THEN 'sbx_' || id END,
    CASE WHEN NOT is_manual THEN right('000' || trunc(of_status * 10000), 4) END,
    CASE WHEN i % 2 = 0 THEN jsonb_build_object('reference', 'Sale ' || i) ELSE '{}' END
      || CASE WHEN i % 3 = 0 THEN jsonb_build_object('poNumber', i) ELSE '{}' END,
    'crowd',
    CASE WHEN is_pending THEN 'doubt' END, CASE WHEN is_pending THEN at END, at, 1, 1, at,
    at + of_status * interval '20 days'
  FROM decided, LATERAL (
    SELECT (at AT TIME ZONE 'UTC')::date AS day,
      status = 'SUCCESS' AND NOT is_manual AND type IN ('charge', 'capture', 'refund') AS is_settled
  ) AS business
  WHERE i BETWEEN $2 AND $3`

/** For the account $1, with $2 transactions. */
const CUSTOMERS = `
  WITH people AS (
    SELECT n, md5('customer' || $1::text || n)::uuid AS id, md5(n::text || $1::text) AS hex
    FROM generate_series(0, $2::bigint / 20) AS n
  )
  INSERT INTO customer (account_id, id, firstname, lastname, email, phone, meta, created_at, updated_at)
  SELECT $1::text::uuid, id, initcap(translate(left(hex, 6), '0123456789', 'ghijklmnop')),
    initcap(translate(right(hex, 8), '0123456789', 'qrstuvwxyz')), left(hex, 10) || '@example.com',
    '+1202' || right('000000' || n, 7), '{}', timestamptz '2024-01-01', timestamptz '2024-01-01'
  FROM people`

const PAYMENT_METHODS = `
  INSERT INTO payment_method (account_id, id, customer_id, method, gateway_name, gateway_token,
    person_name, last_four, is_default, meta, created_at, updated_at)
  SELECT $1::text::uuid, md5('method' || $1::text || n)::uuid, md5('customer' || $1::text || n)::uuid, 'card',
    'sandbox', 'tok_' || n, 'A B', '4242', true, '{}', timestamptz '2024-01-01',
    timestamptz '2024-01-01'
  FROM generate_series(0, $2::bigint / 20) AS n`

const KEYS = `
  INSERT INTO idempotency (account_id, key, operation, request, resource_id, created_at)
  SELECT account_id, idempotency_id, 'charge', '{}', id::text, created_at
  FROM transaction WHERE idempotency_id IS NOT NULL`

/** A day's batch in each account, closed until the day that is closing. */
const BATCHES = `
  INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, status, created_at,
    closed_at, deposit_at, count, sales, refunds)
  SELECT account_id, md5('batch' || account_id || day)::uuid, day, ends_at, 'UTC', status,
    ends_at - interval '1 day',
    CASE WHEN status <> 'open' THEN ends_at END, CASE WHEN status = 'closed' THEN ends_at END,
    CASE WHEN status = 'closed' THEN count ELSE 0 END,
    CASE WHEN status = 'closed' THEN total ELSE 0 END, 0
  FROM (
    SELECT account_id, business_date AS day, count(*) AS count, sum(total) AS total
    FROM transaction WHERE business_date IS NOT NULL AND void_id IS NULL GROUP BY 1, 2
  ) days, LATERAL (
    SELECT (day + 1)::timestamp AT TIME ZONE 'UTC' AS ends_at,
      CASE WHEN day < '${CROWD_CLOSING_DAY}' THEN 'closed'
        WHEN day = '${CROWD_CLOSING_DAY}' THEN 'closing' ELSE 'open' END::batch_status AS status
  ) AS stands`

/** The work of the triggers, which are off meanwhile. */
const TALLY = `
  INSERT INTO transaction_tally
  SELECT account_id, span, date_trunc(span::text, created_at AT TIME ZONE 'UTC')::date,
    type, status, method, is_manual, 0, count(*)
  FROM transaction CROSS JOIN unnest(enum_range(NULL::tally_span)) AS span
  WHERE status <> 'PENDING' GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3`

const WORDS = `
  INSERT INTO transaction_words
  SELECT account_id, sha256(convert_to(words, 'UTF8')), type, status, method, is_manual, 0, words,
    count(*)
  FROM transaction, words_of(message, source) AS words
  WHERE (status = 'FAILED' OR is_manual) AND status <> 'PENDING'
  GROUP BY account_id, type, status, method, is_manual, words`

const FILLED = [
  'transaction',
  'transaction_tally',
  'transaction_words',
  'customer',
  'payment_method',
  'idempotency',
  'batch',
]

/** Indexes without a constraint. */
const INDEXES = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
  FROM pg_index WHERE indrelid IN ('transaction'::regclass, 'customer'::regclass) AND NOT indisunique`

/** Fills an empty database. `more` is written while there are no indexes to be kept up. */
export async function fillCrowd(
  client: pg.Client,
  own: number,
  others: number,
  more: readonly string[] = [],
): Promise<void> {
  await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '512MB'")
  const { rows: indexes } = await client.query(INDEXES)
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
  await fillAccount(client, CROWDED, own)
  for (let n = 0; n < OTHER_ACCOUNTS; n += 1) {
    const id = `01941f29-7c00-7000-8000-0000000001${String(n).padStart(2, '0')}`
    await fillAccount(client, id, Math.ceil(others / OTHER_ACCOUNTS))
  }
  for (const statement of more) await client.query(statement)
  for (const { definition } of indexes) await client.query(definition)
  await client.query(TALLY)
  await client.query(WORDS)
  await client.query(KEYS)
  await client.query(BATCHES)
  await client.query('SET session_replication_role = DEFAULT')
  for (const table of FILLED) {
    await client.query(`VACUUM (ANALYZE) ${table}`)
  }
}

async function fillAccount(client: pg.Client, accountId: string, rows: number): Promise<void> {
  await client.query(CUSTOMERS, [accountId, rows])
  await client.query(PAYMENT_METHODS, [accountId, rows])
  for (let first = 1; first <= rows; first += CHUNK) {
    const last = Math.min(rows, first + CHUNK - 1)
    await client.query(TRANSACTIONS, [accountId, first, last, rows])
  }
}
