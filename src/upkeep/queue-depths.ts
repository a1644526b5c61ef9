// How much waits in each queue, and for how long, as its store tells it.

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
  /** Null where none waits. */
  readonly oldestWaitingMs: number | null
}

/** All of it takes milliseconds; a store that is away must not keep whoever looks. */
const PATIENCE_MS = 2 * SECOND

/**
 * What waits in a queue that somebody has paused waits none the less. PostgreSQL has a word of its
 * own for it, which the types leave out.
 */
const STATES = [
  'waiting',
  'paused',
  'active',
  'delayed',
  'failed',
] as readonly string[] as JobType[]

/** Throws while the store is away, or too slow to be asked. */
export function queueDepths(world: World): Promise<readonly QueueDepth[]> {
  return doneWithin(PATIENCE_MS, depthsOf(world))
}

/** One after another, so that whoever looks takes one connection from those who work. */
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

/** Since when the first of them could have been taken, or from when on; undefined without any. */
export async function firstIn(
  queue: JobQueue,
  state: 'waiting' | 'delayed',
): Promise<number | undefined> {
  const [job] = await queue.getJobs([state], 0, 0, true)
  if (job === undefined) return undefined
  // One that was put off counts from when it is due; one that failed, from then.
  const delayMs = Math.max(job.delay, job.opts.delay ?? 0)
  return Math.max(job.timestamp + delayMs, job.processedOn ?? 0)
}
