// The statements that delete from large tables: they read the rows to delete, and no others,
// whatever statistics the database has.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import { forgetOld } from '../../src/upkeep/forget-old.ts'
import type { World } from '../../src/world.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { type Explained, explaining } from '../support/explained.ts'
import { daysAgo, insertEvents } from '../support/retention.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const OLD = 3_000
const YOUNG = 12_000
const MOST = 1_000

let service: TestService
let client: pg.Client

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
  client = new pg.Client({ connectionString: service.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  await client.query('ALTER TABLE event SET (autovacuum_enabled = false)')
  await client.query('ALTER TABLE delivery SET (autovacuum_enabled = false)')
  for (const { accountId } of [await service.merchant(), await service.merchant()]) {
    await insertEvents(service, accountId, OLD, daysAgo(31))
    await insertEvents(service, accountId, YOUNG, daysAgo(1))
    await insertDeliveries(service, accountId, OLD, { at: daysAgo(91) })
    await insertDeliveries(service, accountId, YOUNG, { at: daysAgo(1) })
  }
  await client.query(`
    UPDATE event SET type = 'update_transaction';
    INSERT INTO idempotency (account_id, key, operation, request, resource_id, created_at)
    SELECT account_id, id::text, 'charge', '{}', id::text, created_at FROM event;
    INSERT INTO transaction_words
    SELECT account_id, sha256(id::text::bytea), 'charge', 'FAILED', 'card', false, 0, id::text,
      CASE WHEN created_at < '${daysAgo(30).toISOString()}' THEN 0 ELSE 1 END
    FROM event`)
}, 60_000)
afterAll(async () => {
  await client.end()
  await service.close()
})

/** The transaction is rolled back. Each statement runs twice, once with EXPLAIN. */
async function explained(): Promise<readonly Explained[]> {
  const kept: Explained[] = []
  const explain = explaining(client, kept)
  const query: Query = (text, values) =>
    text.includes('set_config')
      ? client.query(text, [...(values ?? [])]).then(({ rows }) => rows)
      : explain(text, values)
  const db = {
    ...service.world.db,
    query,
    commit: (_: string, act: (query: Query) => unknown) => act(query),
  }
  const queues = { startRound() {} }
  await client.query('BEGIN')
  try {
    await forgetOld({ ...service.world, db, queues } as unknown as World, MOST)
  } finally {
    await client.query('ROLLBACK')
  }
  return kept
}

describe.each([
  ['before it has looked at them', 'SELECT 1'],
  ['once it has', 'ANALYZE event, delivery, idempotency, transaction'],
])('the database, %s', (_, prepare) => {
  it('reads the rows of the chunk, and finds everything else by index', async () => {
    await client.query(prepare)
    const statements = await explained()
    const removing = statements.flatMap(({ text }) => /DELETE FROM (\w+)/.exec(text)?.[1] ?? [])
    expect([...new Set(removing)]).toEqual([
      'event',
      'delivery',
      'operator_session',
      'transaction_words',
    ])
    // The tally is read part after part.
    expect(removing.filter((table) => table === 'transaction_words').length).toBeGreaterThan(10)
    for (const { nodes } of statements) {
      const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
      const tables = scanned.map((node) => node['Relation Name'])
      // These tables have two rows at most, or those that people have made.
      const whole = ['account', 'webhook', 'operator_session', 'sign_in_link']
      expect(tables.filter((name) => !whole.includes(name ?? ''))).toEqual([])
      const rows = nodes.map((node) => node['Actual Rows'] * node['Actual Loops'])
      expect(Math.max(...rows)).toBeLessThanOrEqual(MOST)
    }
  })
})
