// A team with its own business day, its sales of each day, and its schedules: recorded by the test,
// and computed with the wall clocks of the platform.

import { createTeam } from '../../src/accounts/create-team.ts'
import { createKey } from '../../src/accounts/manage-keys.ts'
import { readConfig } from '../../src/config.ts'
import { changeRow } from '../../src/db/change-row.ts'
import { openLog } from '../../src/log.ts'
import { inOneCommit } from '../../src/operators/audit-entries.ts'
import { openWorld } from '../../src/world.ts'
import type { Deployment } from '../chaos/deployment.ts'
import { finalOf, type Introduced, introduce, make } from '../chaos/setting.ts'

export const MISSED_RUNS = ['all', 'one', 'skip'] as const

export interface TeamPlan {
  readonly timezone: string
  /** HH:MM */
  readonly cutoff: string
  readonly frequency: 'DAILY' | 'HOURLY'
  readonly firstRunAt: Date
}

export interface TeamWithSales extends TeamPlan {
  readonly accountId: string
  readonly apiKey: string
  /** The sales in cents, by their business day. */
  readonly sales: Map<string, number[]>
  /** The ids of schedules, by their `missed_runs`. */
  readonly schedules: Map<(typeof MISSED_RUNS)[number], string>
  /** The caller of the first process: a payment method lasts for ever. */
  caller: Introduced | undefined
}

export async function openTeamWithSales(
  { environment, stores }: Deployment,
  plan: TeamPlan,
): Promise<TeamWithSales> {
  const config = readConfig(environment)
  const { databaseUrl } = stores
  const world = openWorld({ config, databaseUrl, log: openLog('silent') })
  try {
    return await inOneCommit(world, 'team', async (own) => {
      const { accounts } = await createTeam(own, plan.timezone)
      const { sandbox: accountId } = accounts
      const { timezone, cutoff } = plan
      await changeRow(own.db.query, 'account', { id: accountId }, { cutoff, timezone })
      const { key } = await createKey(own, { accountId, mode: 'sandbox', name: 'test' })
      const nothingYet = { sales: new Map(), schedules: new Map(), caller: undefined }
      return { ...plan, accountId, apiKey: key, ...nothingYet }
    })
  } finally {
    await world.close()
  }
}

/** Makes its payment methods, and a schedule of each kind. */
export async function prepare({ address }: Deployment, team: TeamWithSales): Promise<void> {
  const caller = await introduce(address, team.apiKey)
  team.caller = caller
  for (const missed_runs of MISSED_RUNS) {
    const { id } = await make(caller, '/invoice/schedule', {
      total: '4.56',
      rule: `FREQ=${team.frequency}`,
      start: team.firstRunAt.toISOString(),
      timezone: team.timezone,
      customer_id: caller.good.customerId,
      payment_method_id: caller.good.id,
      missed_runs,
    })
    team.schedules.set(missed_runs, id)
  }
}

export async function sell(
  { caller, sales, ...plan }: TeamWithSales,
  cents: number,
): Promise<void> {
  if (caller === undefined) throw new Error('the team is not prepared')
  const total = (cents / 100).toFixed(2)
  const { id } = await make(caller, '/charge', { total, payment_method_id: caller.good.id })
  const sold = await finalOf(caller, id)
  if (sold.status !== 'SUCCESS') throw new Error(`the charge is ${sold.status}`)
  const date = businessDate(new Date(sold.updated_at ?? ''), plan)
  sales.set(date, [...(sales.get(date) ?? []), cents])
}

/** The local date, or the next one from the cutoff on. */
function businessDate(
  at: Date,
  { timezone, cutoff }: Pick<TeamWithSales, 'timezone' | 'cutoff'>,
): string {
  const { date, time } = wallClock(at, timezone)
  return time < cutoff ? date : dayAfter(date)
}

/** The wall clock there: YYYY-MM-DD and HH:MM. */
export function wallClock(at: Date, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const [date = '', time = ''] = format.format(at).split(', ')
  return { date, time }
}

export function dayAfter(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + 1)
  return day.toISOString().slice(0, 'YYYY-MM-DD'.length)
}
