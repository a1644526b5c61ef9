// Sees to it that a queue whose job comes round by itself has its schedule, and that it runs.

import type { Clock } from '../outside/clock.ts'
import type { Timings } from '../timings.ts'
import type { QueueName } from './catalogue.ts'
import type { JobQueue } from './engine.ts'
import { jobOptions } from './job-options.ts'

export async function keepSchedule(
  queue: JobQueue,
  name: QueueName,
  clock: Clock,
  timings: Timings,
): Promise<void> {
  const every = timings.sweepEveryMs
  const known = await queue.getJobScheduler(name)
  if (known?.every === every && !standsStill(known.next, clock, timings)) return
  const template = { name, data: { items: [] }, opts: jobOptions(name, false) }
  await queue.upsertJobScheduler(name, { every }, template)
}

/**
 * A schedule whose next job was removed waits for it without a word. One whose worker died goes on
 * by itself, when the lock of its job has ended and that was noticed.
 */
function standsStill(next: number | undefined, clock: Clock, timings: Timings): boolean {
  const latest = clock.now().getTime() - timings.sweepEveryMs - 2 * timings.jobLockMs
  return next === undefined || next < latest
}
