// How fast it is, beside what the same machine could do at best in the same minutes. No test: it fails only when
// something is wrong, never because something is slow.
//
//   npm run bench                  a table
//   npm run bench -- --quick       the same, from less
//   npm run bench -- --json        one object
//   npm run bench -- --only redis  one part: redis, workers, embedded, overload, reads, schedules, settlement, deliveries or startup

import { parseArgs } from 'node:util'
import { buildIfStale } from './build.ts'
import { type Cleanups, stopOnSignals, withCleanups } from './cleanups.ts'
import { measureDeliveries } from './deliveries.ts'
import { openEmbeddedHouse } from './embedded.ts'
import type { House } from './house.ts'
import { readCommit, readMachine } from './machine.ts'
import { measureHouse } from './measure-house.ts'
import { measureOverload } from './overload.ts'
import { measureReads } from './reads.ts'
import { hasRedis, openRedisHouse } from './redis.ts'
import { asJson, asText, type Section } from './report.ts'
import { measureSchedules } from './schedules.ts'
import { measureSettlement } from './settlement.ts'
import { FULL, QUICK, type Sizes } from './sizes.ts'
import { measureStartup } from './startup.ts'
import { measureWorkers } from './workers.ts'

type Part = (sizes: Sizes, cleanups: Cleanups) => Promise<Section>

const PARTS: Readonly<Record<string, Part>> = {
  redis: async (sizes, cleanups) =>
    hasRedis() ? await inHouse(openRedisHouse)(sizes, cleanups) : WITHOUT_REDIS,
  workers: async (sizes, cleanups) =>
    hasRedis() ? await measureWorkers(sizes, cleanups) : WITHOUT_REDIS,
  embedded: inHouse(openEmbeddedHouse),
  overload: (sizes) =>
    measureOverload([openEmbeddedHouse, ...(hasRedis() ? [openRedisHouse] : [])], sizes),
  reads: async (sizes, cleanups) =>
    measureReads(await openEmbeddedHouse(cleanups), sizes, cleanups),
  schedules: measureSchedules,
  settlement: measureSettlement,
  deliveries: measureDeliveries,
  startup: measureStartup,
}

const WITHOUT_REDIS: Section = {
  title: 'On Redis',
  notes: ['Left out: there is no redis-server on the PATH.'],
  figures: [],
  ratios: {},
}

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: Object.keys(PARTS) },
  },
})

stopOnSignals()
buildIfStale()
const sections: Section[] = []
for (const name of options.only) sections.push(await run(name))
const report = {
  machine: readMachine(),
  commit: readCommit(),
  date: new Date().toISOString(),
  sections,
}
process.stdout.write(`${options.json ? asJson(report) : asText(report)}\n`)

function run(name: string): Promise<Section> {
  const part = PARTS[name]
  if (part === undefined) throw new Error(`no part ${name}: ${Object.keys(PARTS).join(', ')}`)
  process.stderr.write(`${name} …\n`)
  return withCleanups((cleanups) => part(options.quick ? QUICK : FULL, cleanups))
}

function inHouse(open: (cleanups: Cleanups) => Promise<House>): Part {
  return async (sizes, cleanups) => measureHouse(await open(cleanups), sizes, cleanups)
}
