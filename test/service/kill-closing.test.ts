// Workers are killed while they close a batch and run schedules, again and again. The next worker
// goes on from there, and nothing is done twice.
//
//   KILL_TIMES=3 npx vitest run test/service/kill-closing.test.ts     three times as many rows

import { expect, inject, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { ALL_CHECKS } from '../chaos/audit-checks.ts'
import { endDays, leaveLongAgo } from '../chaos/batches.ts'
import { type Deployment, openDeployment } from '../chaos/deployment.ts'
import type { Processes } from '../chaos/processes.ts'
import { makeDue } from '../chaos/schedules.ts'
import { type Introduced, introduce, make } from '../chaos/setting.ts'
import { cloneCharge, cloneSchedule } from '../support/clones.ts'
import { killAll, killInTheMiddle } from '../support/half-done.ts'

/** Enough rows for several chunks of a closing, and of a round of schedules. */
const TIMES = Number(process.env.KILL_TIMES ?? 1)
const CHARGES = 1_200 * TIMES
const SCHEDULES = 800 * TIMES

const WORKERS = 2

/** A fast machine may be through before the test looks; then the test does it all again. */
const MOST_ROUNDS = 3

const LONG_TEST = { timeout: 400_000 }

it('a closing and a run of schedules survive kills halfway', LONG_TEST, async () => {
  await using deployment = await openDeployment(inject('backend'))
  const processes = await deployment.start({ workers: WORKERS })
  try {
    const day = await makeBusiness(deployment)
    let hits = { closing: 0, running: 0 }
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      if (hits.closing > 0 && hits.running > 0) break
      await endDay(deployment, processes, day)
      const more = await killInTheMiddle(deployment, processes, SCHEDULES)
      hits = { closing: hits.closing + more.closing, running: hits.running + more.running }
      await deployment.quiet()
      await expectClosed(deployment, day)
      await expectRun(deployment, round)
    }
    // A pass would mean nothing if no worker had died halfway.
    expect(hits.closing).toBeGreaterThan(0)
    expect(hits.running).toBeGreaterThan(0)
    expect(processes.crashed(), await deployment.log()).toBe(0)
    expect(await audit(deployment.stores.databaseUrl, [], ALL_CHECKS)).toEqual([])
  } finally {
    await processes.close()
  }
})

interface Day {
  readonly caller: Introduced
  /** The id of a charge that can be refunded. */
  readonly refundable: string
  /** The sums of the batches that the test has closed, in order. */
  readonly sums: { count: number; sales: number; refunds: number }[]
}

/** Makes a charge that can be refunded, and schedules. */
async function makeBusiness(deployment: Deployment): Promise<Day> {
  const caller = await introduce(deployment.address)
  const first = await charge(caller, 5_000)
  await deployment.quiet()
  await endDays(deployment.client)
  await deployment.quiet()
  await leaveLongAgo(deployment.client)
  await deployment.quiet()
  const schedule = await make(caller, '/invoice/schedule', {
    total: 3.21,
    rule: 'FREQ=YEARLY',
    start: `${new Date().getUTCFullYear() + 1}-01-31 09:00:00`,
    customer_id: caller.good.customerId,
    payment_method_id: caller.good.id,
  })
  await cloneSchedule(deployment.client, schedule.id, SCHEDULES - 1)
  return { caller, refundable: first, sums: [] }
}

async function charge({ good, ...caller }: Introduced, cents: number): Promise<string> {
  const order = { total: (cents / 100).toFixed(2), payment_method_id: good.id }
  return (await make(caller, '/charge', order)).id
}

/** A day with many sales and a refund ends, and all schedules come due, while no worker runs. */
async function endDay(deployment: Deployment, processes: Processes, day: Day): Promise<void> {
  const { client } = deployment
  await make(day.caller, `/transaction/${day.refundable}/refund`, { total: 1.5 })
  const id = await charge(day.caller, 1_000)
  await deployment.quiet()
  const before = await openSums(deployment)
  const { cents } = await cloneCharge(client, id, CHARGES)
  day.sums.push({ ...before, count: before.count + CHARGES, sales: before.sales + cents })
  await killAll(processes)
  await endDays(client)
  await makeDue(client, SCHEDULES)
}

const OPEN_SUMS = `
  SELECT count(*)::integer AS count,
    coalesce(sum(total) FILTER (WHERE type <> 'refund'), 0)::integer AS sales,
    coalesce(sum(total) FILTER (WHERE type = 'refund'), 0)::integer AS refunds
  FROM transaction
  WHERE business_date = (SELECT business_date FROM batch WHERE status = 'open')`

async function openSums({ client }: Deployment): Promise<Day['sums'][number]> {
  return (await client.query(OPEN_SUMS)).rows[0]
}

/** Compares our ledger with the gateway's. */
const SUMS = `
  SELECT b.status, b.count, b.sales::integer, b.refunds::integer,
    count(DISTINCT p.key)::integer AS there,
    sum(p.amount) FILTER (WHERE p.operation <> 'refund')::integer AS sales_there,
    coalesce(sum(p.amount) FILTER (WHERE p.operation = 'refund'), 0)::integer AS refunds_there,
    min(b.events_written) AS events_written
  FROM batch b
  JOIN transaction t ON t.account_id = b.account_id AND t.business_date = b.business_date
    AND t.void_id IS NULL
  JOIN sandbox_gateway_payment p ON p.account_id = t.account_id AND p.key = t.id::text
    AND p.outcome = 'approved'
  WHERE b.status <> 'open' AND b.count > 1
  GROUP BY b.account_id, b.id ORDER BY b.business_date`

const EVENTS = `
  SELECT count(*)::integer AS events, count(DISTINCT e.resource_id)::integer AS transactions
  FROM event e JOIN batch b ON b.account_id = e.account_id AND b.id::text = e.snapshot->>'batch_id'
  WHERE e.type = 'update_transaction_settled' AND b.count > 1`

async function expectClosed({ client }: Deployment, { sums }: Day): Promise<void> {
  expect((await client.query(SUMS)).rows).toEqual(
    sums.map(({ count, sales, refunds }) => ({
      status: 'closed',
      count,
      sales,
      refunds,
      there: count,
      sales_there: sales,
      refunds_there: refunds,
      events_written: count,
    })),
  )
  const all = sums.reduce((total, { count }) => total + count, 0)
  expect((await client.query(EVENTS)).rows).toEqual([{ events: all, transactions: all }])
}

const RUNS = `
  SELECT count(*)::integer AS runs, count(DISTINCT r.invoice_id)::integer AS invoices,
    count(DISTINCT (r.schedule_id, r.occurs_at))::integer AS occurrences,
    (SELECT count(*)::integer FROM transaction WHERE schedule_id IS NOT NULL) AS payments,
    (SELECT count(DISTINCT invoice_id)::integer FROM transaction
      WHERE schedule_id IS NOT NULL AND status = 'SUCCESS') AS paid,
    (SELECT count(*)::integer FROM invoice) AS all_invoices
  FROM schedule_run r`

async function expectRun({ client }: Deployment, rounds: number): Promise<void> {
  const each = SCHEDULES * rounds
  expect((await client.query(RUNS)).rows).toEqual([
    {
      runs: each,
      invoices: each,
      occurrences: each,
      payments: each,
      paid: each,
      all_invoices: each,
    },
  ])
}
