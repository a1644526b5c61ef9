// Compares the service with the smallest services that can be written around three job libraries, on
// the same PostgreSQL, with the same callers, in turn.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { privateRedis } from '../../test/support/redis.ts'
import { buildIfStale } from '../build.ts'
import { startBenchChild } from '../child.ts'
import { type Cleanups, stopOnSignals, withCleanups } from '../cleanups.ts'
import { type CpuMeter, type CpuUse, openCpuMeter } from '../cpu-meter.ts'
import { startCrowd } from '../crowd.ts'
import { type BenchDatabase, openDatabase, temporaryFolder } from '../database.ts'
import { pidOf } from '../line-ups.ts'
import { startCallers, type Target } from '../load.ts'
import { readCommit, readMachine } from '../machine.ts'
import { makeMerchant } from '../merchant.ts'
import { asText, type Figure } from '../report.ts'
import { KEY, startService } from '../service.ts'
import { CALLERS, FULL, QUICK, type Sizes, STEADY_PER_SECOND } from '../sizes.ts'
import { median, sum } from '../statistics.ts'
import type { Stores } from './jobs.ts'

interface Contender {
  readonly name: string
  readonly target: Target
  readonly paymentMethods: readonly string[]
  readonly cpu: CpuMeter
  /** How many charges its rows say are final. */
  countFinal(): Promise<number>
}

interface Round {
  readonly perSecond: number
  readonly p50Ms: number
  readonly cpuMs: number
  readonly steadyP50Ms: number
  readonly steadyP99Ms: number
  readonly steadyCpuMs: number
}

const PATIENCE_MS = 20_000
const PEERS = ['pg-boss', 'graphile-worker', 'BullMQ'] as const

const LABELS: Readonly<Record<keyof Round, readonly [label: string, unit: string]>> = {
  perSecond: ['charges', '/s'],
  p50Ms: ['a charge of them, p50', 'ms'],
  cpuMs: ['CPU of each', 'ms'],
  steadyP50Ms: [`at ${STEADY_PER_SECOND} a second, p50`, 'ms'],
  steadyP99Ms: [`at ${STEADY_PER_SECOND} a second, p99`, 'ms'],
  steadyCpuMs: [`at ${STEADY_PER_SECOND} a second, CPU of each`, 'ms'],
}

stopOnSignals()
buildIfStale()
const sizes = process.argv.includes('--quick') ? QUICK : FULL
process.stdout.write(`${await withCleanups(compare)}\n`)

async function compare(cleanups: Cleanups): Promise<string> {
  const folder = await temporaryFolder(cleanups)
  const database = await openDatabase(folder, 'owner', cleanups)
  const contenders = [
    await openService('Lamplighter', database, folder, {}, cleanups),
    await openService('Lamplighter on Redis', database, folder, await redisOf(cleanups), cleanups),
  ]
  for (const name of PEERS) contenders.push(await openPeer(name, database, cleanups))
  const measure = openMeasure(sizes, cleanups)
  const rounds = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]))
  for (let i = 0; i < sizes.rounds; i += 1) {
    for (const contender of contenders) rounds.get(contender.name)?.push(await measure(contender))
  }
  return asText({
    machine: readMachine(),
    commit: readCommit(),
    date: new Date().toISOString(),
    sections: [
      {
        title: 'The same charge: from the request to the final row, its event, and the answer',
        notes: [
          `${CALLERS} callers who wait for the outcome, then ${STEADY_PER_SECOND} charges a second; ${sizes.rounds} rounds in turn, medians.`,
          'Each is one process beside the same PostgreSQL. CPU is that of the process, PostgreSQL and Redis together.',
        ],
        figures: [...rounds].flatMap(([name, all]) => figuresOf(name, all)),
        ratios: ratiosOf(rounds),
      },
    ],
  })
}

async function redisOf(cleanups: Cleanups): Promise<{ REDIS_URL: string; redisPid: number }> {
  const server = await privateRedis()
  cleanups.add(() => server.close())
  return { REDIS_URL: server.url, redisPid: await pidOf(server.port) }
}

async function newDatabase({ client, superuserUrl }: BenchDatabase, name: string): Promise<string> {
  const database = `compared_${name.toLowerCase().replaceAll(/\W/g, '_')}`
  await client.query(`CREATE DATABASE ${database}`)
  const url = new URL(superuserUrl)
  url.pathname = database
  return url.href
}

async function openService(
  name: string,
  database: BenchDatabase,
  folder: string,
  { redisPid, ...settings }: { REDIS_URL?: string; redisPid?: number },
  cleanups: Cleanups,
): Promise<Contender> {
  const url = await newDatabase(database, name)
  const started = await startService(
    name,
    ['start'],
    { DATABASE_URL: url, DATA_DIR: folder, ...settings },
    folder,
    cleanups,
  )
  const target = { address: started.address ?? '', key: KEY }
  const client = await connect(url, cleanups)
  const { paymentMethods } = await makeMerchant(target, client)
  return {
    name,
    target,
    paymentMethods: paymentMethods.map(({ id }) => id),
    cpu: meterOf(started.pid, database, redisPid),
    countFinal: () => count(client, 'transaction'),
  }
}

async function openPeer(
  name: string,
  database: BenchDatabase,
  cleanups: Cleanups,
): Promise<Contender> {
  const databaseUrl = await newDatabase(database, name)
  const redis = name === 'BullMQ' ? await redisOf(cleanups) : undefined
  const child = startBenchChild<Stores, { address: string }>(
    'peers/peer-child.ts',
    [name],
    cleanups,
  )
  const { address } = await child.ask({ databaseUrl, redisUrl: redis?.REDIS_URL ?? '' })
  const client = await connect(databaseUrl, cleanups)
  return {
    name,
    target: { address, key: KEY },
    paymentMethods: Array.from({ length: CALLERS }, () => randomUUID()),
    cpu: meterOf(child.pid, database, redis?.redisPid),
    countFinal: () => count(client, 'charge'),
  }
}

function meterOf(pid: number, database: BenchDatabase, redisPid: number | undefined): CpuMeter {
  return openCpuMeter([
    { name: 'process', pid },
    { name: 'PostgreSQL', pid: database.pid },
    ...(redisPid === undefined ? [] : [{ name: 'Redis', pid: redisPid }]),
  ])
}

async function connect(url: string, cleanups: Cleanups): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  cleanups.add(() => client.end())
  return client
}

async function count(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::integer AS final FROM ${table} WHERE status = 'SUCCESS'`,
  )
  return rows[0].final
}

/** Each charge that was answered must be final in a row. */
function openMeasure(
  { warmUpMs, chargesMs, steadyMs }: Sizes,
  cleanups: Cleanups,
): (contender: Contender) => Promise<Round> {
  const load = startCallers(cleanups)
  const crowd = startCrowd(cleanups)
  const isWarm = new Set<Contender>()
  return async (contender) => {
    const { name, target, paymentMethods, cpu, countFinal } = contender
    const before = await countFinal()
    const charge = (ms: number) => load.ask({ target, paymentMethods, connections: CALLERS, ms })
    const warmUp = isWarm.has(contender) ? undefined : await charge(warmUpMs)
    isWarm.add(contender)
    const busy = await cpu.during(() => charge(chargesMs))
    const steady = await cpu.during(() =>
      crowd.ask({
        target,
        paymentMethods,
        perSecond: STEADY_PER_SECOND,
        ms: steadyMs,
        patienceMs: PATIENCE_MS,
      }),
    )
    const { completed, others } = busy.result
    const { sent, pending, refused, unanswered } = steady.result
    const failed = others + pending + refused + unanswered + steady.result.others
    const expected = (warmUp?.completed ?? 0) + completed + sent
    const final = (await countFinal()) - before
    if (failed > 0 || final !== expected) {
      throw new Error(`${name}: ${failed} failed; ${expected} answered, ${final} final`)
    }
    return {
      perSecond: busy.result.perSecond,
      p50Ms: busy.result.p50Ms,
      cpuMs: cpuMsOf(busy.used) / completed,
      steadyP50Ms: steady.result.p50Ms,
      steadyP99Ms: steady.result.p99Ms,
      steadyCpuMs: cpuMsOf(steady.used) / sent,
    }
  }
}

function cpuMsOf(used: readonly CpuUse[]): number {
  return sum(used.map(({ micros }) => micros)) / 1_000
}

function figuresOf(name: string, rounds: readonly Round[]): Figure[] {
  return Object.entries(LABELS).map(([key, [label, unit]]) => ({
    name: `${name} ${key}`,
    label: `${name}: ${label}`,
    value: median(rounds.map((round) => round[key as keyof Round])),
    unit,
  }))
}

/** Of one round each: the speed of a machine changes from minute to minute. */
function ratiosOf(all: ReadonlyMap<string, readonly Round[]>): Record<string, number> {
  const ours = all.get('Lamplighter') ?? []
  return Object.fromEntries(
    PEERS.map((name) => {
      const theirs = all.get(name) ?? []
      const ratios = ours.map(
        ({ perSecond }, i) => perSecond / (theirs[i]?.perSecond ?? Number.NaN),
      )
      return [`charges_vs_${name}`, median(ratios)]
    }),
  )
}
