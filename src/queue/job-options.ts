// Translates the catalogue into BullMQ's options.

import { createHash } from 'node:crypto'
import type { JobsOptions, WorkerOptions } from 'bullmq'
import { DAY, SECOND } from '../core/time-units.ts'
import type { SharedClock } from '../outside/clock.ts'
import { jobKind, type QueueName, type RowItem } from './catalogue.ts'

/**
 * Retries of a job are for failures on our side. If the gateway leaves a payment open, the row's
 * own due time brings it back.
 */
const TRIES = 5

/** The wait before the second try. It doubles after each try. */
const FIRST_WAIT_MS = SECOND

/** Enough to see recent jobs on the board; the rows are the record. */
const KEEP_DONE = { count: 100 }

/** From a Friday evening to the end of the week after. */
const KEEP_FAILED = { age: (14 * DAY) / SECOND, count: 10_000 }

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
  const { tries = TRIES } = jobKind(queue)
  return {
    attempts: tries,
    backoff: { type: 'exponential', delay: FIRST_WAIT_MS, jitter: JITTER },
    removeOnComplete: keepsDone ? KEEP_DONE : true,
    removeOnFail: KEEP_FAILED,
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

export interface OverdueRow extends RowItem {
  readonly dueAt: Date
}

/**
 * The id of the sweep's nudge of exactly these rows at these due times. A job that is stuck in a
 * dead worker keeps no other row waiting.
 */
export function overdueJobId(rows: readonly OverdueRow[]): string {
  const text = rows.map(({ id, dueAt }) => `${id} ${dueAt.getTime()}`).join()
  return `overdue-${createHash('sha256').update(text).digest('base64url')}`
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
