// The claim finds due deliveries by their index, lane by lane, however many are due later or done
// already, and whatever statistics the database has of its tables.

import { beforeAll, describe, expect, it } from 'vitest'
import type { DeliveryChannel } from '../../src/core/delivery.ts'
import type { Query } from '../../src/db/database.ts'
import type { Row } from '../../src/db/gathered.ts'
import {
  BEFORE_ALL_QUEUES,
  type ClaimedDeliveries,
  claimDueDeliveries,
} from '../../src/deliveries/claim-due-deliveries.ts'
import { realClock } from '../../src/outside/clock.ts'
import type { World } from '../../src/world.ts'
import { type Explained, explaining } from '../support/explained.ts'
import { filledDatabase, KEYED_OPTIONS } from '../support/filled-database.ts'

/** The number of deliveries in the table. */
const ROWS = Number(process.env.CLAIM_ROWS ?? 60_000)
const LANES = 300
const MOST = 32

/** One lane in this many has deliveries that are due. */
const DUE_LANES = 10

/** One lane in this many has such deliveries, and is of a team that an operator has stopped. */
const STOPPED_LANES = 100

const MOST_MS = 20

/** The indexes for the claimed row itself, and for recipient queues that wait or rest. */
const BESIDE = [
  'delivery_pkey',
  'webhook_paused',
  'webhook_silent',
  'account_pkey',
  'team_pkey',
  'team_stopped',
]

/** A few steps down an index for each lane: the claim reads no row that is due later. */
const PAGES_A_LANE = 20

const FILL = `
  SET session_replication_role = replica;
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
    due_at, owed_at, request_id, created_at, updated_at, status, sent_at)
  SELECT lane, gen_random_uuid(), 'email', lane, 'transaction', gen_random_uuid(),
    'a@example.com', 'r',
    CASE WHEN is_owed THEN
      CASE WHEN is_due THEN t - n * interval '1 second' ELSE t + n * interval '1 minute' END END,
    t, 'r', t, t, CASE WHEN is_owed THEN 'pending' ELSE 'sent' END::delivery_status,
    CASE WHEN NOT is_owed THEN t END
  FROM (
    SELECT n, md5((n % ${LANES})::text)::uuid AS lane, '2026-03-07T12:00:00Z'::timestamptz AS t,
      (n / ${LANES}) % 10 < 8 AS is_owed,
      (n % ${LANES}) % ${DUE_LANES} = 0 AND (n / ${LANES}) % 100 = 0 AS is_due
    FROM generate_series(0, ${ROWS} - 1) AS n
  ) row;
  INSERT INTO team (id, name, status, created_at, updated_at)
  SELECT DISTINCT lane, lane::text, 'inactive'::team_status, created_at, created_at FROM delivery
  WHERE lane = ANY (ARRAY(
    SELECT md5(n::text)::uuid FROM generate_series(0, ${LANES - 1}, ${STOPPED_LANES}) AS n));
  INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
  SELECT id, id, 'live', 100, created_at FROM team;
  SET session_replication_role = DEFAULT`

const NOW = new Date('2026-03-07T12:00:00.000Z')

const database = filledDatabase(FILL, KEYED_OPTIONS)

interface Seen {
  readonly claimed: ClaimedDeliveries
  readonly explained: Explained
}

/** Claims in a transaction that is rolled back, so that the next claim finds the same rows. */
async function claim(channel: DeliveryChannel, now = NOW): Promise<Seen> {
  const kept: Explained[] = []
  const undone = async (act: () => Promise<readonly Row[]>) => {
    await database.client.query('BEGIN')
    try {
      return await act()
    } finally {
      await database.client.query('ROLLBACK')
    }
  }
  // EXPLAIN runs the claim as well, so the answer comes from a run of its own.
  const query: Query = async (text, values = []) => {
    await undone(() => explaining(database.client, kept)(text, values))
    return undone(async () => (await database.client.query(text, [...values])).rows)
  }
  const queryHot = (_name: string, text: string, values?: readonly unknown[]) => query(text, values)
  const world = { db: { query, queryHot }, clock: realClock } as unknown as World
  const claimed = await claimDueDeliveries(world, {
    channel,
    now,
    leasedUntil: new Date(now.getTime() + 60_000),
    most: MOST,
    room: { mostAQueue: MOST, mostAnAccount: MOST, queues: new Map(), accounts: new Map() },
    after: BEFORE_ALL_QUEUES,
    inHand: [],
  })
  const [explained] = kept
  if (explained === undefined) throw new Error('nothing was asked')
  return { claimed, explained }
}

describe.each([
  ['never analysed', 'SELECT'],
  ['analysed', 'ANALYZE delivery'],
  [
    'known to be empty',
    "UPDATE pg_class SET reltuples = 0, relpages = 0 WHERE relname IN ('delivery', 'delivery_due')",
  ],
])(`of ${ROWS} deliveries, in a table %s`, (_how, sql) => {
  beforeAll(async () => {
    await database.client.query(sql)
  })

  function expectCheap({ explained: { nodes, buffers } }: Seen): void {
    const read = nodes.filter((node) => node['Relation Name'] === 'delivery')
    const scans = read.filter(({ 'Node Type': type }) => /Scan$/.test(type))
    expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan')
    const indexes = new Set(nodes.flatMap((node) => node['Index Name'] ?? []))
    expect([...indexes].filter((name) => !BESIDE.includes(String(name)))).toEqual(['delivery_due'])
    expect(buffers).toBeLessThan((LANES + MOST) * PAGES_A_LANE)
  }

  async function fastest(channel: DeliveryChannel, now: Date): Promise<number> {
    const times: number[] = []
    for (let i = 0; i < 7; i += 1) {
      const { ms, planMs } = (await claim(channel, now)).explained
      times.push(ms + planMs)
    }
    return Math.min(...times)
  }

  it('a claim takes due deliveries, by index, from every lane that has any and is not held', async () => {
    const seen = await claim('email')
    const lanes = new Set(seen.claimed.deliveries.map(({ lane }) => lane))
    expect(seen.claimed.deliveries.length).toBe(MOST)
    expect(lanes.size).toBeGreaterThan(15)
    for (const { owedAt } of seen.claimed.deliveries) expect(owedAt).toBeInstanceOf(Date)
    const { rows: stopped } = await database.client.query('SELECT id FROM account')
    expect(stopped).toHaveLength(LANES / STOPPED_LANES)
    for (const { id } of stopped) expect(lanes).not.toContain(id)
    expectCheap(seen)
    expect(await fastest('email', NOW)).toBeLessThan(MOST_MS)
  })

  it('a claim that finds nothing due, or nothing of its channel, is as fast', async () => {
    const early = new Date(NOW.getTime() - 365 * 24 * 60 * 60_000)
    for (const [channel, now] of [
      ['email', early],
      ['sms', NOW],
    ] as const) {
      const seen = await claim(channel, now)
      expect(seen.claimed.deliveries).toEqual([])
      expectCheap(seen)
      expect(await fastest(channel, now)).toBeLessThan(MOST_MS)
    }
  })
})
