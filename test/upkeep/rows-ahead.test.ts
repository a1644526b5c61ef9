// Work that a wrong clock has dated far ahead, in a version that followed the host's clock, is
// found and due.

import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../src/core/time-units.ts'
import type { Query } from '../../src/db/database.ts'
import { claimDueDeliveries } from '../../src/deliveries/claim-due-deliveries.ts'
import { pullBack } from '../../src/upkeep/rows-ahead.ts'
import { sweep } from '../../src/upkeep/sweep.ts'
import type { World } from '../../src/world.ts'
import { fillDays } from '../support/batch-crowd.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { type Explained, explaining } from '../support/explained.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant
let client: pg.Client

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    backend: 'postgres',
    settings: { CHARGE_WAIT_MS: '0' },
  })
  merchant = await service.merchant()
  const body = { total: 3, payment_method_id: await service.card(merchant) }
  expect((await service.charge(merchant, body)).body).toMatchObject({ status: 'PENDING' })
  const hook = { target_url: 'https://shop.example/hook', event: '*' }
  expect((await call(service.app, 'POST', '/webhook', merchant.headers, hook)).status).toBe(200)
  await insertDeliveries(service, merchant.accountId, 1, { status: 'pending', at: new Date() })
  client = new pg.Client({ connectionString: service.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  await fillDays(client, merchant.accountId, ['2026-03-02', '2026-03-03', '2026-03-04'], 10)
})
beforeEach(async () => {
  const now = soon(0)
  await query("UPDATE transaction SET due_at = $1 WHERE status = 'PENDING'", [now])
  await query('UPDATE delivery SET due_at = $1, updated_at = $1, leased_until = NULL', [now])
  await query('UPDATE provider_pace SET next_ms = 0, resting_until_ms = 0')
})
afterAll(async () => {
  await client.end()
  await service.close()
})

const query = (text: string, values?: readonly unknown[]) => service.world.db.query(text, values)
const soon = (ms: number) => new Date(Date.now() + ms)

/** The rows that a worker an hour ahead leaves, and the longest wait that a right clock gives. */
const LEFT: readonly [kind: string, sql: string, honestMs: number][] = [
  ['payment', "UPDATE transaction SET due_at = $1 WHERE status = 'PENDING'", MINUTE],
  ['delivery', 'UPDATE delivery SET due_at = $1, updated_at = $1', 30 * SECOND],
  ['pace of email', "UPDATE provider_pace SET next_ms = $2 WHERE channel = 'email'", SECOND],
  [
    'pace of email',
    "UPDATE provider_pace SET resting_until_ms = $2 WHERE channel = 'email'",
    MINUTE,
  ],
  ['pace of sms', "UPDATE provider_pace SET next_ms = $2 WHERE channel = 'sms'", SECOND],
  [
    'batch to close',
    `UPDATE batch SET status = 'closing', closed_at = cutoff_at, due_at = $1
     WHERE business_date = '2026-03-02'`,
    SECOND,
  ],
  [
    'sandbox clock',
    `UPDATE account SET clock_at = '2027-01-01', clock_from = '2027-01-01',
       clock_target = '2027-02-01', clock_due_at = $1
     WHERE id = (SELECT account_id FROM transaction WHERE status = 'PENDING' LIMIT 1)`,
    SECOND,
  ],
  [
    'news of a gateway',
    `INSERT INTO gateway_feed VALUES ('stripe', '', $1, $1)
     ON CONFLICT (gateway_name, place) DO UPDATE SET due_at = $1`,
    30 * MINUTE,
  ],
  [
    'replay',
    `UPDATE webhook SET replay_id = id, replay_after = '2026-01-01', replay_after_id = id,
       replay_until = '2026-01-02', due_at = $1`,
    SECOND,
  ],
]

describe('work far ahead', () => {
  it.each(LEFT)('is due at the next sweep: a %s', async (kind, sql, honestMs) => {
    await writeLeft(sql, honestMs)
    expect(await pullBack(service.world)).toEqual([])
    await writeLeft(sql, HOUR + MINUTE)
    expect(await pullBack(service.world)).toEqual([{ kind, count: 1 }])
    await writeLeft(sql, HOUR + MINUTE)
    await sweep(service.world)
    expect(await pullBack(service.world)).toEqual([])
  })

  it('is not a failed delivery, which may wait for a day', async () => {
    await query('UPDATE delivery SET due_at = $1', [soon(30 * HOUR)])
    expect(await pullBack(service.world)).toEqual([])
  })

  it('delays no delivery by its lease', async () => {
    const now = soon(SECOND)
    const claim = () =>
      claimDueDeliveries(service.world, {
        channel: 'email',
        now,
        leasedUntil: soon(MINUTE),
        most: 10,
        room: { mostAQueue: 10, mostAnAccount: 10, queues: new Map(), accounts: new Map() },
        after: '00000000-0000-0000-0000-000000000000',
        inHand: [],
      })
    await query('UPDATE delivery SET leased_until = $1', [soon(MINUTE)])
    expect((await claim()).deliveries).toHaveLength(0)
    await query('UPDATE delivery SET leased_until = $1', [soon(HOUR)])
    expect((await claim()).deliveries).toHaveLength(1)
  })

  it('is found by indexes, however much else is pending', async () => {
    await insertDeliveries(service, merchant.accountId, 5_000, { status: 'pending', at: soon(0) })
    await query('UPDATE delivery SET due_at = $1', [soon(30 * HOUR)])
    await client.query('ANALYZE')
    const kept: Explained[] = []
    const db = { ...service.world.db, query: explaining(client, kept) as Query } as World['db']
    await pullBack({ ...service.world, db })
    for (const { text, buffers } of kept) expect(buffers, text).toBeLessThan(20)
    expect(kept.length).toBeGreaterThan(6)
  })
})

async function writeLeft(sql: string, ms: number): Promise<void> {
  // The triggers keep a closed batch from changing.
  await client.query('SET session_replication_role = replica')
  const instant = soon(ms)
  await client.query(sql.replace('$2', '$1'), [sql.includes('$2') ? instant.getTime() : instant])
}
