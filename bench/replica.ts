// What a standby takes off the primary: the same lists and files, read through an API server
// without READ_DATABASE_URL and through one with it, in turn; and charges beside downloads that
// never end.

import { join } from 'node:path'
import { SECOND } from '../src/core/time-units.ts'
import { clusterOf } from '../src/db/embedded/cluster.ts'
import { readPostmaster } from '../src/db/embedded/postmaster.ts'
import { migrate } from '../src/db/migrate.ts'
import { startReplica } from '../test/chaos/postgres-server.ts'
import { privateRedis } from '../test/support/redis.ts'
import { fillCrowd } from '../test/support/transaction-crowd.ts'
import type { Cleanups } from './cleanups.ts'
import { type CpuUse, openCpuMeter } from './cpu-meter.ts'
import { type CrowdAnswered, startCrowd } from './crowd.ts'
import {
  type CrowdedReader,
  makeCrowdedKey,
  openCrowdedReader,
  PAGES_READ,
  PASSWORD,
} from './crowded-reader.ts'
import { type BenchDatabase, openDatabase, temporaryFolder } from './database.ts'
import { makeMerchant } from './merchant.ts'
import type { Figure, Section } from './report.ts'
import { type BenchService, KEY, type Settings, startService } from './service.ts'
import { type Sizes, STEADY_PER_SECOND } from './sizes.ts'
import { median, sum } from './statistics.ts'

const PATIENCE_MS = 20 * SECOND

/** Downloads under way at once beside the charges. */
const DOWNLOADS = 2

interface Round {
  readonly lists: readonly CpuUse[]
  /** The mean time of one of their pages. */
  readonly pageMs: number
  readonly file: readonly CpuUse[]
  readonly charged: CrowdAnswered
  readonly besideDownloads: CrowdAnswered
  /** Rows of the downloads meanwhile. */
  readonly rows: number
}

const WAYS = ['alone', 'replica'] as const

type Way = (typeof WAYS)[number]

const NAMES: Readonly<Record<Way, string>> = { alone: 'primary alone', replica: 'with a replica' }

export async function measureReplica(sizes: Sizes, cleanups: Cleanups): Promise<Section> {
  const folder = await temporaryFolder(cleanups)
  const database = await openDatabase(folder, 'owner', cleanups)
  await migrate(database.url)
  await fillCrowd(database.client, sizes.listed, 0)
  const standby = await openStandby(database, folder, cleanups)
  const redis = await privateRedis()
  cleanups.add(() => redis.close())
  const common = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    DATA_DIR: folder,
    ADMIN_PASSWORD: PASSWORD,
  }
  // Both accept charges; the one worker belongs to both.
  const alone = await startService('alone', ['api'], common, folder, cleanups)
  const withReplica: Settings = { ...common, READ_DATABASE_URL: standby.url }
  const replica = await startService('replica', ['api'], withReplica, folder, cleanups)
  const worker = await startService('worker', ['worker'], common, folder, cleanups)
  const key = await makeCrowdedKey(database.client)
  const measured = { database, standby, worker, key, apis: { alone, replica } }
  const ways = {
    alone: await openWay(measured, 'alone', cleanups),
    replica: await openWay(measured, 'replica', cleanups),
  }
  const rounds: Record<Way, Round[]> = { alone: [], replica: [] }
  for (let round = 0; round < sizes.rounds; round += 1) {
    for (const way of WAYS) rounds[way].push(await ways[way].round(sizes))
  }
  return sectionOf(rounds, sizes)
}

interface Standby {
  readonly url: string
  readonly pid: number
}

async function openStandby(
  { url, superuserUrl, client }: BenchDatabase,
  folder: string,
  cleanups: Cleanups,
): Promise<Standby> {
  // Nothing that it still needs is removed while it is copied.
  await client.query(`ALTER SYSTEM SET wal_keep_size = '2GB'`)
  await client.query('SELECT pg_reload_conf()')
  const primary = { folder: await clusterOf(folder), port: Number(new URL(url).port) }
  const copy = join(folder, 'standby')
  const server = await startReplica(primary, copy, superuserUrl)
  cleanups.add(() => server.end('SIGINT'))
  await server.ask('ALTER SYSTEM SET hot_standby_feedback = on')
  await server.ask('SELECT pg_reload_conf()')
  const own = new URL(url)
  own.port = String(server.port)
  return { url: own.href, pid: (await readPostmaster(copy))?.pid ?? 0 }
}

interface Measured {
  readonly database: BenchDatabase
  readonly standby: Standby
  readonly worker: BenchService
  /** Of the account whose lists are read. */
  readonly key: string
  readonly apis: Readonly<Record<Way, BenchService>>
}

async function openWay(measured: Measured, way: Way, cleanups: Cleanups) {
  const { database, standby, worker, key, apis } = measured
  const target = { address: apis[way].address ?? '', key: KEY }
  const { paymentMethods } = await makeMerchant(target, database.client)
  const crowd = startCrowd(cleanups)
  const reader = await openCrowdedReader(target.address, key)
  const meter = openCpuMeter([
    { name: 'primary', pid: database.pid },
    { name: 'standby', pid: standby.pid },
    { name: 'api', pid: apis[way].pid },
    worker,
  ])
  const charge = (ms: number) =>
    crowd.ask({
      target,
      paymentMethods: paymentMethods.map(({ id }) => id),
      perSecond: STEADY_PER_SECOND,
      ms,
      patienceMs: PATIENCE_MS,
    })
  const used = async (act: () => Promise<unknown>) => (await meter.during(act)).used
  await reader.lists()
  return {
    async round({ steadyMs }: Sizes): Promise<Round> {
      const startedMs = performance.now()
      const lists = await used(() => reader.lists())
      const pageMs = (performance.now() - startedMs) / PAGES_READ
      const file = await used(() => reader.download())
      const charged = await charge(steadyMs)
      const downloads = downloadsOf(reader)
      const besideDownloads = await charge(steadyMs)
      return { lists, pageMs, file, charged, besideDownloads, rows: await downloads.end() }
    },
  }
}

function downloadsOf(reader: CrowdedReader) {
  const end = new AbortController()
  const keep = async () => {
    let rows = 0
    while (!end.signal.aborted) rows += await reader.download(end.signal)
    return rows
  }
  const all = Promise.all(Array.from({ length: DOWNLOADS }, keep))
  return {
    async end(): Promise<number> {
      end.abort()
      return sum(await all)
    },
  }
}

function sectionOf(rounds: Readonly<Record<Way, readonly Round[]>>, sizes: Sizes): Section {
  const primary = (pick: (round: Round) => readonly CpuUse[]) =>
    microsOf(rounds.replica, pick, 'primary') / microsOf(rounds.alone, pick, 'primary')
  return {
    title: 'A replica for reads: what it takes off the primary',
    notes: [
      `Lists: pages of an account of ${sizes.listed.toLocaleString('en-US')} transactions and of the console, the same each time; a file has all of its rows.`,
      `An api without READ_DATABASE_URL and one with it, in turn, ${sizes.rounds} rounds, medians; queues in Redis, and one worker.`,
      `${STEADY_PER_SECOND} charges a second, alone and beside ${DOWNLOADS} downloads that never end.`,
      'The standby shares the cores of this machine, so it shows what the primary is spared, and hardly what callers gain.',
    ],
    figures: WAYS.flatMap((way) => figuresOf(way, rounds[way])),
    ratios: {
      replica_primary_cpu_of_lists: primary(({ lists }) => lists),
      replica_primary_cpu_of_a_file: primary(({ file }) => file),
    },
  }
}

function microsOf(
  rounds: readonly Round[],
  pick: (round: Round) => readonly CpuUse[],
  name: string,
): number {
  return median(rounds.map((round) => pick(round).find((use) => use.name === name)?.micros ?? 0))
}

function figuresOf(way: Way, rounds: readonly Round[]): Figure[] {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const cpu = (what: 'lists' | 'file', name: string) =>
    microsOf(rounds, (round) => round[what], name) / 1_000
  const figures: readonly (readonly [string, string, number, string])[] = [
    ...['primary', 'standby', 'api'].flatMap((name) => [
      [`lists_${name}_ms`, `lists, CPU of the ${name}`, cpu('lists', name), 'ms'] as const,
      [`file_${name}_ms`, `a file, CPU of the ${name}`, cpu('file', name), 'ms'] as const,
    ]),
    ['page_ms', 'a page of a list, mean', of(({ pageMs }) => pageMs), 'ms'],
    ['charge_p50_ms', 'a charge, p50', of(({ charged }) => charged.p50Ms), 'ms'],
    ['charge_p99_ms', 'a charge, p99', of(({ charged }) => charged.p99Ms), 'ms'],
    [
      'beside_p50_ms',
      'a charge beside downloads, p50',
      of(({ besideDownloads }) => besideDownloads.p50Ms),
      'ms',
    ],
    [
      'beside_p99_ms',
      'a charge beside downloads, p99',
      of(({ besideDownloads }) => besideDownloads.p99Ms),
      'ms',
    ],
    ['beside_rows', 'rows of the downloads', of(({ rows }) => rows), ''],
  ]
  return figures.map(([name, label, value, unit]) => ({
    name: `${way}_${name}`,
    label: `${NAMES[way]}: ${label}`,
    value,
    unit,
  }))
}
