// What may happen to the house, all of it in one deck.

import type { Flushed } from '../support/flush-queues.ts'
import { MOODY, SILENT } from './mood.ts'
import type { Processes, Slot } from './processes.ts'
import { pick, type Random } from './random.ts'
import type { Backend, Stores } from './stores.ts'

export interface Stage {
  readonly backend: Backend
  readonly stores: Stores
  readonly processes: Processes
  readonly random: Random
  /** Waits for so many more answers, or for the time. */
  readonly next: (answers: number, mostMs: number) => Promise<void>
}

export interface Fault {
  readonly name: string
  readonly kind: FaultKind
  /** Answers what is to be mended later, where that is not at once. */
  readonly strike: (stage: Stage) => Promise<Mend | undefined>
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

export type Mend = () => Promise<void>

/** Longer than the lease of a row and the lock of a job: others have taken both when it wakes. */
const FREEZE_MS = 3_000

export const DECK: readonly Fault[] = [
  { name: 'kill a worker', kind: 'kill', strike: (stage) => end(aWorker(stage), 'SIGKILL') },
  { name: 'kill a worker', kind: 'kill', strike: (stage) => end(aWorker(stage), 'SIGKILL') },
  { name: 'kill all workers', kind: 'kill', strike: killAllWorkers },
  {
    name: 'kill the intake',
    kind: 'kill',
    strike: ({ processes }) => end(processes.api, 'SIGKILL'),
  },
  { name: 'drain a worker', kind: 'drain', strike: (stage) => end(aWorker(stage), 'SIGTERM') },
  { name: 'freeze a worker', kind: 'freeze', strike: freeze },
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

function aWorker({ processes, random }: Stage): Slot {
  return pick(random, processes.workers)
}

async function end(slot: Slot, signal: 'SIGKILL' | 'SIGTERM'): Promise<undefined> {
  await slot.end(signal)
}

async function killAllWorkers({ processes }: Stage): Promise<undefined> {
  await Promise.all(processes.workers.map((worker) => worker.end('SIGKILL')))
}

async function freeze(stage: Stage): Promise<undefined> {
  const worker = aWorker(stage)
  worker.freeze()
  await stage.next(Number.POSITIVE_INFINITY, FREEZE_MS)
  worker.thaw()
}

async function flush(stores: Stores, what: Flushed): Promise<undefined> {
  await stores.flush(what)
}

async function stopRedis({ stores }: Stage): Promise<Mend | undefined> {
  await stores.stopRedis()
  return () => stores.startRedis()
}

async function restart(stores: Stores, how: 'stop' | 'kill'): Promise<undefined> {
  await stores.stopDatabase(how)
  await stores.startDatabase()
}

async function silence({ processes }: Stage): Promise<Mend> {
  processes.setMood(SILENT)
  return async () => processes.setMood(MOODY)
}
