// How the service grows: more processes while the gateway takes its time, charges of many accounts
// at once, and what processes at full load hold. The measured part of docs/growing.md.
//
//   npx tsx bench/growth.ts                      all parts; some minutes
//   npx tsx bench/growth.ts --seconds 20 --per-second 100

import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { SECOND } from '../src/core/time-units.ts'
import { choiceOption, numberOption, programOptions } from '../test/support/program-options.ts'
import { makeAccounts } from './accounts.ts'
import { buildIfStale } from './build.ts'
import { type BenchChild, startBenchChild } from './child.ts'
import { type Cleanups, stopOnSignals, withCleanups } from './cleanups.ts'
import { type CpuUse, openCpuMeter } from './cpu-meter.ts'
import { type Crowd, type CrowdAnswered, startCrowd } from './crowd.ts'
import { type GrowingService, type Kind, type LineUp, openGrowingService } from './line-ups.ts'
import type { StandIn } from './live.ts'
import { startCallers, type Target } from './load.ts'
import { readCommit, readMachine } from './machine.ts'
import { makeMerchant } from './merchant.ts'
import { residentMb } from './processes.ts'
import { KEY } from './service.ts'
import { sum } from './statistics.ts'
import type { StripeAddress } from './stripe-account.ts'
import { newLiveKey, STRIPE_CARD, stripeSettings } from './stripe-account.ts'

/** Each contains the one before: more workers for one API server, then more API servers. */
const LINE_UPS: readonly LineUp[] = [
  { apis: 1, workers: 1 },
  { apis: 1, workers: 2 },
  { apis: 1, workers: 4 },
  { apis: 1, workers: 8 },
  { apis: 2, workers: 8 },
  { apis: 4, workers: 8 },
]

const GATEWAYS_MS = [300, 2_000] as const

const ACCOUNTS = 10_000

const PARTS = ['gateways', 'accounts', 'full'] as const

/** So many that each process opens all the connections that it ever uses. */
const FULL_CALLERS = 512

/** A caller of a slow gateway is answered PENDING before this. */
const PATIENCE_MS = 30 * SECOND

const LOOK_EVERY_MS = 250

const USAGE = `
Measures more processes with a slow gateway, charges of ${ACCOUNTS.toLocaleString('en-US')} accounts at once,
and the connections of processes at full load.

usage: npx tsx bench/growth.ts [--only gateways|accounts|full] [--seconds 12] [--per-second 60]

  --only PART     measure one part

  --seconds N     how long charges arrive, for each row
  --per-second N  how many charges arrive in a second
`

const { only, seconds, perSecond } = programOptions(
  USAGE,
  {
    only: { type: 'string', multiple: true, default: [...PARTS] },
    seconds: { type: 'string', default: '12' },
    'per-second': { type: 'string', default: '60' },
  },
  ({ only, seconds, 'per-second': perSecond }) => ({
    only: only.map((part) => choiceOption('only', part, PARTS)),
    seconds: numberOption('seconds', seconds, 1),
    perSecond: numberOption('per-second', perSecond, 1),
  }),
)

interface Row {
  readonly name: string
  readonly answered: CrowdAnswered
  /** The most charges that were not final at one moment. */
  readonly underWay: number
  readonly connections: number
  readonly memoryMb: { readonly api: number; readonly worker: number }
  readonly used: readonly CpuUse[]
}

const UNDER_WAY = `
  SELECT (SELECT count(*)::integer FROM transaction WHERE status = 'PENDING') AS under_way,
    (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend')
      AS connections`

stopOnSignals()
buildIfStale()
const { cpu, cores, memoryGb } = readMachine()
print(`Lamplighter ${readCommit()}, ${cpu}, ${cores} cores, ${memoryGb} GB`)
print(`${perSecond} charges a second for ${seconds} s, from callers who do not wait for each other`)
for (const executionMs of only.includes('gateways') ? GATEWAYS_MS : []) {
  print(`\nThe gateway takes ${executionMs} ms`)
  await withCleanups((cleanups) => measureSlowGateway(executionMs, cleanups))
}
if (only.includes('accounts')) {
  const accounts = ACCOUNTS.toLocaleString('en-US')
  print(`\nEach charge of another one of ${accounts} accounts; sandbox gateway`)
  await withCleanups(measureAccounts)
}
if (only.includes('full')) {
  print(`\n${FULL_CALLERS} callers, each waiting for its outcome; sandbox gateway`)
  await withCleanups(measureFullLoad)
}

async function measureSlowGateway(executionMs: number, cleanups: Cleanups): Promise<void> {
  const standIn = startBenchChild<StandIn, StripeAddress>('stripe-child.ts', [], cleanups)
  const stripe = await standIn.ask({ executionMs })
  const measured = await openGrowingService(cleanups, stripeSettings(stripe))
  await measured.growTo({ apis: 1, workers: 1 })
  const key = await newLiveKey(measured.settings)
  const target = { address: measured.running('api')[0]?.address ?? '', key }
  const { paymentMethods } = await makeMerchant(target, measured.database.client, STRIPE_CARD)
  const methods = paymentMethods.map(({ id }) => id)
  const crowd = startCrowd(cleanups)
  for (const lineUp of LINE_UPS) {
    await measured.growTo(lineUp)
    print(
      shown(
        await measure(measured, { name: nameOf(lineUp), crowd, target, paymentMethods: methods }),
      ),
    )
  }
}

async function measureAccounts(cleanups: Cleanups): Promise<void> {
  const measured = await openGrowingService(cleanups)
  await measured.growTo({ apis: 1, workers: 1 })
  const target = { address: measured.running('api')[0]?.address ?? '', key: KEY }
  const { client } = measured.database
  const { accountId } = await makeMerchant(target, client)
  const { keys, paymentMethods } = await makeAccounts(client, accountId, ACCOUNTS)
  const crowd = startCrowd(cleanups)
  for (const count of [1, ACCOUNTS]) {
    const name = `${count.toLocaleString('en-US')} account${count === 1 ? '' : 's'}`
    const some = { keys: keys.slice(0, count), paymentMethods: paymentMethods.slice(0, count) }
    print(shown(await measure(measured, { name, crowd, target, ...some })))
  }
}

/** The connections and the memory of processes that have as much to do as they can. */
async function measureFullLoad(cleanups: Cleanups): Promise<void> {
  const measured = await openGrowingService(cleanups)
  await measured.growTo({ apis: 1, workers: 1 })
  const target = { address: measured.running('api')[0]?.address ?? '', key: KEY }
  const { client } = measured.database
  const methods = (await makeMerchant(target, client)).paymentMethods.map(({ id }) => id)
  const load = startCallers(cleanups)
  for (const lineUp of LINE_UPS) {
    await measured.growTo(lineUp)
    const looking = watch(client)
    const addresses = measured.running('api').map(({ address }) => address ?? '')
    const order = { target, addresses, paymentMethods: methods, connections: FULL_CALLERS }
    const charged = await load.ask({ ...order, ms: seconds * SECOND })
    const { connections } = looking.end()
    const { api, worker } = await memoryOfBoth(measured)
    const processes = lineUp.apis + lineUp.workers
    print(
      [
        nameOf(lineUp).padEnd(24),
        `${Math.round(charged.perSecond)} charges/s`.padEnd(18),
        `p99 ${Math.round(charged.p99Ms)} ms`.padEnd(14),
        `not SUCCESS ${charged.others}`.padEnd(18),
        `connections ${connections}, ${(connections / processes).toFixed(1)} a process`.padEnd(34),
        `api ${Math.round(api)} MB, worker ${Math.round(worker)} MB`,
      ].join(''),
    )
  }
}

interface Asked {
  readonly name: string
  readonly crowd: BenchChild<Crowd, CrowdAnswered>
  readonly target: Target
  readonly paymentMethods: readonly string[]
  readonly keys?: readonly string[]
}

async function measure(
  measured: GrowingService,
  { name, crowd, target, paymentMethods, keys }: Asked,
): Promise<Row> {
  const { client, pid } = measured.database
  const cpu = openCpuMeter([
    ...measured.running('api'),
    ...measured.running('worker'),
    { name: 'PostgreSQL', pid },
    { name: 'Redis', pid: measured.redisPid },
  ])
  const looking = watch(client)
  const addresses = measured.running('api').map(({ address }) => address ?? '')
  const { result, used } = await cpu.during(() =>
    crowd.ask({
      target,
      addresses,
      paymentMethods,
      ...(keys === undefined ? {} : { keys }),
      perSecond,
      ms: seconds * SECOND,
      patienceMs: PATIENCE_MS,
    }),
  )
  const most = looking.end()
  await untilFinal(client)
  return { name, answered: result, ...most, memoryMb: await memoryOfBoth(measured), used }
}

/** The most payments under way, and the most connections, seen until its end. */
function watch(client: pg.Client) {
  const most = { underWay: 0, connections: 0 }
  const timer = setInterval(async () => {
    const { rows } = await client.query(UNDER_WAY)
    most.underWay = Math.max(most.underWay, rows[0].under_way)
    most.connections = Math.max(most.connections, rows[0].connections)
  }, LOOK_EVERY_MS)
  return {
    end() {
      clearInterval(timer)
      return most
    },
  }
}

async function memoryOfBoth(measured: GrowingService): Promise<Row['memoryMb']> {
  return { api: await memoryOf(measured, 'api'), worker: await memoryOf(measured, 'worker') }
}

async function untilFinal(client: pg.Client): Promise<void> {
  const startedMs = performance.now()
  for (;;) {
    const { rows } = await client.query(UNDER_WAY)
    if (rows[0].under_way === 0) return
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error('charges are not final')
    await delay(LOOK_EVERY_MS)
  }
}

async function memoryOf(measured: GrowingService, kind: Kind): Promise<number> {
  const all = await Promise.all(measured.running(kind).map(({ pid }) => residentMb(pid)))
  return sum(all) / all.length
}

function shown({ name, answered, underWay, connections, memoryMb, used }: Row): string {
  const { sent, pending, refused, others, unanswered, p50Ms, p99Ms } = answered
  const failed = others + unanswered
  if (failed > 0) throw new Error(`${name}: ${failed} of ${sent} charges were not answered`)
  const cpuMs = sum(used.map(({ micros }) => micros)) / 1_000 / sent
  return [
    name.padEnd(24),
    `p50 ${Math.round(p50Ms)} ms`.padEnd(14),
    `p99 ${Math.round(p99Ms)} ms`.padEnd(14),
    `answered PENDING ${pending}, 503 ${refused}`.padEnd(30),
    `under way ${underWay}`.padEnd(18),
    `connections ${connections}`.padEnd(18),
    `CPU ${cpuMs.toFixed(1)} ms a charge`.padEnd(24),
    `api ${Math.round(memoryMb.api)} MB, worker ${Math.round(memoryMb.worker)} MB`,
  ].join('')
}

function nameOf({ apis, workers }: LineUp): string {
  return `${apis} api, ${workers} worker`.replace(/(\d+) (\w+)/g, (_, n, word) =>
    n === '1' ? `1 ${word}` : `${n} ${word}s`,
  )
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
