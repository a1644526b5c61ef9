// Copies of a charge: a day's business in a second, in the form in which the service wrote the
// first, with matching instants, since ids of events contain their time.

import type pg from 'pg'

/** The ids and amounts of the copies, for the statements below. */
const DRAW = `
  DROP TABLE IF EXISTS clone;
  CREATE TEMPORARY TABLE clone (id uuid PRIMARY KEY, cents bigint NOT NULL)`

const FILL = `
  INSERT INTO clone SELECT gen_random_uuid(), 1 + floor(random() * 100000)
  FROM generate_series(1, $1)`

const CHARGES = `
  INSERT INTO transaction
  SELECT r.* FROM transaction t CROSS JOIN clone c
  CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object('id', c.id, 'total', c.cents,
    'captured', c.cents, 'auth_id', 'sbx_' || c.id, 'idempotency_id', NULL)) r
  WHERE t.id = $1`

const GATEWAY_PAYMENTS = `
  INSERT INTO sandbox_gateway_payment
  SELECT r.* FROM sandbox_gateway_payment p CROSS JOIN clone c
  CROSS JOIN LATERAL jsonb_populate_record(p, jsonb_build_object('key', c.id,
    'gateway_id', 'sbx_' || c.id, 'amount', c.cents)) r
  WHERE p.key = $1::text`

const SCHEDULES = `
  INSERT INTO schedule
  SELECT r.* FROM schedule s CROSS JOIN clone c
  CROSS JOIN LATERAL jsonb_populate_record(s, jsonb_build_object('id', c.id)) r
  WHERE s.id = $1`

const EVENTS = `
  INSERT INTO event
  SELECT r.* FROM event e CROSS JOIN clone c
  CROSS JOIN LATERAL jsonb_populate_record(e, jsonb_build_object('id', id_beside(e.id),
    'resource_id', c.id, 'snapshot', jsonb_set(e.snapshot::jsonb, '{id}', to_jsonb(c.id)))) r
  WHERE e.resource_id = $1::text`

/** Copies a successful charge with other amounts; answers their sum. */
export async function cloneCharge(
  client: pg.Client,
  id: string,
  count: number,
): Promise<{ readonly cents: number }> {
  await clone(client, id, count, [CHARGES, GATEWAY_PAYMENTS, EVENTS])
  const { rows } = await client.query('SELECT sum(cents)::integer AS cents FROM clone')
  return rows[0]
}

export async function cloneSchedule(client: pg.Client, id: string, count: number): Promise<void> {
  await clone(client, id, count, [SCHEDULES, EVENTS])
}

async function clone(
  client: pg.Client,
  id: string,
  count: number,
  statements: readonly string[],
): Promise<void> {
  await client.query(DRAW)
  await client.query(FILL, [count])
  await client.query('BEGIN')
  for (const statement of statements) await client.query(statement, [id])
  await client.query('COMMIT')
}
