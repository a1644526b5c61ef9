// The statements about a clock use indexes, in an account with many transactions among others with
// more: they read the same number of pages whatever the size.

import { describe, expect, it } from 'vitest'
import { nextDeadline } from '../../src/payments/take/due-payments.ts'
import { nudgeOverdueClocks } from '../../src/sandbox-clock/sandbox-clock.ts'
import { newestRow } from '../../src/sandbox-clock/set-clock.ts'
import type { World } from '../../src/world.ts'
import { type Explained, explaining } from '../support/explained.ts'
import { filledDatabase } from '../support/filled-database.ts'
import { CROWD_PENDING, CROWDED, fillCrowd } from '../support/transaction-crowd.ts'

const ROWS = 20_000

/** A few look-ups for each kind of transaction, down an index, and two years of batches. */
const FEW_PAGES = 450

const NOW = new Date('2030-01-01T00:00:00Z')

/** Two of the clocks are advancing, and due. */
const ACCOUNTS = `
  INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at,
    clock_at, clock_from, clock_target, clock_due_at)
  SELECT gen_random_uuid(), gen_random_uuid(), 'sandbox', 100, timestamptz '2024-01-01',
    at, at, at, at
  FROM generate_series(1, 5000) AS i,
    LATERAL (SELECT CASE WHEN i <= 2 THEN timestamptz '2029-01-01' END AS at) AS clock`

const database = filledDatabase(async (client) => {
  await fillCrowd(client, ROWS, 2 * ROWS)
  await client.query('SET session_replication_role = replica')
  await client.query(ACCOUNTS)
  await client.query('SET session_replication_role = DEFAULT')
  await client.query('ANALYZE')
})

/** A world with only the parts that these statements need. */
function worldOf(kept: Explained[], nudged: unknown[] = []): World {
  const nudgeOverdue = async (_queue: string, rows: readonly unknown[]) => nudged.push(...rows)
  const parts = {
    clock: { now: () => NOW },
    db: { query: explaining(database.client, kept) },
    newId: () => 'request',
    queues: { nudgeOverdue },
  }
  return parts as unknown as World
}

function expectFewPages(kept: readonly Explained[]): void {
  const nodes = kept.flatMap((statement) => statement.nodes)
  const scanned = nodes.filter((node) => node['Node Type'].endsWith('Seq Scan'))
  const large = scanned.filter((node) =>
    /^(transaction|account)$/.test(node['Relation Name'] ?? ''),
  )
  expect(large).toEqual([])
  expect(kept.reduce((sum, { buffers }) => sum + buffers, 0)).toBeLessThan(FEW_PAGES)
}

describe('among many rows', () => {
  it('the newest row of an account is found by index', async () => {
    const kept: Explained[] = []
    const newest = await newestRow(explaining(database.client, kept), CROWDED)
    const { rows } = await database.client.query(
      `SELECT greatest(max(created_at), max(updated_at)) AS newest
       FROM transaction WHERE account_id = $1`,
      [CROWDED],
    )
    expect(newest).toEqual(rows[0].newest)
    expectFewPages(kept)
  })

  it('the next deadline is found by index', async () => {
    const kept: Explained[] = []
    const found = await nextDeadline(worldOf(kept).db.query, CROWDED)
    const { rows } = await database.client.query(
      `SELECT min(deadline_at) AS next, count(*)::integer AS count
       FROM transaction WHERE account_id = $1 AND status = 'PENDING'`,
      [CROWDED],
    )
    expect([found, rows[0].count]).toEqual([rows[0].next, CROWD_PENDING])
    expectFewPages(kept)
  })

  it('clocks without a worker are found by index', async () => {
    const kept: Explained[] = []
    const nudged: unknown[] = []
    expect(await nudgeOverdueClocks(worldOf(kept, nudged))).toBe(2)
    expect(nudged).toHaveLength(2)
    expectFewPages(kept)
  })
})
