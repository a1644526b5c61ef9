// Detects a worker that no longer works. The orchestrator then replaces the process, so nothing
// counts that would affect every other process too.
//
// A worker is stuck if, for five minutes,
//
//   any worker could have taken a job of one of its queues, and
//   it has begun, advanced or finished no job of that queue,
//
// or if one of its statements waits for an answer that will not come.
//
// The sweep nudges all due work, and the sweep is a job too. So undone work always ends up as a
// waiting job. A worker is not stuck
//
//   in an idle service             nothing waits
//   if other workers are quicker   nothing waits for long
//   with too much to do            it takes one job after another
//   while a queue is paused        an operator wants that
//   while a store is away          a restart would not bring it back
//   if every job fails             the jobs end; the alerts report it
//   in a long round                for half an hour; then its job counts as lost
//   while the process is ending    it takes no more jobs
//   while its clock is off         it may take no jobs, and a restart does not help
//
// A process whose event loop is blocked cannot answer at all, which says the same.

import { isOff } from '../core/clock-skew.ts'
import { MINUTE } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import type { QueueName } from '../queue/catalogue.ts'
import type { JobWorker } from '../queue/engine.ts'
import type { World } from '../world.ts'
import { checkLife, PROBE_WAITS_MS } from './check-readiness.ts'
import { firstIn } from './queue-depths.ts'

export const STUCK_MS = 5 * MINUTE

/** Longer than any round takes, even after a backlog of days. */
export const LONGEST_JOB_MS = 30 * MINUTE

/** The latest movements of a worker on one queue, in milliseconds since 1970. */
interface Movement {
  lastAt: number
  readonly underWay: Map<string, number>
}

export interface Liveness {
  watch(worker: JobWorker): void
  /** Undefined while it works; otherwise the part that is stuck. */
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
      if (world.shutdown.hasBegun) return undefined
      const deaf = checkLife(world)
      if (deaf !== undefined) return deaf
      if (isOff(world.clock.skewMs())) return undefined
      const still = [...movements].filter(([, movement]) => isStill(movement, nowMs()))
      if (still.length === 0) return undefined
      const waiting = Promise.all(still.map(([queue]) => waitsForLong(world, queue)))
      const found = await doneWithin(PROBE_WAITS_MS, waiting).catch(() => [])
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
  // BullMQ reports no end for a job whose lock was lost.
  for (const [id, since] of underWay) if (now - since > LONGEST_JOB_MS) underWay.delete(id)
  return underWay.size === 0 && now - lastAt > STUCK_MS
}

async function waitsForLong(world: World, name: QueueName): Promise<boolean> {
  const queue = world.queues.queue(name)
  if (await queue.isPaused()) return false
  // A worker must move a delayed job out of that state, and perhaps none does.
  const firsts = [await firstIn(queue, 'waiting'), await firstIn(queue, 'delayed')]
  const latest = world.clock.now().getTime() - STUCK_MS
  return firsts.some((since) => since !== undefined && since < latest)
}
