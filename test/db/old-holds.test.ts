// The holds about which a gateway is asked: found among many payments by an index of their own, and
// those of no account first.

import { expect, it } from 'vitest'
import { firstIdAt } from '../../src/core/id.ts'
import { OLD_HOLDS } from '../../src/settlement/read-feeds.ts'
import { indexesOf } from '../support/explained.ts'
import { filledDatabase } from '../support/filled-database.ts'

const [FIRST, SECOND] = [
  '00000000-0000-7000-8000-00000000000a',
  '00000000-0000-7000-8000-00000000000b',
]

/** Of five days of payments, one a minute, every twentieth is a hold, and a third of them ended. */
const START = new Date('2026-03-02T00:00:00Z')
const END = new Date('2026-03-07T00:00:00Z')

const payments = (accountId: string, from: number) => `
  INSERT INTO transaction (account_id, id, type, method, status, currency, total, customer_id,
      payment_method_id, gateway_name, auth_id, hold_ended_at, is_voided, void_id, business_date,
      meta, request_id, outcome_sequence, created_at, updated_at)
    SELECT '${accountId}', (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
        || '70008000000000000000')::uuid,
      CASE WHEN n % 20 = 0 THEN 'pre_auth' ELSE 'charge' END::transaction_type, 'card', 'SUCCESS',
      'USD', 100, '${accountId}', '${accountId}', 'checkout', 'pay_' || n,
      CASE WHEN n % 60 = 0 THEN at END, n % 100 = 0,
      CASE WHEN n % 100 = 0 THEN uuid '${accountId}' END,
      CASE WHEN n % 20 > 0 THEN date '2026-03-02' END, '{}', 'r', 1, at, at
    FROM (
      SELECT n, timestamptz '2026-03-02T00:00:00Z' + n * interval '1 minute' AS at
      FROM generate_series(${from}, 7199) AS n
    ) AS minute`

const database = filledDatabase(`
  SET session_replication_role = replica;
  ${payments(FIRST, 0)};
  ${payments(SECOND, 7140)};
  SET session_replication_role = DEFAULT;
  ANALYZE transaction`)

const oldHolds = (most: number) => ['checkout', firstIdAt(START), firstIdAt(END), most]

it('they are found by their index', async () => {
  const plan = await database.planOf(OLD_HOLDS, oldHolds(500))
  expect(indexesOf(plan)).toEqual(['transaction_open_hold'])
  expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan')
})

it('the oldest of every account comes before the second of any', async () => {
  const rows = await database.query(OLD_HOLDS, oldHolds(5))
  expect(rows.map((row) => [row.account_id, row.auth_id])).toEqual([
    [FIRST, 'pay_20'],
    [SECOND, 'pay_7160'],
    [FIRST, 'pay_40'],
    [SECOND, 'pay_7180'],
    [FIRST, 'pay_80'],
  ])
})

it('those that have ended, or that we have voided, and later ones are left out', async () => {
  const rows = await database.query(OLD_HOLDS, oldHolds(5000))
  const minutes = (most: number) => Array.from({ length: most }, (_, n) => n)
  const isOpen = (n: number) => n % 20 === 0 && n % 60 !== 0 && n % 100 !== 0
  const open = minutes(7200).filter(isOpen)
  expect(rows.length).toBe(open.length + open.filter((n) => n >= 7140).length)
  const early = [
    oldHolds(5000)[0],
    oldHolds(5000)[1],
    firstIdAt(new Date(START.getTime() + 60 * 60_000)),
    5000,
  ]
  const found = await database.query(OLD_HOLDS, early)
  expect(found.map((row) => row.auth_id)).toEqual(['pay_20', 'pay_40'])
})
