// A run: load on real processes, a fault after every few answers, and at the end, when all is
// mended and nobody waits any more, the audit. The seed decides which fault comes when; what it
// hits is up to the machine.

import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { migrate } from '../../src/db/migrate.ts'
import { migrateQueues } from '../../src/queue/migrate-queues.ts'
import { audit } from './audit.ts'
import { ALL_CHECKS } from './audit-checks.ts'
import { startBatches } from './batches.ts'
import { type Books, isAnythingOwed, readBooks } from './books.ts'
import { DECK, type FaultKind, type Mend, type Stage } from './faults.ts'
import { freePort } from './gate.ts'
import { type Load, startLoad } from './load.ts'
import { MOODY, WELL } from './mood.ts'
import { type Processes, startProcesses } from './processes.ts'
import { between, type Random, seeded, shuffled } from './random.ts'
import { bookSchedules, startSchedules } from './schedules.ts'
import { environmentOf, introduce } from './setting.ts'
import { type Backend, openStores, type Stores } from './stores.ts'

export interface ChaosWishes {
  readonly backend: Backend
  readonly seed: number
  /** Asked after every deck, which holds every fault once. */
  readonly isOver: (decks: number) => boolean
  readonly say?: (line: string) => void
}

export interface ChaosReport extends Books {
  readonly backend: Backend
  readonly seed: number
  readonly answers: number
  /** Captures, voids and refunds that came too late, or too early. */
  readonly refused: number
  readonly unanswered: number
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>
  /** Processes that found a store away when they began, and ended. */
  readonly gaveUp: number
  /** Processes that ran, and ended though nobody ended them. */
  readonly crashed: number
  /** From the last mending until nothing was owed any more. */
  readonly recoveryMs: number
  readonly violations: readonly string[]
  /** What the processes logged, where something is wrong. */
  readonly log: string
}

const WORKERS = 2
const CALLERS = 6

/** Calm between two faults, in answers; while none come, in time. */
const FEWEST_ANSWERS = 5
const MOST_ANSWERS = 40
const MOST_CALM_MS = 2_500

/** An outage lasts while so many further faults come on top of it. */
const MEND_AFTER_FAULTS = 2

/** Whatever is still owed this long after all was mended is lost. */
const MOST_RECOVERY_MS = 60_000

const LOOK_MS = 100

export async function runChaos(wishes: ChaosWishes): Promise<ChaosReport> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-chaos-log-'))
  const log = await open(join(folder, 'log'), 'a')
  const stores = await openStores(wishes.backend)
  const port = await freePort()
  await migrate(stores.databaseUrl)
  await migrateQueues(stores.databaseUrl)
  const processes = startProcesses({
    environment: environmentOf(stores, port),
    workers: WORKERS,
    seed: wishes.seed,
    mood: WELL,
    logFd: log.fd,
  })
  try {
    const report = await run(wishes, stores, processes, `http://127.0.0.1:${port}`)
    const isWell = report.violations.length === 0 && report.crashed === 0
    return { ...report, log: isWell ? '' : await readFile(join(folder, 'log'), 'utf8') }
  } finally {
    await processes.close()
    await stores.close()
    await log.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(
  { backend, seed, isOver, say = () => {} }: ChaosWishes,
  stores: Stores,
  processes: Processes,
  address: string,
): Promise<ChaosReport> {
  const random = seeded(seed)
  const load = await begin(processes, address, random)
  const hurries = [startBatches(stores.databaseUrl), startSchedules(stores.databaseUrl)]
  say('the load is on')
  const stage = { backend, stores, processes, random, next: load.next }
  const faults = await conduct(stage, isOver, say)
  say('all is mended')
  await Promise.all(hurries.map((hurry) => hurry.stop()))
  const recoveryMs = await recover(stores, processes, load)
  const found = await audit(stores.databaseUrl, load.journal, ALL_CHECKS)
  return {
    backend,
    seed,
    ...(await readBooks(stores.databaseUrl)),
    answers: load.journal.length,
    refused: load.refused(),
    unanswered: load.unanswered(),
    faults,
    gaveUp: processes.gaveUp(),
    crashed: processes.crashed(),
    recoveryMs,
    violations: [...load.strange, ...found],
    log: '',
  }
}

async function begin(processes: Processes, address: string, random: Random): Promise<Load> {
  await Promise.all([processes.api, ...processes.workers].map((slot) => slot.ready()))
  const caller = await introduce(address)
  await bookSchedules(caller)
  processes.setMood(MOODY)
  return startLoad({ ...caller, random, callers: CALLERS })
}

/** Decks of faults until it is over; everything is mended in the end. */
async function conduct(
  stage: Stage,
  isOver: ChaosWishes['isOver'],
  say: (line: string) => void,
): Promise<ChaosReport['faults']> {
  const counts: Partial<Record<FaultKind, number>> = {}
  const outages: Outage[] = []
  let struck = 0
  for (let decks = 0; decks === 0 || !isOver(decks); decks += 1) {
    const deck = DECK.filter(({ on = stage.backend }) => on === stage.backend)
    for (const { name, kind, strike } of shuffled(stage.random, deck)) {
      await stage.next(between(stage.random, FEWEST_ANSWERS, MOST_ANSWERS), MOST_CALM_MS)
      say(name)
      const mend = await strike(stage)
      struck += 1
      counts[kind] = (counts[kind] ?? 0) + 1
      if (mend !== undefined) outages.push({ until: struck + MEND_AFTER_FAULTS, mend })
      for (const outage of outages) if (outage.until === struck) await outage.mend()
    }
  }
  await stage.next(MOST_ANSWERS, MOST_CALM_MS)
  for (const { until, mend } of outages) if (until > struck) await mend()
  return counts
}

interface Outage {
  /** The fault after which it is mended. */
  readonly until: number
  readonly mend: Mend
}

/** How long it took until nobody waited and nothing was owed, or until that was given up. */
async function recover(stores: Stores, processes: Processes, load: Load): Promise<number> {
  const startedMs = performance.now()
  const leftMs = () => startedMs + MOST_RECOVERY_MS - performance.now()
  processes.setMood(WELL)
  await load.settle(leftMs())
  while ((await isAnythingOwed(stores.databaseUrl)) && leftMs() > 0) await delay(LOOK_MS)
  return Math.round(performance.now() - startedMs)
}
