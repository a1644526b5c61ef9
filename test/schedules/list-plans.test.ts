// Every list of schedules uses an index, in an account with many schedules among others with some;
// so do the statements that find due ones, and those that use a customer or a card.

import { describe, expect, it } from 'vitest'
import { OF_CUSTOMER, OF_METHOD } from '../../src/customers/refuse-used.ts'
import { SCHEDULES } from '../../src/schedules/schedule-view.ts'
import type { PlanNode } from '../support/explained.ts'
import { filledDatabase, plansOfList } from '../support/filled-database.ts'

const ACCOUNT = '01941f29-7c00-7000-8000-000000000001'
const CUSTOMER = '01941f29-7c00-7000-8000-000000000007'

const FILL = `
  SET session_replication_role = replica;
  INSERT INTO schedule (account_id, id, customer_id, payment_method_id, status, total, currency,
      rule, anchor, timezone, email_notification, sms_notification, meta, count, last_run_at,
      next_run_at, due_at, request_id, created_at, updated_at, deleted_at)
    SELECT CASE WHEN n % 10 = 0 THEN gen_random_uuid() ELSE '${ACCOUNT}'::uuid END,
      gen_random_uuid(),
      CASE WHEN n % 200 = 3 THEN '${CUSTOMER}'::uuid ELSE gen_random_uuid() END,
      CASE WHEN n % 200 = 3 THEN '${CUSTOMER}'::uuid WHEN n % 3 = 0 THEN gen_random_uuid() END,
      (ARRAY['active', 'paused', 'deleted'])[CASE n % 40 WHEN 1 THEN 2 WHEN 2 THEN 3 ELSE 1 END]
        ::schedule_status,
      100, 'USD', 'RRULE:FREQ=DAILY', '2026-01-01T09:00:00', 'UTC', true, false, '{}', n % 300,
      CASE WHEN n % 5 > 0 THEN timestamptz '2026-01-01' + n * interval '1 minute' END,
      CASE WHEN n % 40 NOT IN (1, 2) THEN timestamptz '2026-02-01' + n * interval '1 minute' END,
      CASE WHEN n % 40 NOT IN (1, 2) THEN timestamptz '2026-02-01' + n * interval '1 minute' END,
      'r', timestamptz '2026-01-01' + n * interval '1 minute',
      timestamptz '2026-01-01' + n * interval '7 minutes',
      CASE WHEN n % 40 = 2 THEN timestamptz '2026-02-01' END
    FROM generate_series(1, 20000) AS n;
  SET session_replication_role = DEFAULT;
  VACUUM ANALYZE schedule`

type ScheduleSort = keyof typeof SCHEDULES.sorts

const database = filledDatabase(FILL)
const { planOf } = database
const listPlan = plansOfList(database, SCHEDULES, ACCOUNT)

/** The scans of the table of schedules. */
const readsOf = (nodes: readonly PlanNode[]) =>
  nodes.filter((node) => node['Relation Name'] === 'schedule')
const indexesOf = (nodes: readonly PlanNode[]) =>
  readsOf(nodes).map((node) => node['Index Name'] ?? node['Node Type'])
const hasSort = (nodes: readonly PlanNode[]) =>
  nodes.some((node) => node['Node Type'].endsWith('Sort'))

describe('a page of schedules', () => {
  const sorts = Object.keys(SCHEDULES.sorts) as ScheduleSort[]

  it.each(sorts.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
    'by %s, %s, is read in the order of an index',
    async (sort, order) => {
      const nodes = await listPlan('page', {}, { sort, order })
      const isDown = ['last_run_at', 'next_run_at'].includes(sort) && order === 'desc'
      expect(indexesOf(nodes)).toEqual([`schedule_by_${sort}${isDown ? '_down' : ''}`])
      const [limit] = nodes.filter((node) => node['Node Type'] === 'Limit')
      expect(limit?.Plans?.map((node) => node['Node Type'])).toEqual(['Index Scan'])
    },
  )

  it.each([
    ['schedule_of_status', { status: 'deleted' }],
    ['schedule_of_status', { status: 'paused' }],
    ['schedule_of_customer', { customer_id: CUSTOMER }],
    ['schedule_of_payment_method', { payment_method_id: CUSTOMER }],
  ] as const)('is found, and in order, by %s where %o', async (index, filter) => {
    const nodes = await listPlan('page', filter)
    expect(indexesOf(nodes)).toEqual([index])
    const [limit] = nodes.filter((node) => node['Node Type'] === 'Limit')
    expect(limit?.Plans?.map((node) => node['Node Type'])).toEqual(['Index Scan'])
    const counting = await listPlan('count', filter)
    expect(indexesOf(counting).join()).toMatch(/^schedule_of_/)
  })

  it('would be sorted without an index, as a control', async () => {
    const text = 'SELECT id FROM schedule WHERE account_id = $1 ORDER BY total, id LIMIT 50'
    expect(hasSort(await planOf(text, [ACCOUNT]))).toBe(true)
  })
})

describe('statements about schedules beside lists', () => {
  it.each([
    [
      'schedule_due',
      'SELECT * FROM schedule WHERE due_at <= $1 ORDER BY due_at, account_id, id LIMIT 500',
      ['2026-02-01T01:00:00Z'],
    ],
    [
      'schedule_by_next_run_at',
      `SELECT * FROM schedule WHERE account_id = $1 AND next_run_at <= $2
       ORDER BY next_run_at, id LIMIT 500`,
      [ACCOUNT, '2026-02-01T01:00:00Z'],
    ],
    ['schedule_of_customer', OF_CUSTOMER, [ACCOUNT, CUSTOMER]],
    ['schedule_of_payment_method', OF_METHOD, [ACCOUNT, CUSTOMER]],
  ])('use the index %s', async (index, text, values) => {
    const nodes = await planOf(text, values)
    expect(indexesOf(nodes)).toEqual([index])
    expect(hasSort(nodes)).toBe(false)
  })
})
