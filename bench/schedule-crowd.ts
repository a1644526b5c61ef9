// Schedules by the thousand, in many accounts, each with a customer and a card.

import type pg from 'pg'

/** The instant at which some of them are due: a Monday, nine in the morning in New York. */
export const DUE = new Date('2026-03-02T14:00:00Z')

const ACCOUNTS = 100
const CUSTOMERS_EACH = 100

const FILL = `
  INSERT INTO team (id, name, created_at, updated_at)
    SELECT gen_random_uuid(), 'Team', $1, $1 FROM generate_series(1, ${ACCOUNTS});
  INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
    SELECT gen_random_uuid(), id, 'sandbox', 100, created_at FROM team;
  INSERT INTO customer (account_id, id, firstname, lastname, email, cc_emails, cc_sms, meta,
      created_at, updated_at)
    SELECT a.id, gen_random_uuid(), 'Ada', 'Lovelace', 'ada' || n || '@example.com', '{}', '{}', '{}',
      $1, $1
    FROM account a, generate_series(1, ${CUSTOMERS_EACH}) AS n;
  INSERT INTO payment_method (account_id, id, customer_id, method, gateway_name, gateway_token,
      person_name, last_four, card_type, card_exp, is_default, meta, created_at, updated_at)
    SELECT account_id, gen_random_uuid(), id, 'card', 'sandbox', 'tok_' || id, 'Ada Lovelace',
      '1111', 'visa', '1239', true, '{}', $1, $1
    FROM customer`

/** Daily, weekly and monthly ones, which began at some time of the last years. */
const MORE = `
  INSERT INTO schedule (account_id, id, customer_id, payment_method_id, total, currency, rule,
      anchor, timezone, email_notification, sms_notification, meta, next_run_at, due_at, request_id,
      created_at, updated_at)
    SELECT m.account_id, gen_random_uuid(), m.customer_id, m.id, 1250, 'USD',
      (ARRAY['RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY', 'RRULE:FREQ=MONTHLY'])[n % 3 + 1],
      to_char(timestamp '2026-03-02 09:00:00' - CASE n % 3
          WHEN 0 THEN n % 3000 * interval '1 day'
          WHEN 1 THEN n % 500 * interval '7 days'
          ELSE n % 120 * interval '1 month'
        END, 'YYYY-MM-DD"T"HH24:MI:SS'),
      'America/New_York', true, false, '{"memo": "Coffee, each time"}', $1, $1, 'bench',
      $2, $2
    FROM generate_series(1, $3::integer) AS n
    JOIN (SELECT *, row_number() OVER () AS number FROM payment_method) m
      ON m.number = n % ${ACCOUNTS * CUSTOMERS_EACH} + 1`

export async function fillAccounts(client: pg.Client): Promise<void> {
  for (const statement of FILL.split(';')) {
    await client.query(statement.replaceAll('$1', `'${DUE.toISOString()}'`))
  }
}

/** Adds so many, due at that instant. Their references are correct by construction. */
export async function fillSchedules(client: pg.Client, count: number, due: Date): Promise<void> {
  await client.query('SET session_replication_role = replica')
  await client.query(MORE, [due, DUE, count])
  await client.query('SET session_replication_role = DEFAULT')
  await client.query('VACUUM ANALYZE')
}

const MADE = 'schedule_run, invoice, bill_name, transaction, event, transaction_tally'

/** Resets them, as if none had run. */
export async function rewind(client: pg.Client): Promise<void> {
  await client.query(`TRUNCATE ${MADE} CASCADE`)
  await client.query(
    `UPDATE schedule SET next_run_at = $1, due_at = $1, count = 0, version = 1, runs_of_day = 0,
       run_day = NULL, last_run_at = NULL, last_invoice_id = NULL
     WHERE version > 1`,
    [DUE],
  )
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
}
