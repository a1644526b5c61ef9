// Whether a worker still works. Whoever asks ends the process that does not, and starts another: so
// it is asked about nothing that another process would suffer from as well.
//
// A worker is stuck when, for five minutes,
//
//   a job of one of its queues could have been taken by anybody, and
//   it has itself begun, advanced or finished none of that queue,
//
// or when a statement of its own waits for an answer that will not come.
//
// What is owed and due is nudged by the sweep, and the sweep is a job too: so whatever nobody does
// ends up as a job that waits. It is not stuck
//
//   in an idle service               nothing waits
//   where others are quicker       nothing waits for long
//   with more than all can do      it takes one job after another
//   while a queue is paused        a person wants that
//   while a store is away          Redis or the database will not come back by our ending
//   where every job fails          they end; the alerts tell of them
//   in a long round                for half an hour; then its job is taken for lost
//   while the process is ending    it takes nothing more
//   while its clock is off         it may not take anything, and no restart mends that
//
// A process whose event loop stands still cannot even say this, which says it as well.

import { isOff } from '../core/clock-skew.ts'
import { MINUTE, SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import type { QueueName } from '../queue/catalogue.ts'
import type { JobWorker } from '../queue/engine.ts'
import type { World } from '../world.ts'
import { checkLife } from './check-readiness.ts'
import { firstIn } from './queue-depths.ts'

export const STUCK_MS = 5 * MINUTE

/** Longer than any round takes, with a backlog of days before it. */
export const LONGEST_JOB_MS = 30 * MINUTE

/** Of the store, for all the queues. */
const PATIENCE_MS = 2 * SECOND

/** What a worker has done of one queue, in milliseconds since 1970. */
interface Movement {
  lastAt: number
  readonly underWay: Map<string, number>
}

export interface Liveness {
  watch(worker: JobWorker): void
  /** Undefined while it works; else what does not. */
  whatIsStuck(): Promise<string | undefined>
}

export function watchLiveness(world: World): Liveness {
  const movements = new Map<QueueName, Movement>()
  const nowMs = () => world.clock.now().getTime()
  return {
    watch(worker) {
      const movement: Movement = { lastAt: nowMs(), underWay: new Map() }
      movements.set(worker.name as QueueName, movement)
      watchWorker(worker, movement, nowMs)
    },
    async whatIsStuck() {
      if (world.ending.isNear) return undefined
      const deaf = checkLife(world)
      if (deaf !== undefined) return deaf
      if (isOff(world.clock.skewMs())) return undefined
      const still = [...movements].filter(([, movement]) => isStill(movement, nowMs()))
      if (still.length === 0) return undefined
      const waiting = Promise.all(still.map(([queue]) => waitsForLong(world, queue)))
      const found = await doneWithin(PATIENCE_MS, waiting).catch(() => [])
      const stuck = still.flatMap(([queue], at) => (found[at] ? [queue] : []))
      return stuck.length === 0 ? undefined : `nothing is done of: ${stuck.join(', ')}`
    },
  }
}

function watchWorker(worker: JobWorker, movement: Movement, nowMs: () => number): void {
  const moved = () => {
    movement.lastAt = nowMs()
  }
  const ended = (job: { readonly id?: string | undefined } | undefined) => {
    moved()
    movement.underWay.delete(job?.id ?? '')
  }
  worker.on('active', (job) => {
    moved()
    movement.underWay.set(job.id ?? '', nowMs())
  })
  worker.on('progress', moved)
  worker.on('resumed', moved)
  worker.on('completed', ended)
  worker.on('failed', ended)
}

function isStill({ lastAt, underWay }: Movement, now: number): boolean {
  // Of a job whose lock was lost nobody tells that it ended.
  for (const [id, since] of underWay) if (now - since > LONGEST_JOB_MS) underWay.delete(id)
  return underWay.size === 0 && now - lastAt > STUCK_MS
}

async function waitsForLong(world: World, name: QueueName): Promise<boolean> {
  const queue = world.queues.queue(name)
  if (await queue.isPaused()) return false
  // What was put off is taken out of that state by whoever works: nobody may have come by.
  const firsts = [await firstIn(queue, 'waiting'), await firstIn(queue, 'delayed')]
  const latest = world.clock.now().getTime() - STUCK_MS
  return firsts.some((since) => since !== undefined && since < latest)
}
