// Lists of webhooks and of their deliveries, and the reads of replays, use indexes among many rows
// of others.

import { describe, expect, it } from 'vitest'
import { WEBHOOK_DELIVERIES } from '../../src/webhooks/list-webhook-deliveries.ts'
import { QUEUE_CHUNK } from '../../src/webhooks/replay-events.ts'
import { WEBHOOKS } from '../../src/webhooks/webhook.ts'
import { indexesOf, runExplained, typesOf } from '../support/explained.ts'
import { filledDatabase, plansOfList } from '../support/filled-database.ts'

const ACCOUNT = '01941f29-7c00-7000-8000-000000000001'
const WEBHOOK = '01941f29-7c00-7000-8000-000000000002'

/** Accounts with an endpoint each, one of them with more; some have a replay in progress. */
const FILL = `
  SET session_replication_role = replica;
  INSERT INTO webhook (account_id, id, target_url, events, secret, created_at, updated_at)
    SELECT CASE WHEN n <= 15 THEN '${ACCOUNT}'::uuid ELSE gen_random_uuid() END,
      CASE n WHEN 1 THEN '${WEBHOOK}'::uuid ELSE gen_random_uuid() END, 'https://a.example', '{*}',
      'whsec_', timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01'
    FROM generate_series(1, 3000) AS n;
  UPDATE webhook SET replay_id = id, replay_after = created_at, replay_until = created_at,
      replay_after_id = '01941f29-7c00-0000-0000-000000000000', due_at = created_at
    WHERE secret = 'whsec_' AND get_byte(uuid_send(id), 15) = 0;
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
    SELECT account_id, gen_random_uuid(), 'create_customer', n::text || id, 1, '{}', 'r', created_at
    FROM webhook, generate_series(1, 10) AS n;
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
      status, reason, due_at, owed_at, request_id, created_at, updated_at)
    SELECT w.account_id, gen_random_uuid(), 'webhook', w.id, 'event', e.id, w.id::text, 'event',
      CASE WHEN e.is_parked THEN 'parked' ELSE 'pending' END::delivery_status,
      CASE WHEN e.is_parked THEN 'refused' END::parked_reason,
      CASE WHEN e.is_parked THEN NULL ELSE e.created_at END,
      e.created_at, 'r', e.created_at, e.created_at
    FROM webhook w
    JOIN (SELECT *, id::text < '4' AS is_parked FROM event) e USING (account_id);
  SET session_replication_role = DEFAULT;
  VACUUM ANALYZE webhook, event, delivery`

const database = filledDatabase(FILL)
const { planOf } = database

describe('a page of the deliveries of a webhook', () => {
  const deliveriesPlan = plansOfList(database, WEBHOOK_DELIVERIES, ACCOUNT)
  const all = { webhook_id: WEBHOOK }
  const march = { from: new Date('2026-03-01'), before: new Date('2026-04-01') }

  it.each([
    ['all', all, 'desc'],
    ['all, the oldest first', all, 'asc'],
    ['a status', { ...all, status: 'parked' }, 'desc'],
    ['a span', { ...all, ...march }, 'desc'],
    ['a status within a span', { ...all, ...march, status: 'sent' }, 'desc'],
  ] as const)('is found, and counted, by an index of its own: %s', async (_what, asked, order) => {
    const page = await deliveriesPlan('page', asked, { order })
    expect(indexesOf(page)).toEqual(['delivery_of_endpoint', 'event_pkey'])
    const count = await deliveriesPlan('count', asked)
    expect(indexesOf(count)).toEqual(['delivery_of_endpoint'])
    expect(typesOf([...page, ...count])).not.toContain('Seq Scan')
  })

  it('is read in the order of the index, no further than the page', async () => {
    const nodes = await deliveriesPlan('page', all)
    const [limit] = nodes.filter((node) => node['Node Type'] === 'Limit')
    expect(indexesOf(limit?.Plans ?? [])).toEqual(['delivery_of_endpoint'])
    expect(typesOf(limit?.Plans ?? [])).not.toContain('Sort')
  })
})

describe('a page of webhooks', () => {
  const sorts = Object.keys(WEBHOOKS.sorts) as (keyof typeof WEBHOOKS.sorts)[]
  const webhookPlan = plansOfList(database, WEBHOOKS, ACCOUNT)

  it.each(sorts)('by %s is found by an index, and counted by one', async (sort) => {
    for (const which of ['page', 'count'] as const) {
      const nodes = await webhookPlan(which, {}, { sort })
      expect(typesOf(nodes)).not.toContain('Seq Scan')
      expect(indexesOf(nodes)).toEqual([expect.stringMatching(/^webhook_/)])
    }
  })
})

describe('a chunk of a replay', () => {
  it('is found by its due time, and its events and their deliveries by their ids', async () => {
    const nodes = await planOf(QUEUE_CHUNK, [new Date('2026-03-01')])
    expect(typesOf(nodes)).not.toContain('Seq Scan')
    const ofEvent = 'delivery_account_id_subject_id_channel_recipient_request_key'
    const used = ['delivery_pkey', ofEvent, 'event_pkey', 'webhook_due', 'webhook_pkey']
    expect([...indexesOf(nodes)].sort()).toEqual(used.sort())
    const [events] = nodes.filter((node) => node['Index Name'] === 'event_pkey')
    expect(events?.['Index Cond']).toMatch(/account_id = .*id > /)
    const [deliveries] = nodes.filter((node) => node['Index Name'] === ofEvent)
    expect(deliveries?.['Index Cond']).toMatch(/account_id = .*subject_id >= .*subject_id <= /)
  })

  it('would be scanned without an index, as a control', async () => {
    const text = 'SELECT FROM webhook WHERE previous_secret_until < $1'
    expect(typesOf(await planOf(text, [new Date()]))).toEqual(['Seq Scan'])
  })
})

/** One account whose thousand events are to be sent to ten endpoints, and to five of them again. */
const YOUNG = `
  SET session_replication_role = replica;
  ALTER TABLE webhook SET (autovacuum_enabled = off);
  ALTER TABLE event SET (autovacuum_enabled = off);
  ALTER TABLE delivery SET (autovacuum_enabled = off);
  INSERT INTO webhook (account_id, id, target_url, events, secret, replay_id, replay_after,
      replay_until, replay_after_id, due_at, created_at, updated_at)
    SELECT '${ACCOUNT}', gen_random_uuid(), 'https://a.example', '{*}', 'whsec_', gen_random_uuid(),
      created_at, created_at, '00000000-0000-0000-0000-000000000000', created_at, created_at,
      created_at
    FROM generate_series(1, 15) n, (SELECT timestamptz '2026-01-01' AS created_at) t;
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
    SELECT '${ACCOUNT}', ('01941f29-7c00-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
      'create_customer', n::text, 1, '{}', 'r', '2026-01-01'
    FROM generate_series(1, 1000) AS n;
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
      due_at, owed_at, request_id, created_at, updated_at)
    SELECT w.account_id, gen_random_uuid(), 'webhook', w.id, 'event', e.id, w.id::text, 'event',
      timestamptz '2026-12-01', e.created_at, 'r', e.created_at, e.created_at
    FROM (SELECT * FROM webhook LIMIT 10) w JOIN event e USING (account_id);
  SET session_replication_role = DEFAULT`

describe('a chunk of a replay in tables without statistics', () => {
  const young = filledDatabase(YOUNG)

  it('reads no delivery once for each event', async () => {
    const march = new Date('2026-03-01')
    // Each runs two chunks, the second of which finds the end.
    for (let replays = 0; replays < 15; replays += 1) {
      const chunk = { text: QUEUE_CHUNK, values: [march] }
      expect((await runExplained(young.client, chunk)).buffers).toBeLessThan(60_000)
    }
    const due = 'SELECT count(*)::integer AS count FROM delivery WHERE due_at = $1'
    expect(await young.query(due, [march])).toEqual([{ count: 15_000 }])
  })
})
