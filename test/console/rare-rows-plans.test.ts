// Rare rows of all accounts are found by indexes of them alone: no table is scanned once for each
// account, although one account has nearly all rows.

import { describe, expect, it } from 'vitest'
import { disputeList } from '../../src/console/pages/disputes.tsx'
import { REQUEST_LIST } from '../../src/console/pages/requests.tsx'
import type { World } from '../../src/world.ts'
import { type Explained, explaining } from '../support/explained.ts'
import { filledDatabase } from '../support/filled-database.ts'

const ROWS = 5_000

const FILL = `
  SET session_replication_role = replica;
  INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
  SELECT md5(n::text)::uuid, gen_random_uuid(), 'live', 600, '2026-03-07Z'
  FROM generate_series(1, 500) n;
  INSERT INTO recent_request (account_id, id, key_id, request_id, method, path, status, ms, at)
  SELECT md5('1')::uuid, gen_random_uuid(), md5('1')::uuid, n, 'GET', '/self',
    CASE WHEN n % 2 = 0 THEN 404 ELSE 200 END, 1, '2026-03-07Z' FROM generate_series(1, ${ROWS}) n;
  INSERT INTO dispute (account_id, id, transaction_id, gateway_name, gateway_id, place, status,
    reason, amount, currency, opened_at, closed_at, read_at, created_at, updated_at)
  SELECT md5('1')::uuid, gen_random_uuid(), gen_random_uuid(), 'stripe', n, '', 'won',
    'general', 100, 'USD', '2026-03-07Z', '2026-03-07Z', '2026-03-07Z', '2026-03-07Z', '2026-03-07Z'
  FROM generate_series(1, ${ROWS}) n;
  SET session_replication_role = DEFAULT;
  VACUUM ANALYZE account;
  VACUUM ANALYZE recent_request;
  VACUUM ANALYZE dispute`

const database = filledDatabase(FILL)

describe('of all accounts, without reading the table for each', () => {
  it.each([
    ['requests that failed', () => REQUEST_LIST, { answer: 'failed' }],
    ['disputes to answer', disputeList, { status: 'to_answer' }],
    ['disputes in a state', disputeList, { status: 'lost' }],
  ] as const)('%s', async (_, listOf, query) => {
    const kept: Explained[] = []
    const parts = { config: {}, db: { query: explaining(database.client, kept) } }
    const world = parts as unknown as World
    const { rows } = await listOf(world).find(world, query)
    expect(rows).toEqual([])
    expect(kept.length).toBeGreaterThan(0)
    for (const { buffers } of kept) expect(buffers).toBeLessThan(3_000)
  })
})
