// No process runs for three days. The processes that start then find in the rows what fell due
// meanwhile, and make up for it: each batch with its own day, each run with its own date, nothing
// twice.

import { expect, inject, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { ALL_CHECKS } from '../chaos/audit-checks.ts'
import { type Deployment, openDeployment } from '../chaos/deployment.ts'
import {
  dayAfter,
  MISSED_RUNS,
  openTeamWithSales,
  prepare,
  sell,
  type TeamWithSales,
  wallClock,
} from '../support/team-with-sales.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const BEFORE = 4 * DAY

/** One team's business day ends here in the evening, the other's in the morning. */
const PLANS = [
  { timezone: 'America/New_York', cutoff: '18:30', frequency: 'DAILY', firstRunIn: 3 * HOUR },
  { timezone: 'Asia/Tokyo', cutoff: '07:15', frequency: 'HOURLY', firstRunIn: HOUR / 2 },
] as const

/** A run that is late by less than this counts as in time, by the contract of `skip`. */
const IN_TIME = HOUR

/** Processes with these queues make payments, close no batch and run no schedule. */
const PAYMENTS_ONLY = ['charge', 'refund', 'doubt'] as const

const LONG_TEST = { timeout: 400_000 }

it('three days without any process are made up for, once', LONG_TEST, async () => {
  await using deployment = await openDeployment(inject('backend'))
  const teams = await openTeams(deployment)
  await runProcesses(deployment, -BEFORE, undefined, async () => {
    for (const team of teams) await prepare(deployment, team)
    for (const team of teams) for (const cents of [1_001, 2_002, 3_003]) await sell(team, cents)
  })
  await runProcesses(deployment, DAY - BEFORE, PAYMENTS_ONLY, async () => {
    for (const team of teams) for (const cents of [4_004, 5_005]) await sell(team, cents)
  })
  expect(await figures(deployment)).toMatchObject({ closed: 0, runs: 0, deposits: 0 })

  const backAt = new Date()
  await runProcesses(deployment, 0, undefined, () => deployment.quiet())
  for (const team of teams) await expectBatches(deployment, team, backAt)
  for (const team of teams) await expectRuns(deployment, team)
  expect(await audit(deployment.stores.databaseUrl, [], ALL_CHECKS)).toEqual([])

  // Processes that start later find nothing to do.
  const before = await figures(deployment)
  await runProcesses(deployment, 0, undefined, () => deployment.quiet())
  expect(await figures(deployment)).toEqual(before)
})

function openTeams(deployment: Deployment): Promise<readonly TeamWithSales[]> {
  const startedMs = Math.floor((Date.now() - BEFORE) / MINUTE) * MINUTE
  return Promise.all(
    PLANS.map(({ firstRunIn, ...plan }) =>
      openTeamWithSales(deployment, { ...plan, firstRunAt: new Date(startedMs + firstRunIn) }),
    ),
  )
}

/** Runs processes whose clock is off by that much, and kills them after `act`. */
async function runProcesses(
  deployment: Deployment,
  clockOffsetMs: number,
  queues: typeof PAYMENTS_ONLY | undefined,
  act: () => Promise<void>,
): Promise<void> {
  const processes = await deployment.start({ clockOffsetMs, ...(queues && { queues }) })
  try {
    await act()
    expect(processes.crashed(), await deployment.log()).toBe(0)
  } finally {
    await processes.close()
  }
}

const FIGURES = `
  SELECT (SELECT count(*)::integer FROM batch WHERE status = 'closed') AS closed,
    (SELECT count(*)::integer FROM batch WHERE deposited_at IS NOT NULL) AS deposits,
    (SELECT count(*)::integer FROM schedule_run) AS runs,
    (SELECT count(*)::integer FROM invoice) AS invoices,
    (SELECT count(*)::integer FROM transaction) AS transactions,
    (SELECT count(*)::integer FROM event) AS events`

async function figures({ client }: Deployment): Promise<Readonly<Record<string, number>>> {
  return (await client.query(FIGURES)).rows[0]
}

const BATCHES = `
  SELECT business_date::text AS date, count, sales::integer, refunds::integer, closed_at, deposit_at,
    deposited_at
  FROM batch WHERE account_id = $1 AND status = 'closed' ORDER BY business_date`

/** Expects the two batches that were not closed in time, and no other. */
async function expectBatches(
  { client }: Deployment,
  team: TeamWithSales,
  backAt: Date,
): Promise<void> {
  const { rows } = await client.query(BATCHES, [team.accountId])
  const days = [...team.sales].map(([date, cents]) => ({
    date,
    count: cents.length,
    sales: cents.reduce((sum, one) => sum + one, 0),
    refunds: 0,
  }))
  expect(days.length).toBe(2)
  expect(rows).toEqual(days.map((day) => expect.objectContaining(day)))
  for (const { date, closed_at, deposit_at, deposited_at } of rows) {
    expect(closed_at >= backAt).toBe(true)
    const paid = wallClock(deposit_at, team.timezone)
    expect(paid).toEqual({ date: weekdayAfter(date), time: '09:00' })
    expect(deposited_at !== null).toBe(deposit_at <= new Date())
  }
}

function weekdayAfter(date: string): string {
  const next = dayAfter(date)
  const weekday = new Date(`${next}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6 ? weekdayAfter(next) : next
}

const RUNS = `
  SELECT r.occurs_at, r.invoice_id IS NOT NULL AS is_run, r.created_at, v.pay_by, v.status,
    (SELECT count(*)::integer FROM transaction t WHERE t.account_id = v.account_id
      AND t.invoice_id = v.id AND t.status = 'SUCCESS' AND t.total = v.total) AS payments
  FROM schedule_run r LEFT JOIN invoice v ON v.account_id = r.account_id AND v.id = r.invoice_id
  WHERE r.account_id = $1 AND r.schedule_id = $2 ORDER BY r.occurs_at`

async function expectRuns({ client }: Deployment, team: TeamWithSales): Promise<void> {
  for (const missed of MISSED_RUNS) {
    const { rows } = await client.query(RUNS, [team.accountId, team.schedules.get(missed)])
    const occurrences = occurrencesOf(team, rows.length)
    expect(rows.map((row) => wallClock(row.occurs_at, team.timezone))).toEqual(occurrences)
    expect(rows.length).toBe(team.frequency === 'DAILY' ? 4 : 4 * 24)
    for (const [i, row] of rows.entries()) {
      const isLast = i === rows.length - 1
      const isInTime = row.created_at - row.occurs_at <= IN_TIME
      const isRun = { all: true, one: isLast, skip: isLast && isInTime }[missed]
      const made = { pay_by: row.occurs_at, status: 'PAID', payments: 1 }
      const none = { pay_by: null, status: null, payments: 0 }
      expect(row).toMatchObject({ is_run: isRun, ...(isRun ? made : none) })
    }
  }
}

/**
 * The run times by the wall clock of the team: the same time each day, or each hour that passes.
 */
function occurrencesOf({ frequency, firstRunAt, timezone }: TeamWithSales, count: number) {
  const first = wallClock(firstRunAt, timezone)
  const all = [first]
  for (let hours = 1; all.length < count; hours += 1) {
    const last = all.at(-1) ?? first
    const daily = { ...first, date: dayAfter(last.date) }
    const hourly = wallClock(new Date(firstRunAt.getTime() + hours * HOUR), timezone)
    all.push(frequency === 'DAILY' ? daily : hourly)
  }
  return all
}
