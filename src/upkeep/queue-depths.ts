// The number of waiting jobs in each queue, and how long the oldest has waited.

import type { JobType } from 'bullmq'
import { SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import { QUEUE_NAMES, type QueueName } from '../queue/catalogue.ts'
import type { JobQueue } from '../queue/engine.ts'
import type { World } from '../world.ts'

export interface QueueDepth {
  readonly queue: QueueName
  readonly waiting: number
  readonly active: number
  readonly delayed: number
  readonly failed: number
  /** Null if none waits. */
  readonly oldestWaitingMs: number | null
}

/** All of it takes milliseconds. A store that is away must not block the caller. */
const PATIENCE_MS = 2 * SECOND

/**
 * Jobs of a paused queue count as waiting. PostgreSQL has a state of its own for them, which the
 * types leave out.
 */
const STATES = [
  'waiting',
  'paused',
  'active',
  'delayed',
  'failed',
] as readonly string[] as JobType[]

/** Throws if the store is away or too slow. */
export function queueDepths(world: World): Promise<readonly QueueDepth[]> {
  return doneWithin(PATIENCE_MS, depthsOf(world))
}

/** One queue after another, so that it takes only one connection from the workers. */
async function depthsOf(world: World): Promise<readonly QueueDepth[]> {
  const depths: QueueDepth[] = []
  for (const name of QUEUE_NAMES) depths.push(await depthOf(world, name))
  return depths
}

async function depthOf(world: World, name: QueueName): Promise<QueueDepth> {
  const queue = world.queues.queue(name)
  const counts = await queue.getJobCounts(...STATES)
  const { paused = 0, active = 0, delayed = 0, failed = 0 } = counts
  const waiting = (counts.waiting ?? 0) + paused
  const since = waiting > 0 ? await firstIn(queue, 'waiting') : undefined
  const waitsMs = since === undefined ? null : Math.max(0, world.clock.now().getTime() - since)
  return { queue: name, waiting, active, delayed, failed, oldestWaitingMs: waitsMs }
}

/** Since when, or from when, the first job could be taken. Undefined if there is none. */
export async function firstIn(
  queue: JobQueue,
  state: 'waiting' | 'delayed',
): Promise<number | undefined> {
  const [job] = await queue.getJobs([state], 0, 0, true)
  if (job === undefined) return undefined
  // A delayed job counts from its due time, and so does one that failed and waits for its retry.
  const delayMs = Math.max(job.delay, job.opts.delay ?? 0)
  return Math.max(job.timestamp + delayMs, job.processedOn ?? 0)
}
