// How long a fault is felt: from its mending, or from the strike where nothing is mended, until all
// of this is so again:
//
//   each API server  answers a charge of now with its outcome
//   every worker     finishes rows of `charge` and of `refund`
//   the sweep        is made, by whichever worker
//   all payments     none has been due for longer than it takes to notice it

import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { QueueName } from '../../src/queue/catalogue.ts'
import type { FaultKind } from './faults.ts'
import type { IsolatedProcesses } from './isolated-processes.ts'
import { chargeWithin } from './probe.ts'
import type { Slot } from './processes.ts'
import type { Introduced } from './setting.ts'
import type { Stores } from './stores.ts'

export interface Recovery {
  readonly kind: FaultKind
  readonly name: string
  /** All of them in the time of `performance.now()`. */
  readonly struckMs: number
  readonly mendedMs: number
  /** Infinity if it was not within the time. */
  readonly recoveredMs: number
  /** The conditions that were not met again within the time. */
  readonly missing: readonly string[]
}

export interface Recovering {
  readonly stores: Stores
  readonly processes: IsolatedProcesses
  readonly caller: Introduced
  readonly mostMs: number
}

/** The longest answer that satisfies a caller: the service's own wait, and some more. */
const ANSWER_MS = 3_000

/** More than the lease of a row that a dead worker has, and the sweep after it. */
const NOTICED_MS = 4_000

const LOOK_MS = 100

const OVERDUE = `SELECT EXISTS (SELECT FROM transaction WHERE due_at < $1) AS is_overdue`

export interface Recovered {
  /** In the time of `performance.now()`; Infinity if a condition is missing. */
  readonly atMs: number
  /** The conditions that were not met again within the time. */
  readonly missing: readonly string[]
}

type IsSo = () => Promise<boolean>

export async function recovered({
  stores,
  processes,
  caller,
  mostMs,
}: Recovering): Promise<Recovered> {
  const untilMs = performance.now() + mostMs
  const all: readonly (readonly [string, IsSo])[] = [
    ...processes.addresses.map((address, i) => {
      return [`api ${i + 1} answers`, isAnswered({ ...caller, address })] as const
    }),
    ...processes.workers.map((one) => {
      return [`${one.name} makes payments`, areDoneAgain(one, ['charge', 'refund'])] as const
    }),
    ['the sweep', isAny(processes.workers.map((one) => areDoneAgain(one, ['sweep'])))],
    ['no payment is overdue', () => isUpToDate(stores)],
  ]
  const when = await Promise.all(all.map(([, isSo]) => whenSo(isSo, untilMs)))
  const missing = all.filter((_, i) => when[i] === Number.POSITIVE_INFINITY)
  return { atMs: Math.max(...when), missing: missing.map(([what]) => what) }
}

async function whenSo(isSo: IsSo, untilMs: number): Promise<number> {
  while (performance.now() < untilMs) {
    if (await isSo()) return performance.now()
    await delay(LOOK_MS)
  }
  return Number.POSITIVE_INFINITY
}

function isAnswered(caller: Introduced): IsSo {
  return async () => (await chargeWithin(caller, ANSWER_MS)) !== undefined
}

function isAny(all: readonly IsSo[]): IsSo {
  return async () => (await Promise.all(all.map((isSo) => isSo()))).includes(true)
}

function areDoneAgain(worker: Slot, queues: readonly QueueName[]): IsSo {
  const [pid, before] = [worker.pid(), worker.done()]
  return async () => {
    const since = worker.pid() === pid ? before : {}
    const now = worker.done()
    return queues.every((queue) => (now[queue] ?? 0) > (since[queue] ?? 0))
  }
}

async function isUpToDate({ databaseUrl }: Stores): Promise<boolean> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {}) // The query reports it as well.
  try {
    await client.connect()
    const { rows } = await client.query(OVERDUE, [new Date(Date.now() - NOTICED_MS)])
    return !rows[0].is_overdue
  } catch {
    return false
  } finally {
    client.end().catch(() => {})
  }
}
