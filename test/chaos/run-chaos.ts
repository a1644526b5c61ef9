// A run: load on real processes, a fault after every few answers, and the audit at the end, when
// everything is mended and no caller waits any more. The seed decides the faults and their order;
// what they hit is up to the machine.

import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { audit } from './audit.ts'
import { ALL_CHECKS } from './audit-checks.ts'
import { startBatches } from './batches.ts'
import { NO_FAULTS, USUAL_FAULTS } from './fault-rates.ts'
import type { ChaosFault } from './faults.ts'
import { type IsolatedProcesses, startIsolatedProcesses } from './isolated-processes.ts'
import { type LiveGateway, makeLiveKey, openLiveGateway } from './live-gateway.ts'
import { type Load, startLoad } from './load.ts'
import { type Random, seeded } from './random.ts'
import type { Recovery } from './recovery.ts'
import { effectsByKind, type FaultEffects } from './recovery-table.ts'
import { isWorkPending, type RunFigures, readRunFigures } from './run-figures.ts'
import { bookSchedules, startSchedules } from './schedules.ts'
import { environmentOf, type Introduced, introduce } from './setting.ts'
import { type Backend, openStores, type Stores } from './stores.ts'
import { type Struck, strikeApart, strikeTogether } from './strike-faults.ts'

export interface ChaosOptions {
  readonly backend: Backend
  readonly seed: number
  readonly faults: readonly ChaosFault[]
  /** Between the requests of a caller. Without a pause they take all the CPU that there is. */
  readonly pauseMs?: number
  /** The gateway of the payments; the sandbox by default. */
  readonly gateway?: 'sandbox' | 'stripe'
  /**
   * The faults of every second round, the first among them, come one by one, each when the one
   * before is over; otherwise they come on top of each other.
   */
  readonly areRecoveriesMeasured?: boolean
  /**
   * Called after every round, which has every fault once; the database may be out of reach then.
   */
  readonly isOver: (
    rounds: number,
    figures: () => Promise<RunFigures>,
  ) => boolean | Promise<boolean>
  readonly say?: (line: string) => void
}

export interface ChaosReport extends RunFigures {
  readonly backend: Backend
  readonly seed: number
  readonly answers: number
  /** Captures, voids and refunds that came too late or too early. */
  readonly refused: number
  /** Requests without an answer, and requests that must be repeated. */
  readonly unanswered: number
  readonly faults: Readonly<Partial<Record<ChaosFault['kind'], number>>>
  /** The duration of the faults that came one by one, by kind. */
  readonly effects: readonly FaultEffects[]
  /** The number of `unanswered` that no fault explains. */
  readonly failuresOutside: number
  /** Processes that found a store away at their start, and ended. */
  readonly gaveUp: number
  /** Processes that ended by themselves after they had run. */
  readonly crashed: number
  /** From the last mending until no work was due any more. */
  readonly recoveryMs: number
  readonly violations: readonly string[]
  /** The log of the processes, if something is wrong. */
  readonly log: string
}

const APIS = 2
const WORKERS = 3
const CALLERS = 6

/** Work that is still due this long after everything was mended is lost. */
const MOST_RECOVERY_MS = 60_000

const LOOK_MS = 100

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-chaos-log-'))
  const log = await open(join(folder, 'log'), 'a')
  const stores = await openStores(options.backend)
  const { gateway, seed } = options
  const live = gateway === 'stripe' ? await openLiveGateway(seeded(seed)) : undefined
  const size = { apis: APIS, workers: WORKERS }
  const more = { seed, faultRates: NO_FAULTS, logFd: log.fd, settings: live?.settings ?? {} }
  const started = await startIsolatedProcesses({ stores, ...size, ...more })
  // The stand-in for Stripe has fault rates of its own.
  const processes = live === undefined ? started : { ...started, setFaultRates: live.setFaultRates }
  try {
    const report = await run(options, stores, processes, live)
    const isWell = report.violations.length === 0 && report.crashed === 0
    return { ...report, log: isWell ? '' : await readFile(join(folder, 'log'), 'utf8') }
  } finally {
    await processes.close()
    await live?.[Symbol.asyncDispose]()
    await stores.close()
    await log.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(
  options: ChaosOptions,
  stores: Stores,
  processes: IsolatedProcesses,
  live: LiveGateway | undefined,
): Promise<ChaosReport> {
  const { backend, seed, pauseMs, say = () => {} } = options
  const random = seeded(seed)
  const caller = await begin(stores, processes, live)
  const load = startLoad({
    ...caller,
    addresses: processes.addresses,
    random,
    callers: CALLERS,
    ...(pauseMs === undefined ? {} : { pauseMs }),
  })
  const hurries = [startBatches(stores.superuserUrl), startSchedules(stores.superuserUrl)]
  say('the load is on')
  const struck = await strikeUntilOver(options, stores, { processes, caller, load, random, say })
  say('all is mended')
  await Promise.all(hurries.map((hurry) => hurry.stop()))
  const recoveryMs = await recover(stores, processes, load)
  const found = await audit(stores.databaseUrl, load.journal, ALL_CHECKS, live?.ledger())
  const { byKind, outside } = effectsByKind(struck.recoveries, struck.windows, load.failures)
  return {
    backend,
    seed,
    ...(await readRunFigures(stores.databaseUrl)),
    answers: load.journal.length,
    refused: load.refused(),
    unanswered: load.failures.length,
    faults: struck.counts,
    effects: byKind,
    failuresOutside: outside,
    gaveUp: processes.gaveUp(),
    crashed: processes.crashed(),
    recoveryMs,
    violations: [...load.strange, ...neverRecovered(struck.recoveries), ...found],
    log: '',
  }
}

async function begin(
  stores: Stores,
  processes: IsolatedProcesses,
  live: LiveGateway | undefined,
): Promise<Introduced> {
  await Promise.all([...processes.apis, ...processes.workers].map((slot) => slot.ready()))
  const key = live && (await makeLiveKey({ ...environmentOf(stores, 0), ...live.settings }))
  const caller = await introduce(processes.addresses[0] ?? '', key, live?.cards)
  await bookSchedules(caller)
  processes.setFaultRates(USUAL_FAULTS)
  return caller
}

interface Running {
  readonly processes: IsolatedProcesses
  readonly caller: Introduced
  readonly load: Load
  readonly random: Random
  readonly say: (line: string) => void
}

/** Causes rounds of faults until the run is over; everything is mended in the end. */
async function strikeUntilOver(
  { backend, faults, areRecoveriesMeasured = false, isOver }: ChaosOptions,
  stores: Stores,
  { load, ...rest }: Running,
): Promise<Struck> {
  const struck: Struck = { counts: {}, recoveries: [], windows: [] }
  const target = { backend, stores, ...rest, next: load.next }
  const here = faults.filter(({ on = backend }) => on === backend)
  const figures = () => readRunFigures(stores.databaseUrl)
  for (let rounds = 0; rounds === 0 || !(await isOver(rounds, figures)); rounds += 1) {
    const isApart = areRecoveriesMeasured && rounds % 2 === 0
    await (isApart ? strikeApart : strikeTogether)(target, here, struck)
  }
  return struck
}

function neverRecovered(recoveries: readonly Recovery[]): readonly string[] {
  return recoveries
    .filter(({ missing }) => missing.length > 0)
    .map(({ name, missing }) => `not recovered from “${name}”: ${missing.join(', ')}`)
}

/** The time until no caller waited and no work was due, or until the run gave up. */
async function recover(stores: Stores, processes: IsolatedProcesses, load: Load): Promise<number> {
  const startedMs = performance.now()
  const leftMs = () => startedMs + MOST_RECOVERY_MS - performance.now()
  processes.setFaultRates(NO_FAULTS)
  await load.settle(leftMs())
  while ((await isWorkPending(stores.databaseUrl)) && leftMs() > 0) await delay(LOOK_MS)
  return Math.round(performance.now() - startedMs)
}
