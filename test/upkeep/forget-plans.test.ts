// What forgetting asks of large tables: the rows that go, and nothing else, whatever the database
// knows of its tables.

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
    SELECT account_id, id::text, 'charge', '{}', id::text, created_at FROM event`)
}, 60_000)
afterAll(async () => {
  await client.end()
  await service.close()
})

/** In a commit that never comes. Each statement is carried out twice, once to be explained. */
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
  const queues = { prompt() {} }
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
  it('looks at the rows of the chunk, and finds all else by indexes', async () => {
    await client.query(prepare)
    const statements = await explained()
    const removing = statements.filter(({ text }) => text.includes('DELETE FROM'))
    expect(removing.map(({ text }) => /DELETE FROM (\w+)/.exec(text)?.[1])).toEqual([
      'event',
      'delivery',
    ])
    for (const { nodes } of statements) {
      const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
      const tables = scanned.map((node) => node['Relation Name'])
      // A table of two rows, or of none.
      expect(tables.filter((name) => !['account', 'webhook'].includes(name ?? ''))).toEqual([])
      const rows = nodes.map((node) => node['Actual Rows'] * node['Actual Loops'])
      expect(Math.max(...rows)).toBeLessThanOrEqual(MOST)
    }
  })
})
