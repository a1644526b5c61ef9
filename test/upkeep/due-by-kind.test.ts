// Due work by kind: each kind is found, no other with it, and none by scanning whole tables.

import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/core/time-units.ts'
import { OLDEST_OPEN, openBatchLatenessMs } from '../../src/settlement/due-batches.ts'
import {
  DUE_DELIVERIES,
  DUE_KINDS,
  DUE_WORK,
  type DueKind,
  dueByKind,
  IN_DOUBT,
  PARKED,
  PARKED_KINDS,
  parkedByKind,
} from '../../src/upkeep/due-by-kind.ts'
import { insertBatch, OPEN } from '../support/batch-rows.ts'
import { type Explained, explaining } from '../support/explained.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/**
 * Some thousand rows in every table that can have due work, none of it due; with the layout of a
 * table that is years old.
 */
const FILL = `
  ${dropChecks()}
  SET session_replication_role = replica;
  INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
    SELECT gen_random_uuid(), gen_random_uuid(), 'sandbox', 100, current_timestamp
    FROM generate_series(1, 2000);
  INSERT INTO team (id, name, created_at, updated_at)
    SELECT team_id, team_id::text, created_at, created_at FROM account;
  INSERT INTO transaction (account_id, id, type, method, status, currency, total, customer_id,
      payment_method_id, gateway_name, meta, request_id, outcome_sequence, created_at, updated_at)
    SELECT id, gen_random_uuid(), 'charge', 'card', 'SUCCESS', 'USD', 100, id, id, 'sandbox', '{}',
      'filled', 1, created_at, created_at FROM account, generate_series(1, 5);
  INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, created_at, status, count,
      sales, closed_at, told_at, deposit_at)
    SELECT id, gen_random_uuid(), created_at::date - n, created_at - n * interval '1 day', 'UTC',
      created_at, 'closed', 1, 100, created_at, created_at, created_at
    FROM account, generate_series(1, 5) AS n;
  INSERT INTO schedule (account_id, id, customer_id, total, currency, rule, anchor, timezone,
      email_notification, sms_notification, meta, request_id, created_at, updated_at)
    SELECT id, gen_random_uuid(), id, 100, 'USD', 'RRULE:FREQ=DAILY', '', 'UTC', true, false, '{}',
      'filled', created_at, created_at FROM account;
  INSERT INTO invoice (account_id, id, status, total, currency, customer_id, token, meta, request_id,
      created_at, updated_at)
    SELECT id, gen_random_uuid(), 'DRAFT', 100, 'USD', id, md5(id::text), '{}', 'filled', created_at,
      created_at FROM account;
  INSERT INTO webhook (account_id, id, target_url, events, secret, created_at, updated_at)
    SELECT id, gen_random_uuid(), 'https://shop.example.com/', '{*}', 'whsec_', created_at, created_at
    FROM account;
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
      status, sent_at, owed_at, request_id, created_at, updated_at)
    SELECT t.account_id, gen_random_uuid(), c.channel, t.account_id,
      (CASE c.channel WHEN 'webhook' THEN 'event' ELSE 'transaction' END)::delivery_subject, t.id,
      'somebody', 'filled', 'sent', t.created_at, t.created_at, 'filled', t.created_at, t.created_at
    FROM transaction t, unnest(enum_range(NULL::delivery_channel)) AS c(channel);
  INSERT INTO gateway_feed (gateway_name, place, read_through, due_at)
    SELECT 'stripe', id::text, created_at, created_at + interval '1 year' FROM account;
  SET session_replication_role = DEFAULT;
  ANALYZE`

/** How one of the filled rows falls due at $1; each statement takes a free row. */
const OWE: Readonly<Record<DueKind, string>> = {
  charge: oweTransaction('charge'),
  refund: oweTransaction('refund'),
  doubt: oweTransaction('doubt'),
  batch: one('batch', 'due_at = $1'),
  gateway_feed: "INSERT INTO gateway_feed VALUES ('stripe', gen_random_uuid()::text, $1, $1)",
  schedule: one('schedule', 'due_at = $1, next_run_at = $1'),
  payment_retry: one('invoice', 'due_at = $1, retry_at = $1'),
  clock: one('account', 'clock_due_at = $1', 'id'),
  email: oweDelivery('email'),
  sms: oweDelivery('sms'),
  webhook: oweDelivery('webhook'),
  replay: one('webhook', 'due_at = $1'),
}

/** Only the kind of work and its number matter here. */
function dropChecks(): string {
  return `DO $$ DECLARE r record; BEGIN
    FOR r IN SELECT conrelid::regclass AS of, conname FROM pg_constraint
      WHERE contype = 'c' AND connamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', r.of, r.conname);
    END LOOP;
  END $$;`
}

function one(table: string, set: string, key = 'account_id, id', where = 'true'): string {
  const due = table === 'account' ? 'clock_due_at' : 'due_at'
  return `UPDATE ${table} SET ${set} WHERE (${key}) = (
    SELECT ${key} FROM ${table} WHERE ${due} IS NULL AND ${where} LIMIT 1)`
}

function oweTransaction(owed: string): string {
  return one('transaction', `status = 'PENDING', owed = '${owed}', due_at = $1`)
}

function oweDelivery(channel: string): string {
  const set = "status = 'pending', due_at = $1, sent_at = NULL"
  return one('delivery', set, 'account_id, id', `channel = '${channel}' AND reason IS NULL`)
}

let service: TestService
let client: pg.Client

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
  client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query(FILL)
  // The triggers would refuse some of this too.
  await client.query('SET session_replication_role = replica')
})
beforeEach(async () => {
  await client.query('BEGIN')
})
afterEach(async () => {
  await client.query('ROLLBACK')
})
afterAll(async () => {
  await client.end()
  await service.close()
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE)

/** A world with one connection, so that a test's rows are gone after it. */
function world() {
  const query = async (text: string, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows
  return { ...service.world, db: { ...service.world.db, query } }
}

describe('due work', () => {
  it('is of no kind in a service that keeps up', async () => {
    const nothing = DUE_KINDS.map((kind) => ({ kind, count: 0, oldestDueAt: null }))
    expect(await dueByKind(world())).toEqual(nothing)
    expect(await parkedByKind(world())).toEqual(PARKED_KINDS.map((kind) => ({ kind, count: 0 })))
  })

  it.each(DUE_KINDS)(
    'of the kind %s is found, with its oldest instant, and no other',
    async (kind) => {
      const oldest = minutesAgo(17)
      for (const at of [minutesAgo(3), oldest, minutesAgo(-5)]) await client.query(OWE[kind], [at])
      const due = (await dueByKind(world())).filter(({ count }) => count > 0)
      expect(due).toEqual([{ kind, count: 2, oldestDueAt: oldest }])
    },
  )

  it('leaves out work in progress', async () => {
    await client.query(OWE.sms, [minutesAgo(3)])
    const lease = 'UPDATE delivery SET leased_until = $1 WHERE due_at IS NOT NULL'
    await client.query(lease, [minutesAgo(-1)])
    expect(await dueByKind(world())).not.toContainEqual(expect.objectContaining({ count: 1 }))
    await client.query(lease, [minutesAgo(1)])
    expect(await dueByKind(world())).toContainEqual(
      expect.objectContaining({ kind: 'sms', count: 1 }),
    )
  })

  it('leaves out the messages of a stopped team, but not its events', async () => {
    for (const kind of ['email', 'sms', 'webhook'] as const) {
      await client.query(OWE[kind], [minutesAgo(3)])
    }
    await client.query("UPDATE delivery SET lane = id WHERE channel = 'webhook' AND due_at < $1", [
      new Date(),
    ])
    await client.query(
      `UPDATE team SET enabled = false WHERE id IN (
      SELECT a.team_id FROM account a JOIN delivery d ON d.account_id = a.id AND d.due_at < $1)`,
      [new Date()],
    )
    const due = (await dueByKind(world())).filter(({ count }) => count > 0)
    expect(due.map(({ kind }) => kind)).toEqual(['webhook'])
  })

  it('counts work that a person must decide', async () => {
    const park = one('transaction', "status = 'PENDING', owed = 'doubt', parked_at = $1")
    await client.query(park, [minutesAgo(1)])
    const pause = "status = 'paused', parked_reason = 'too_many_runs', due_at = NULL"
    await client.query(one('schedule', `${pause}, next_run_at = NULL`))
    for (const channel of ['email', 'email', 'webhook']) {
      const set = "status = 'parked', reason = 'expired'"
      const which = `channel = '${channel}' AND status = 'sent'`
      await client.query(one('delivery', set, 'account_id, id', which))
    }
    expect(await parkedByKind(world())).toEqual([
      { kind: 'payment', count: 1 },
      { kind: 'schedule', count: 1 },
      { kind: 'email', count: 2 },
      { kind: 'sms', count: 0 },
      { kind: 'webhook', count: 1 },
    ])
  })
})

describe('in tables of any size', () => {
  it.each([
    ['what is due', DUE_WORK, [new Date()]],
    ['what is to be delivered', DUE_DELIVERIES, [new Date()]],
    ['what is parked', PARKED, []],
    ['what is in doubt', IN_DOUBT, []],
    ['the most overdue batch', OLDEST_OPEN, [new Date(), new Date()]],
  ])('%s is found without a table scan', async (_what, text, values) => {
    for (const kind of DUE_KINDS) await client.query(OWE[kind], [minutesAgo(1)])
    const { nodes, buffers } = await explained(text, values)
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
    expect(buffers).toBeLessThan(200)
  })

  it('a table scan would be noticed', async () => {
    const { nodes, buffers } = await explained("SELECT FROM transaction WHERE currency = 'EUR'", [])
    expect(nodes.map((node) => node['Node Type'])).toContain('Seq Scan')
    expect(buffers).toBeGreaterThan(200)
  })
})

describe('the most overdue batch', () => {
  let merchant: Merchant

  beforeAll(async () => {
    merchant = await service.merchant()
  })
  beforeEach(async () => {
    await service.world.db.query('DELETE FROM batch WHERE account_id = $1', [merchant.accountId])
  })
  const late = async (minutes: number, dueInMs = 0) => {
    const day = `2026-02-${String((minutes % 28) + 1).padStart(2, '0')}`
    const cutoff = minutesAgo(minutes).toISOString()
    const own = { ...OPEN, business_date: day, cutoff_at: cutoff, created_at: cutoff }
    const id = await insertBatch(service, merchant, own)
    const due = new Date(Date.now() + dueInMs)
    await service.world.db.query('UPDATE batch SET due_at = $2 WHERE id = $1', [id, due])
  }
  const lateMinutes = async () => Math.round((await openBatchLatenessMs(service.world)) / MINUTE)

  it('does not exist if no cutoff has passed', async () => {
    await late(-5, 5 * MINUTE)
    expect(await lateMinutes()).toBe(0)
  })

  it('is the one whose cutoff is longest ago, also while a worker closes it', async () => {
    await late(3)
    await late(9, service.world.timings.leaseMs)
    expect(await lateMinutes()).toBe(9)
  })

  it('is not one of an account with its own clock', async () => {
    await late(9)
    const set = 'UPDATE account SET clock_at = $2 WHERE id = $1'
    await service.world.db.query(set, [merchant.accountId, new Date('2030-01-01')])
    expect(await lateMinutes()).toBe(0)
    await service.world.db.query(set, [merchant.accountId, null])
    expect(await lateMinutes()).toBe(9)
  })
})

async function explained(text: string, values: readonly unknown[]): Promise<Explained> {
  const kept: Explained[] = []
  await explaining(client, kept)(text, values)
  const [first] = kept
  if (first === undefined) throw new Error('nothing was explained')
  return first
}
