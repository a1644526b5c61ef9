// The faults of a run. A fault that its strike does not end is mended later, and other faults may
// come on top of it until then.

import type { Flushed } from '../support/flush-queues.ts'
import { demote, promoteAfterKill, readOnly } from './database-faults.ts'
import { NO_ANSWERS, USUAL_FAULTS } from './fault-rates.ts'
import type { IsolatedProcesses } from './isolated-processes.ts'
import { CUTS, SILENCES, SLOWNESS } from './link-faults.ts'
import type { Slot } from './processes.ts'
import { pick, type Random } from './random.ts'
import type { Backend, Stores } from './stores.ts'

export interface FaultTarget {
  readonly backend: Backend
  readonly stores: Stores
  readonly processes: IsolatedProcesses
  readonly random: Random
  /** Waits for this many more answers, or for the time. */
  readonly next: (answers: number, mostMs: number) => Promise<void>
}

export interface ChaosFault {
  readonly name: string
  readonly kind: FaultKind
  /** Strikes; answers how to mend it later, unless it is over at once. */
  readonly strike: (target: FaultTarget) => Promise<Mend | undefined>
  readonly on?: Backend
}

export type FaultKind =
  | 'kill'
  | 'drain'
  | 'freeze'
  | 'flush'
  | 'Redis outage'
  | 'database restart'
  | 'silence'
  | 'half-open PostgreSQL'
  | 'half-open Redis'
  | 'cut links'
  | 'slow links'
  | 'wrong clock'
  | 'read-only database'
  | 'demotion'
  | 'promotion'

export type Mend = () => Promise<void>

/** Longer than the lease of a row and the lock of a job: others have taken both when it resumes. */
const FREEZE_MS = 3_000

const HOUR = 3_600_000

/** How long a fault lasts before it is mended, if no other comes on top of it. */
export const HOLD_MS = 8_000

/** The faults of each kill test. */
export const FEW_FAULTS: readonly ChaosFault[] = [
  { name: 'kill a worker', kind: 'kill', strike: (target) => end(aWorker(target), 'SIGKILL') },
  { name: 'kill a worker', kind: 'kill', strike: (target) => end(aWorker(target), 'SIGKILL') },
  { name: 'kill all workers', kind: 'kill', strike: killAllWorkers },
  { name: 'kill an API server', kind: 'kill', strike: (target) => end(anApi(target), 'SIGKILL') },
  { name: 'drain a worker', kind: 'drain', strike: (target) => end(aWorker(target), 'SIGTERM') },
  {
    name: 'freeze a worker',
    kind: 'freeze',
    strike: (target) => freeze(target, [aWorker(target)]),
  },
  { name: 'flush the queues', kind: 'flush', strike: ({ stores }) => flush(stores, 'everything') },
  { name: 'remove all jobs', kind: 'flush', strike: ({ stores }) => flush(stores, 'jobs') },
  { name: 'stop Redis', kind: 'Redis outage', on: 'redis', strike: stopRedis },
  {
    name: 'restart PostgreSQL',
    kind: 'database restart',
    strike: ({ stores }) => restart(stores, 'stop'),
  },
  {
    name: 'kill PostgreSQL',
    kind: 'database restart',
    strike: ({ stores }) => restart(stores, 'kill'),
  },
  { name: 'silence the gateway', kind: 'silence', strike: silence },
]

/** The faults of `npm run chaos`. */
export const ALL_FAULTS: readonly ChaosFault[] = [
  ...FEW_FAULTS,
  {
    name: 'freeze an API server',
    kind: 'freeze',
    strike: (target) => freeze(target, [anApi(target)]),
  },
  { name: 'freeze all processes', kind: 'freeze', strike: freezeAll },
  ...SILENCES,
  ...CUTS,
  ...SLOWNESS,
  ...[HOUR, -HOUR, 4 * HOUR, -4 * HOUR].map((byMs): ChaosFault => {
    const hours = `${Math.abs(byMs) / HOUR} h ${byMs > 0 ? 'fast' : 'slow'}`
    return { name: `a clock is ${hours}`, kind: 'wrong clock', strike: (at) => shift(at, byMs) }
  }),
  { name: 'the database is read-only', kind: 'read-only database', strike: readOnly },
  { name: 'the primary dies, a standby follows', kind: 'promotion', strike: promoteAfterKill },
  { name: 'the primary becomes a standby', kind: 'demotion', strike: demote },
]

function aWorker({ processes, random }: FaultTarget): Slot {
  return pick(random, processes.workers)
}

function anApi({ processes, random }: FaultTarget): Slot {
  return pick(random, processes.apis)
}

async function end(slot: Slot, signal: 'SIGKILL' | 'SIGTERM'): Promise<undefined> {
  await slot.end(signal)
}

async function killAllWorkers({ processes }: FaultTarget): Promise<undefined> {
  await Promise.all(processes.workers.map((worker) => worker.end('SIGKILL')))
}

async function freeze({ next }: FaultTarget, slots: readonly Slot[]): Promise<undefined> {
  for (const slot of slots) slot.freeze()
  await next(Number.POSITIVE_INFINITY, FREEZE_MS)
  for (const slot of slots) slot.thaw()
}

/** As on a machine that was suspended: everybody's leases and locks have run out meanwhile. */
function freezeAll(target: FaultTarget): Promise<undefined> {
  const { apis, workers } = target.processes
  return freeze(target, [...apis, ...workers])
}

async function flush(stores: Stores, what: Flushed): Promise<undefined> {
  await stores.flush(what)
}

async function stopRedis({ stores }: FaultTarget): Promise<Mend | undefined> {
  await stores.stopRedis()
  return () => stores.startRedis()
}

async function restart(stores: Stores, how: 'stop' | 'kill'): Promise<undefined> {
  await stores.stopDatabase(how)
  await stores.startDatabase()
}

async function silence({ processes }: FaultTarget): Promise<Mend> {
  processes.setFaultRates(NO_ANSWERS)
  return async () => processes.setFaultRates(USUAL_FAULTS)
}

async function shift({ processes, random }: FaultTarget, byMs: number): Promise<Mend> {
  const clock = processes.clockOf(pick(random, [...processes.apis, ...processes.workers]))
  await clock.shift(byMs)
  return () => clock.shift(0)
}
