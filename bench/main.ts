// Measures how fast the service is, compared with the limit of the same machine in the same
// minutes. It is no test: it fails when something is wrong, never because something is slow.

import { SECOND } from '../src/core/time-units.ts'
import { choiceOption, programOptions } from '../test/support/program-options.ts'
import { buildIfStale } from './build.ts'
import { type Cleanups, stopOnSignals, withCleanups } from './cleanups.ts'
import { measureCluster } from './cluster.ts'
import { measureDeliveries } from './deliveries.ts'
import { openEmbeddedService } from './embedded.ts'
import { measureIdle } from './idle.ts'
import { measureLive } from './live.ts'
import { readCommit, readMachine } from './machine.ts'
import { measureService } from './measure-service.ts'
import type { MeasuredService } from './measured-service.ts'
import { measureOverload } from './overload.ts'
import { measureReads } from './reads.ts'
import { hasRedis, openRedisService } from './redis.ts'
import { measureReplica } from './replica.ts'
import { asJson, asText, type Section } from './report.ts'
import { measureSchedules } from './schedules.ts'
import { measureSettlement } from './settlement.ts'
import { FULL, QUICK, type Sizes } from './sizes.ts'
import { measureStartup } from './startup.ts'
import { measureWorkers } from './workers.ts'

type Part = (sizes: Sizes, cleanups: Cleanups) => Promise<Section>

const PARTS: Readonly<Record<string, Part>> = {
  redis: async (sizes, cleanups) =>
    hasRedis() ? await inService(openRedisService)(sizes, cleanups) : WITHOUT_REDIS,
  workers: async (sizes, cleanups) =>
    hasRedis() ? await measureWorkers(sizes, cleanups) : WITHOUT_REDIS,
  embedded: inService(openEmbeddedService),
  live: measureLive,
  overload: (sizes) =>
    measureOverload([openEmbeddedService, ...(hasRedis() ? [openRedisService] : [])], sizes),
  reads: async (sizes, cleanups) =>
    measureReads(await openEmbeddedService(cleanups), sizes, cleanups),
  schedules: measureSchedules,
  settlement: measureSettlement,
  deliveries: measureDeliveries,
  startup: measureStartup,
  cluster: async (sizes, cleanups) =>
    hasRedis() ? await measureCluster(sizes, cleanups) : WITHOUT_REDIS,
  replica: async (sizes, cleanups) =>
    hasRedis() ? await measureReplica(sizes, cleanups) : WITHOUT_REDIS,
  idle: (sizes) =>
    measureIdle([openEmbeddedService, ...(hasRedis() ? [openRedisService] : [])], sizes),
}

/** They are about larger installations; a quick run leaves them out, unless it names them. */
const LARGER: readonly string[] = ['cluster', 'replica']

const WITHOUT_REDIS: Section = {
  title: 'On Redis',
  notes: ['Left out: there is no redis-server on the PATH.'],
  figures: [],
  ratios: {},
}

const USAGE = `
Measures how fast the service is, beside the best that the same machine could do.

usage: npm run bench -- [--quick] [--json] [--only PART]…

  --quick      measure less of each part, and leave out: ${LARGER.join(', ')}
  --json       print one object instead of a table
  --only PART  measure one part, and may be repeated:
               ${Object.keys(PARTS).join(', ')}

  npm run bench -- --quick --only embedded
`

const options = programOptions(
  USAGE,
  {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
  },
  ({ only, ...values }) => ({ ...values, only: only.map(partNamed) }),
)
stopOnSignals()
buildIfStale()
const sections: Section[] = []
for (const name of partsAsked()) sections.push(await run(name))
const report = {
  machine: readMachine(),
  commit: readCommit(),
  date: new Date().toISOString(),
  sections,
}
process.stdout.write(`${options.json ? asJson(report) : asText(report)}\n`)

function partNamed(name: string): string {
  return choiceOption('only', name, Object.keys(PARTS))
}

function partsAsked(): readonly string[] {
  if (options.only.length > 0) return options.only
  return Object.keys(PARTS).filter((name) => !options.quick || !LARGER.includes(name))
}

async function run(name: string): Promise<Section> {
  const part = PARTS[name]
  if (part === undefined) throw new Error(`no part ${name}`)
  process.stderr.write(`${name} …`)
  const startedMs = performance.now()
  const section = await withCleanups((cleanups) => part(options.quick ? QUICK : FULL, cleanups))
  process.stderr.write(` ${Math.round((performance.now() - startedMs) / SECOND)} s\n`)
  return section
}

function inService(open: (cleanups: Cleanups) => Promise<MeasuredService>): Part {
  return async (sizes, cleanups) => measureService(await open(cleanups), sizes, cleanups)
}
