// The statements of a closing in an account with many transactions: they read only the day's own,
// by index, whatever statistics the database has.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import { newId } from '../../src/outside/identity.ts'
import { familyOf } from '../../src/payments/transaction/find-transaction.ts'
import type { BatchWithAccount } from '../../src/settlement/batch-with-account.ts'
import { findBatchWithAccount } from '../../src/settlement/batch-with-account.ts'
import { sumsOfDays } from '../../src/settlement/sums.ts'
import { writeSettledEvents } from '../../src/settlement/write-settled-events.ts'
import type { World } from '../../src/world.ts'
import { fillDays } from '../support/batch-crowd.ts'
import { type Explained, explaining } from '../support/explained.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']
/** In a smaller table without statistics, a scan is as cheap. */
const EACH = 4_000
const CHUNK = 500

let service: TestService
let client: pg.Client
let batchWithAccount: BatchWithAccount

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  const { accountId } = await service.merchant()
  client = new pg.Client({ connectionString: service.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  const [, id = ''] = await fillDays(client, accountId, DAYS, EACH)
  await client.query(`UPDATE batch SET status = 'closed', closed_at = cutoff_at, count = ${EACH},
    sales = 1, deposit_at = cutoff_at, events_written = 0`)
  const found = await findBatchWithAccount(
    service.world.db.query,
    { accountId, id, requestId: '' },
    undefined,
  )
  if (found === undefined) throw new Error('there is a batch')
  batchWithAccount = found
}, 60_000)
afterAll(async () => {
  await client.end()
  await service.close()
})

/** The transaction is rolled back. Except for events, each statement runs twice. */
async function explained(work: (world: World) => Promise<unknown>): Promise<readonly Explained[]> {
  const kept: Explained[] = []
  const explain = explaining(client, kept)
  const query: Query = (text, values) =>
    text.includes('INTO event')
      ? client.query(text, [...(values ?? [])]).then(({ rows }) => rows)
      : explain(text, values)
  const db = {
    ...service.world.db,
    query,
    queryHot: (_: string, ...of: Parameters<Query>) => query(...of),
  }
  await client.query('BEGIN')
  try {
    await work({ ...service.world, newId, db: db as World['db'] })
  } finally {
    await client.query('ROLLBACK')
  }
  return kept
}

/** The clock moves on after the first chunk, which ends the turn. */
function writeChunk(world: World): Promise<unknown> {
  const instants = [new Date(0)]
  const clock = { now: () => instants.pop() ?? new Date() }
  return writeSettledEvents(
    { ...world, clock: clock as World['clock'] },
    batchWithAccount,
    new AbortController().signal,
    () => {},
  )
}

describe.each([
  ['analysed', 'ANALYZE transaction'],
  [
    'known to be empty',
    "UPDATE pg_class SET reltuples = 0, relpages = 0 WHERE relname = 'transaction'",
  ],
])('in tables that are %s', (_how, sql) => {
  beforeAll(async () => {
    await client.query(sql)
  })

  it('a chunk is found by the index of the day', async () => {
    const asked = await explained(writeChunk)
    const read = asked.find(({ nodes }) =>
      nodes.some((node) => node['Relation Name'] === 'transaction'),
    )
    // There are few batches, so they may be scanned.
    const isScan = (node: Explained['nodes'][number]) =>
      /Scan$/.test(node['Node Type']) && node['Relation Name'] !== 'batch'
    const scans = read?.nodes.filter(isScan) ?? []
    expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan')
    const rows = scans.filter((node) => node['Relation Name'] === 'transaction')
    expect(
      rows.map((node) => [node['Index Name'], node['Actual Rows'], node['Actual Loops']]),
    ).toEqual([['transaction_of_day', CHUNK, 1]])
  })

  it('the children of a chunk are found by their index', async () => {
    const { accountId } = batchWithAccount.batch
    const sql = 'SELECT id, 1 AS children FROM transaction WHERE account_id = $1 LIMIT 500'
    const { rows: parents } = await client.query<{ id: string; children: number }>(sql, [accountId])
    const [read] = await explained(({ db }) => familyOf(db.query, accountId, parents))
    const used = read?.nodes.flatMap((node) =>
      node['Relation Name'] === 'transaction' ? [node['Node Type']] : (node['Index Name'] ?? []),
    )
    expect(used).not.toContain('Seq Scan')
    expect(used).toContain('transaction_family')
  })

  it("the open batch's sum is that of the rows of its day alone", async () => {
    const { accountId } = batchWithAccount.batch
    const [sums] = await explained(({ db }) => sumsOfDays(db.query, accountId, [DAYS[1] ?? '']))
    const read = sums?.nodes.filter((node) => node['Relation Name'] === 'transaction') ?? []
    expect(read.reduce((rows, node) => rows + node['Actual Rows'], 0)).toBe(EACH)
  })
})
