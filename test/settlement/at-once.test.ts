// Ten workers close the same batch at the same moment, and collide: the result is that of one.

import pg from 'pg'
import { expect, it } from 'vitest'
import { settleAtOnce } from '../../src/settlement/settle-account.ts'
import type { World } from '../../src/world.ts'
import { fillDays } from '../support/batch-crowd.ts'
import { openFurther } from '../support/further.ts'
import { openTestService } from '../support/test-service.ts'

const TRANSACTIONS = 6_000
const DAY = '2026-03-04'

/** Two workers in each, as a worker process has. */
const WORLDS = 5

it('ten workers close one batch as one would', { timeout: 120_000 }, async () => {
  await using service = await openTestService({ queues: [], timings: { leaseMs: 30_000 } })
  const { accountId } = await service.merchant()
  const client = new pg.Client(service.databaseUrl)
  await client.connect()
  const [id = ''] = await fillDays(client, accountId, [DAY], TRANSACTIONS)
  await client.end()
  const further = await Promise.all(Array.from({ length: WORLDS - 1 }, () => openFurther(service)))
  const refusals = { count: 0 }
  const worlds = [service.world, ...further.map(({ world }) => world)].map((world) =>
    countingRefusals(world, refusals),
  )

  await Promise.all(
    [...worlds, ...worlds].map((world, n) =>
      settleAtOnce(world, { accountId, id, requestId: `worker ${n}` }),
    ),
  )
  const { query } = service.world.db
  const [batch, ...others] = await query('SELECT * FROM batch')
  expect(others).toEqual([])
  const [sums] = await query('SELECT sum(total) AS sales FROM transaction')
  const expected = { status: 'closed', count: TRANSACTIONS, sales: sums?.sales, refunds: '0' }
  expect(batch).toMatchObject({ ...expected, version: 2 })

  const sql = `SELECT count(*)::integer AS rows, min(version) AS least, max(version) AS most
    FROM transaction WHERE business_date = $1`
  expect(await query(sql, [DAY])).toEqual([{ rows: TRANSACTIONS, least: 1, most: 1 }])
  const events = await query(
    `SELECT request_id, count(*)::integer AS events, count(DISTINCT resource_id)::integer AS of
     FROM event WHERE type = 'update_transaction_settled' GROUP BY request_id`,
  )
  expect(events.reduce((total, { events }) => total + events, 0)).toBe(TRANSACTIONS)
  expect(events.every(({ events, of }) => events === of)).toBe(true)
  // Statements that met another's write were tried again: otherwise the test has shown nothing.
  expect(refusals.count).toBeGreaterThan(5)
  const ofBatch = await query(`SELECT type FROM event WHERE resource_id = $1 ORDER BY sequence`, [
    id,
  ])
  expect(ofBatch.map(({ type }) => type)).toEqual(['create_batch', 'create_deposit'])
  for (const one of further) await one[Symbol.asyncDispose]()
})

function countingRefusals(world: World, refusals: { count: number }): World {
  const { db } = world
  const queryHot: typeof db.queryHot = async (name, text, values) => {
    const rows = await db.queryHot(name, text, values)
    if (name === 'write-settled-events' && rows.length === 0) refusals.count += 1
    return rows
  }
  return { ...world, db: { ...db, queryHot } }
}
