// The catalogue in BullMQ's words.

import type { JobsOptions, KeepJobs, WorkerOptions } from 'bullmq'
import { SECOND } from '../core/time-units.ts'
import type { SharedClock } from '../outside/clock.ts'
import { type JobKind, jobKind, type QueueName } from './catalogue.ts'

/**
 * How much of a wait may be taken off at random, so that jobs that failed together come back apart.
 */
const JITTER = 0.5

/**
 * A job that comes back from the dead finds its rows taken, and does nothing: it may do so as often
 * as it likes.
 */
const MOST_STALLS = 10

export function jobOptions(queue: QueueName, keepsDone: boolean): JobsOptions {
  const kind = jobKind(queue)
  return {
    attempts: kind.tries,
    backoff: { type: 'exponential', delay: kind.firstWaitMs, jitter: JITTER },
    removeOnComplete: keepsDone ? keepJobs(kind.keepDone) : true,
    removeOnFail: keepJobs(kind.keepFailed),
  }
}

/**
 * BullMQ ignores a job whose id it still knows, finished ones included: so this one must leave
 * nothing behind.
 */
export function overdueOptions(queue: QueueName, jobId: string): JobsOptions {
  return {
    ...jobOptions(queue, false),
    jobId,
    removeOnFail: true,
  }
}

/** Of the nudge that the sweep gives a row: one for each time that it is due. */
export function sweepJobId(rowId: string, dueAt: Date): string {
  return `overdue-${rowId}-${dueAt.getTime()}`
}

/** From the database's time on, and not the host's, from which BullMQ counts else. */
export function delayUntil(at: Date, clock: SharedClock): JobsOptions {
  const delay = Math.max(0, at.getTime() - clock.now().getTime())
  return { timestamp: clock.databaseNow().getTime(), delay }
}

export function workerOptions(queue: QueueName, lockMs: number): Omit<WorkerOptions, 'connection'> {
  const { atOnce } = jobKind(queue)
  return {
    concurrency: atOnce,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: MOST_STALLS,
  }
}

export function chunks<T>(all: readonly T[], most: number): readonly (readonly T[])[] {
  const parts: T[][] = []
  for (let i = 0; i < all.length; i += most) parts.push(all.slice(i, i + most))
  return parts
}

function keepJobs(keep: JobKind['keepDone']): KeepJobs {
  return { age: keep.ageMs / SECOND, count: keep.most }
}
