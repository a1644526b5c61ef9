// The speed at which schedules that are due in the same minute run, compared with bare inserts of
// the same rows; the cost of a round in a crowd of schedules of which few are due; and the speed at
// which next occurrences are found.

import type pg from 'pg'
import { readConfig } from '../src/config.ts'
import { nextOccurrence, storedRecurrence } from '../src/core/recurrence.ts'
import { SECOND } from '../src/core/time-units.ts'
import { migrate } from '../src/db/migrate.ts'
import { openLog } from '../src/log.ts'
import { migrateQueues } from '../src/queue/postgres-engine.ts'
import { runDueSchedules } from '../src/schedules/run-due-schedules.ts'
import { openWorld, type World } from '../src/world.ts'
import { readRows, writeRows } from './bare-inserts.ts'
import type { Cleanups } from './cleanups.ts'
import { openDatabase, prepareCounting, temporaryFolder } from './database.ts'
import type { Figure, Section } from './report.ts'
import { DUE, fillAccounts, fillSchedules, rewind } from './schedule-crowd.ts'
import { QUICK, type Sizes } from './sizes.ts'
import { median } from './statistics.ts'

const DUE_AT_ONCE = 50_000
const DUE_AT_ONCE_QUICK = 5_000

/** The sizes that a round uses. */
const BARE = { runsAChunk: 500, connections: 2 }

const CROWDS = [10_000, 100_000, 1_000_000]
const DUE_OF_CROWD = 100
const TICKS = 5
const MS_OF_RULES = 300

/** The next run of the schedules of a crowd that are not due. */
const FAR = new Date('2027-01-01T14:00:00Z')

export async function measureSchedules(sizes: Sizes, cleanups: Cleanups): Promise<Section> {
  const isQuick = sizes === QUICK
  const folder = await temporaryFolder(cleanups)
  await prepareCounting(folder)
  const database = await openDatabase(folder, 'owner', cleanups)
  await migrate(database.url)
  await migrateQueues(database.url)
  const world = openBenchWorld(database.url)
  cleanups.add(() => world.close())
  await fillAccounts(database.client)
  const together = await measureTogether(world, database, isQuick ? DUE_AT_ONCE_QUICK : DUE_AT_ONCE)
  const ticks = await measureTicks(world, database.client, isQuick ? CROWDS.slice(0, 2) : CROWDS)
  return {
    title: 'Schedules',
    notes: [
      `${together.count} due in the same minute, each with an invoice and a payment; then ${DUE_OF_CROWD} of a crowd.`,
    ],
    figures: [...together.figures, ...ticks, ...measureRules()],
    ratios: { schedules_vs_inserts: together.ratio },
  }
}

/** The clock stands still a moment after they are due. No worker takes the payments. */
function openBenchWorld(databaseUrl: string): World {
  const now = new Date(DUE.getTime() + 20 * SECOND)
  return openWorld({
    config: readConfig({ PORT: '0' }),
    databaseUrl,
    log: openLog('silent'),
    clock: { now: () => now },
  })
}

interface Bench {
  readonly url: string
  readonly client: pg.Client
}

async function measureTogether(world: World, { url, client }: Bench, count: number) {
  await fillSchedules(client, count, DUE)
  await world.queues.engine.probe()
  const runs: number[] = []
  const bare: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await rewind(client)
    const startedMs = performance.now()
    const seen = await runDueSchedules(world)
    runs.push(count / ((performance.now() - startedMs) / SECOND))
    if (seen !== count) throw new Error(`${seen} of ${count} schedules were run`)
    const rows = await readRows(client)
    await rewind(client)
    bare.push(count / (await writeRows(url, rows, BARE)))
  }
  await client.query('TRUNCATE schedule, invoice CASCADE')
  const figures: Figure[] = [
    {
      name: 'schedule_runs_per_second',
      label: 'runs of schedules',
      value: median(runs),
      unit: 'a second',
    },
    {
      name: 'bare_schedule_inserts_per_second',
      label: 'bare inserts of the same rows',
      value: median(bare),
      unit: 'a second',
    },
  ]
  const ratio = median(runs.map((one, round) => one / (bare[round] ?? Number.NaN)))
  return { count, figures, ratio }
}

async function measureTicks(
  world: World,
  client: pg.Client,
  crowds: readonly number[],
): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  let there = 0
  for (const crowd of crowds) {
    await fillSchedules(client, crowd - there, FAR)
    there = crowd
    const ms: number[] = []
    for (let tick = 0; tick < TICKS; tick += 1) {
      await fillSchedules(client, DUE_OF_CROWD, DUE)
      const startedMs = performance.now()
      const seen = await runDueSchedules(world)
      ms.push(performance.now() - startedMs)
      if (seen !== DUE_OF_CROWD) throw new Error(`${seen} of ${DUE_OF_CROWD} schedules were run`)
    }
    const of = crowd.toLocaleString('en-US')
    figures.push({
      name: `schedule_tick_of_${crowd}_ms`,
      label: `a round that finds ${DUE_OF_CROWD} due of ${of}`,
      value: median(ms),
      unit: 'ms',
    })
  }
  return figures
}

const RULES = {
  daily: 'FREQ=DAILY',
  weekly: 'FREQ=WEEKLY;BYDAY=MO,TH',
  monthly: 'FREQ=MONTHLY',
  yearly: 'FREQ=YEARLY',
  each_15_minutes: 'FREQ=MINUTELY;INTERVAL=15',
}

/** The rules began in the last century, and are asked at instants of the years to come. */
function measureRules(): readonly Figure[] {
  return Object.entries(RULES).map(([name, rule]) => {
    const recurrence = storedRecurrence(`RRULE:${rule}`, '1999-01-31T09:00:00', 'America/New_York')
    const startedMs = performance.now()
    let found = 0
    while (performance.now() - startedMs < MS_OF_RULES) {
      nextOccurrence(recurrence, new Date(DUE.getTime() + (found % 100_000) * 7_919 * SECOND))
      found += 1
    }
    return {
      name: `occurrences_${name}_per_second`,
      label: `next occurrences, ${rule} since 1999`,
      value: found / ((performance.now() - startedMs) / SECOND),
      unit: 'a second',
    }
  })
}
