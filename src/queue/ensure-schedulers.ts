// Ensures that a queue with a recurring job has its schedulers, and that they run. They only start
// rounds: the rows say what is due. So a scheduler that fires late, twice or never does no harm.

import type { ErrorCode } from 'bullmq'
import type { Cutoff } from '../core/business-day.ts'
import { doAll } from '../core/do-all.ts'
import { HOUR, MINUTE, SECOND } from '../core/time-units.ts'
import { isZone } from '../core/wall-clock.ts'
import type { SharedClock } from '../outside/clock.ts'
import type { Timings } from '../timings.ts'
import { jobKind, type QueueName } from './catalogue.ts'
import type { JobQueue } from './engine.ts'
import { jobOptions } from './job-options.ts'

type Repeat = { readonly every: number } | { readonly pattern: string; readonly tz: string }

/** Another worker's clock may be a little ahead of ours. */
const SLACK_MS = 5 * SECOND

export async function ensureSchedulers(
  queue: JobQueue,
  name: QueueName,
  cutoffs: readonly Cutoff[],
  clock: SharedClock,
  timings: Timings,
): Promise<void> {
  const wanted = schedulersOf(name, cutoffs, timings)
  const known = await queue.getJobSchedulers()
  for (const one of known) {
    if (!wanted.has(one.key) || isFarAhead(one, clock)) await queue.removeJobScheduler(one.key)
  }
  const template = { name, data: { items: [] }, opts: jobOptions(name, false) }
  const ensure = async ([key, repeat]: readonly [string, Repeat]) => {
    const found = known.find((one) => one.key === key)
    const runs =
      found !== undefined &&
      isSame(found, repeat) &&
      !isFarAhead(found, clock) &&
      !standsStill(found, clock, timings)
    if (runs) return
    refuseUnknownZone(repeat)
    await queue.upsertJobScheduler(key, repeat, template).catch(unlessJustKept)
  }
  await doAll([...wanted].map((one) => () => ensure(one)))
}

/** BullMQ would refuse it without naming it. An account's zone may be newer than this Node.js. */
function refuseUnknownZone(repeat: Repeat): void {
  if (!('tz' in repeat) || isZone(repeat.tz)) return
  throw new Error(`this Node.js does not know the time zone ${repeat.tz}: update it`)
}

/**
 * Another process has added the next job in this moment. What still stands is seen next time. The
 * numbers stand here because most commands need nothing of BullMQ and do not load it.
 */
const JUST_KEPT: ReadonlySet<unknown> = new Set([
  -10 satisfies ErrorCode.SchedulerJobIdCollision,
  -11 satisfies ErrorCode.SchedulerJobSlotsBusy,
])

function unlessJustKept(error: Error): void {
  if (!('code' in error && JUST_KEPT.has(error.code))) throw error
}

/**
 * The schedulers, by name. The names contain no colon, because BullMQ reserves it, and no slash,
 * because the board puts them into addresses.
 */
function schedulersOf(
  name: QueueName,
  cutoffs: readonly Cutoff[],
  timings: Timings,
): ReadonlyMap<string, Repeat> {
  const { repeats } = jobKind(name)
  if (repeats === undefined) return new Map()
  switch (repeats) {
    case 'each sweep':
      return new Map([[name, { every: timings.sweepEveryMs }]])
    case 'each minute':
      return new Map([[name, { every: MINUTE }]])
    case 'each hour':
      return new Map([[name, { every: HOUR }]])
    case 'at the cutoffs':
      return new Map(cutoffs.map((cutoff) => [schedulerName(cutoff), dailyAt(cutoff)]))
  }
}

function schedulerName({ time, zone }: Cutoff): string {
  return `${time.replace(':', '.')} ${zone.replaceAll('/', ' ')}`
}

function dailyAt({ time, zone }: Cutoff): Repeat {
  const [hour, minute] = time.split(':').map(Number)
  return { pattern: `${minute} ${hour} * * *`, tz: zone }
}

interface Found {
  readonly every?: number | undefined
  readonly pattern?: string | undefined
  readonly tz?: string | undefined
  readonly next?: number | undefined
}

function isSame(found: Found, repeat: Repeat): boolean {
  if ('every' in repeat) return found.every === repeat.every
  return found.pattern === repeat.pattern && found.tz === repeat.tz
}

/**
 * A scheduler whose next job was removed waits for it silently. One whose worker died continues
 * once the lock of its job has ended and BullMQ has noticed it.
 */
function standsStill({ next, every = 0 }: Found, clock: SharedClock, timings: Timings): boolean {
  const latest = clock.databaseNow().getTime() - every - 2 * timings.jobLockMs
  return next === undefined || next < latest
}

/**
 * A worker whose host is an hour ahead delays the next job by that hour before this is noticed. The
 * scheduler is removed with that job, because a new job would count from it.
 */
function isFarAhead({ next = 0, every }: Found, clock: SharedClock): boolean {
  return every !== undefined && next > clock.databaseNow().getTime() + every + SLACK_MS
}
