// What a closing asks of the transactions of an account that has many: only of the day's own, and by
// their index, whatever the database knows of its tables.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import { newId } from '../../src/outside/identity.ts'
import type { Closing } from '../../src/settlement/closing.ts'
import { findClosing } from '../../src/settlement/closing.ts'
import { finishBatch } from '../../src/settlement/finish-batch.ts'
import { liveSums } from '../../src/settlement/live-sums.ts'
import { stampChunk } from '../../src/settlement/stamp-chunk.ts'
import type { World } from '../../src/world.ts'
import { fillDays } from '../support/batch-crowd.ts'
import { type Explained, explaining } from '../support/explained.ts'
import { openTestHouse, type TestHouse } from '../support/house.ts'

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']
const EACH = 2_000
const CHUNK = 100

let house: TestHouse
let client: pg.Client
let closing: Closing

beforeAll(async () => {
  house = await openTestHouse({ queues: [] })
  const { accountId } = await house.merchant()
  client = new pg.Client({ connectionString: house.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  const [, id = ''] = await fillDays(client, accountId, DAYS, EACH)
  await client.query(`UPDATE batch SET status = 'closing', closed_at = cutoff_at`)
  const found = await findClosing(house.world.db.query, { accountId, id, requestId: '' }, undefined)
  if (found === undefined) throw new Error('there is a batch')
  closing = found
}, 60_000)
afterAll(async () => {
  await client.end()
  await house.close()
})

/** In a commit that never comes. But for events, each statement is carried out twice. */
async function explained(work: (world: World) => Promise<unknown>): Promise<readonly Explained[]> {
  const kept: Explained[] = []
  const explain = explaining(client, kept)
  const query: Query = (text, values) =>
    /set_config|INTO event/.test(text)
      ? client.query(text, [...(values ?? [])]).then(({ rows }) => rows)
      : explain(text, values)
  const db = {
    ...house.world.db,
    query,
    commit: (_: string, act: (query: Query) => unknown) => act(query),
  }
  await client.query('BEGIN')
  try {
    await work({ ...house.world, newId, db: db as World['db'] })
  } finally {
    await client.query('ROLLBACK')
  }
  return kept
}

const chunk = (world: World) =>
  stampChunk(world, closing, {
    after: '00000000-0000-0000-0000-000000000000',
    most: CHUNK,
    lane: 0,
  })

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

  it('a chunk is found by the index of what is not batched, and looked up by keys', async () => {
    const [stamp] = await explained(chunk)
    const scans = stamp?.nodes.filter((node) => /Scan$/.test(node['Node Type'])) ?? []
    expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan')
    const read = scans.filter((node) => node['Relation Name'] === 'transaction')
    expect(
      read.map((node) => [node['Index Name'], node['Actual Rows'], node['Actual Loops']]),
    ).toEqual([
      ['transaction_unbatched', CHUNK, 1],
      ['transaction_pkey', 1, CHUNK],
    ])
  })

  it('what is left is seen by the first of it', async () => {
    const asked = await explained((world) => finishBatch(world, closing))
    const left = asked.find(({ text }) => text.includes('LIMIT 1'))
    const read = left?.nodes.filter((node) => node['Relation Name'] === 'transaction')
    expect(read?.map((node) => [node['Index Name'], node['Actual Rows']])).toEqual([
      ['transaction_unbatched', 1],
    ])
  })

  it('what it would take is summed of the rows of its day alone', async () => {
    const { accountId } = closing.batch
    const [sums] = await explained(({ db }) => liveSums(db.query, accountId, [DAYS[1] ?? '']))
    const read = sums?.nodes.filter((node) => node['Relation Name'] === 'transaction') ?? []
    expect(read.reduce((rows, node) => rows + node['Actual Rows'], 0)).toBe(EACH)
  })
})
