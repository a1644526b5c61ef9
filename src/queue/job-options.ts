// Translates the catalogue into BullMQ's options.

import type { JobsOptions, WorkerOptions } from 'bullmq'
import { SECOND } from '../core/time-units.ts'
import type { SharedClock } from '../outside/clock.ts'
import { jobKind, type QueueName } from './catalogue.ts'

/**
 * The part of a wait that may be removed at random, so that jobs that failed together do not return
 * together.
 */
const JITTER = 0.5

/**
 * A job that was lost with its worker finds its rows taken and does nothing, so it may return
 * often.
 */
const MOST_STALLS = 10

export function jobOptions(queue: QueueName, keepsDone: boolean): JobsOptions {
  const kind = jobKind(queue)
  return {
    attempts: kind.tries,
    backoff: { type: 'exponential', delay: kind.firstWaitMs, jitter: JITTER },
    removeOnComplete: keepsDone ? { count: kind.keepDone } : true,
    removeOnFail: { age: kind.keepFailed.ageMs / SECOND, count: kind.keepFailed.most },
  }
}

/**
 * BullMQ ignores a job whose id it still knows, even a finished one. So this job must not be kept.
 */
export function overdueOptions(queue: QueueName, jobId: string): JobsOptions {
  return {
    ...jobOptions(queue, false),
    jobId,
    removeOnFail: true,
  }
}

/** The id of the sweep's nudge of a row: one for each of its due times. */
export function sweepJobId(rowId: string, dueAt: Date): string {
  return `overdue-${rowId}-${dueAt.getTime()}`
}

/** Counted from the database's clock. BullMQ would count from the host's clock. */
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
