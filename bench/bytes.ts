// The storage and the cost of a charge: bytes of rows, of indexes and of the write-ahead log in
// PostgreSQL, bytes in Redis, processor time of every process. The inputs of the model in
// docs/growing.md.
//
//   npx tsx bench/bytes.ts                       twenty seconds of charges, 64 callers
//   npx tsx bench/bytes.ts --seconds 60

import { Redis } from 'ioredis'
import type pg from 'pg'
import { SECOND } from '../src/core/time-units.ts'
import { numberOption, programOptions } from '../test/support/program-options.ts'
import { buildIfStale } from './build.ts'
import { type Cleanups, stopOnSignals, withCleanups } from './cleanups.ts'
import { type CpuUse, openCpuMeter } from './cpu-meter.ts'
import { openEmbeddedService } from './embedded.ts'
import { startCallers } from './load.ts'
import { readCommit, readMachine } from './machine.ts'
import type { MeasuredService } from './measured-service.ts'
import { makeMerchant } from './merchant.ts'
import { residentMb } from './processes.ts'
import { hasRedis, openRedisService } from './redis.ts'
import { KEY } from './service.ts'
import { CALLERS } from './sizes.ts'

const WARM_UP_MS = 3 * SECOND

const USAGE = `
Measures what a charge leaves behind, and what it costs on the way.

usage: npx tsx bench/bytes.ts [--seconds 20]

  --seconds N  how long charges are made
`

const options = programOptions(
  USAGE,
  { seconds: { type: 'string', default: '20' } },
  ({ seconds }) => ({ seconds: numberOption('seconds', seconds, 1) }),
)

/**
 * The log's bytes. `full` are whole pages, which are written once a page after each checkpoint,
 * whatever changes on it.
 */
interface Log {
  readonly bytes: number
  readonly fullPages: number
}

interface Size {
  readonly rows: number
  readonly indexes: number
}

interface State {
  readonly log: Log
  readonly sizes: ReadonlyMap<string, Size>
  readonly redisBytes: number
}

const SIZES = `
  SELECT replace(n.nspname || '.' || c.relname, 'public.', '') AS name,
    pg_table_size(c.oid)::float AS rows, pg_indexes_size(c.oid)::float AS indexes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname IN ('public', 'bullmq')`

const LOG = `SELECT wal_bytes::float AS bytes, wal_fpi::float AS "fullPages" FROM pg_stat_wal`

stopOnSignals()
buildIfStale()
const { cpu, cores, memoryGb } = readMachine()
print(`Lamplighter ${readCommit()}, ${cpu}, ${cores} cores, ${memoryGb} GB`)
if (hasRedis()) await withCleanups(async (own) => measure(await openRedisService(own), own))
await withCleanups(async (own) => measure(await openEmbeddedService(own), own))

async function measure(measured: MeasuredService, cleanups: Cleanups): Promise<void> {
  const { client } = measured.database
  const target = { address: measured.services[0]?.address ?? '', key: KEY }
  const merchant = await makeMerchant(target, client)
  const paymentMethods = merchant.paymentMethods.map(({ id }) => id)
  const load = startCallers(cleanups)
  const charge = (ms: number) => load.ask({ target, paymentMethods, connections: CALLERS, ms })
  const cpu = openCpuMeter([
    ...measured.services,
    { name: 'PostgreSQL', pid: measured.database.pid },
    ...measured.others,
  ])
  await charge(WARM_UP_MS)
  await client.query('CHECKPOINT')
  const before = await stateOf(client, measured)
  const { result, used } = await cpu.during(() => charge(options.seconds * SECOND))
  const after = await stateOf(client, measured)
  print(`\n${measured.title}\n${result.completed} charges, ${result.perSecond.toFixed(0)} a second`)
  printDisk(before, after, result.completed)
  printProcessor(used, result.completed)
  for (const { name, pid } of measured.services)
    printFigure(`memory of ${name}`, await residentMb(pid), 'MB')
}

async function stateOf(client: pg.Client, measured: MeasuredService): Promise<State> {
  await client.query('SELECT pg_stat_force_next_flush()')
  const [log] = (await client.query(LOG)).rows
  const { rows } = await client.query(SIZES)
  const sizes = new Map<string, Size>(rows.map(({ name, ...size }) => [name, size]))
  return { log, sizes, redisBytes: await redisBytes(measured) }
}

async function redisBytes({ store }: MeasuredService): Promise<number> {
  if (store.kind !== 'redis') return 0
  const redis = new Redis(store.url)
  const memory = await redis.info('memory')
  redis.disconnect()
  return Number(/^used_memory:(\d+)/m.exec(memory)?.[1])
}

function printDisk(before: State, after: State, charges: number): void {
  const grown = (of: (size: Size) => number, name: string) =>
    of(after.sizes.get(name) ?? NOTHING) - of(before.sizes.get(name) ?? NOTHING)
  const names = [...after.sizes.keys()].filter((name) => grown(whole, name) / charges >= 1)
  for (const name of names.sort((a, b) => grown(whole, b) - grown(whole, a))) {
    printFigure(`${name}, rows`, grown(({ rows }) => rows, name) / charges, 'bytes a charge')
    printFigure(
      `${name}, indexes`,
      grown(({ indexes }) => indexes, name) / charges,
      'bytes a charge',
    )
  }
  const all = names.reduce((sum, name) => sum + grown(whole, name), 0)
  printFigure('rows and indexes together', all / charges, 'bytes a charge')
  printFigure('log', (after.log.bytes - before.log.bytes) / charges, 'bytes a charge')
  printFigure(
    'whole pages in it',
    (after.log.fullPages - before.log.fullPages) / charges,
    'a charge',
  )
  printFigure('Redis', (after.redisBytes - before.redisBytes) / charges, 'bytes a charge')
}

function printProcessor(used: readonly CpuUse[], charges: number): void {
  for (const { name, micros } of used)
    printFigure(`processor, ${name}`, micros / charges, 'µs a charge')
  const all = used.reduce((sum, { micros }) => sum + micros, 0)
  printFigure('processor, together', all / charges, 'µs a charge')
}

const NOTHING: Size = { rows: 0, indexes: 0 }

function whole({ rows, indexes }: Size): number {
  return rows + indexes
}

function printFigure(what: string, value: number, unit: string): void {
  print(`  ${what.padEnd(36)}${value.toFixed(Math.abs(value) < 10 ? 2 : 0).padStart(10)} ${unit}`)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
