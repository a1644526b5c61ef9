// The teams of the hostile tests: one has as many rows as some years of business leave, written by
// the database itself.

import pg from 'pg'
import { createTeam } from '../../src/accounts/create-team.ts'
import { createKey } from '../../src/accounts/manage-keys.ts'
import { readConfig } from '../../src/config.ts'
import { changeRow } from '../../src/db/change-row.ts'
import { openLog } from '../../src/log.ts'
import { inOneCommit } from '../../src/operators/audit-entries.ts'
import { openWorld } from '../../src/world.ts'
import { CROWDED, fillCrowd } from '../support/transaction-crowd.ts'

export interface Team {
  readonly accountId: string
  readonly key: string
}

const OTHERS = 20_000

/**
 * Customers whose names share their trigrams, and events, a tenth of which are young enough to be
 * replayed. The pending payments of the others are parked: they have no accounts, so that none of
 * them could be decided, and workers would ask about them all the time.
 */
const MORE = `
  UPDATE transaction SET due_at = NULL, parked_at = created_at
  WHERE status = 'PENDING' AND account_id <> $1;
  INSERT INTO customer (account_id, id, firstname, lastname, company, email, phone, notes, meta,
    created_at, updated_at)
  SELECT $1, gen_random_uuid(), 'Ada', 'Lovelace ' || n, 'Analytical Engines', 'ada' || n
    || '@example.com', '+1202555' || lpad((n % 10000)::text, 4, '0'), repeat('aaaa 100% ', 10), '{}',
    timestamptz '2025-01-01' + n * interval '1 second',
    timestamptz '2025-01-01' + n * interval '1 second'
  FROM generate_series(1, $2::integer) AS n;
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
  SELECT $1, (lpad(to_hex(ms), 12, '0') || '7000' || '8000' || right(md5(n::text), 12))::uuid,
    'create_customer', gen_random_uuid()::text, 1, '{"id": "1"}', 'crowd', to_timestamp(ms / 1000.0)
  FROM generate_series(1, $2::integer) AS n
  CROSS JOIN LATERAL (
    SELECT CASE WHEN n % 10 = 0
      THEN (extract(epoch FROM now() - interval '1 day') * 1000)::bigint ELSE 1763700000000
    END + n
  ) AS at(ms)`

/** Fills a fresh database with this many transactions, and returns their team. */
export async function addCrowdedTeam(databaseUrl: string, rows: number): Promise<Team> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  try {
    const more = MORE.replaceAll('$1', `'${CROWDED}'`).replaceAll('$2', `'${rows / 2}'`)
    await fillCrowd(client, rows, OTHERS, more.split(';\n'))
    await client.query('VACUUM (ANALYZE) event')
  } finally {
    await client.end()
  }
  return addTeam(databaseUrl, CROWDED)
}

/** A team with a key of its sandbox account, whose id may be one with existing rows. */
export async function addTeam(databaseUrl: string, accountId?: string): Promise<Team> {
  const config = readConfig({ RATE_LIMIT_PER_MINUTE: '1000000' })
  const world = openWorld({ config, databaseUrl, log: openLog('silent') })
  try {
    return await inOneCommit(world, 'team', async (own) => {
      const { query } = own.db
      const { id, accounts } = await createTeam(own, `Hostile ${world.newId()}`)
      const flags = { smsEnabled: true, splitFundingEnabled: true }
      await changeRow(query, 'team', { id }, flags)
      const account = accountId ?? accounts.sandbox
      await changeRow(query, 'account', { id: accounts.sandbox }, { id: account })
      const wanted = { accountId: account, mode: 'sandbox', name: 'test' } as const
      const { key } = await createKey(own, wanted)
      return { accountId: account, key }
    })
  } finally {
    await world.close()
  }
}
