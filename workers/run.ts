// Runs a queue's jobs: passes each row to its action, logs the result, and turns verdicts into
// BullMQ's terms. Actions know no BullMQ; some start other work, by a nudge.

import { setMaxListeners } from 'node:events'
import { type Job, UnrecoverableError } from 'bullmq'
import { isOff } from '../src/core/clock-skew.ts'
import type { Progress, Report } from '../src/core/progress.ts'
import { SECOND } from '../src/core/time-units.ts'
import { done, type Verdict } from '../src/core/verdict.ts'
import { startDueDeliveries } from '../src/deliveries/start-due-deliveries.ts'
import { jobKind, type QueueName, type RowItem } from '../src/queue/catalogue.ts'
import type { JobProcessor } from '../src/queue/engine.ts'
import type { World } from '../src/world.ts'
import { NOT_OUR_JOB, rowsOfJob } from './rows-of-job.ts'
import { Shares } from './shares.ts'

/** The action on one row. A long one reports its progress. */
type RowAction = (
  world: World,
  item: RowItem,
  signal: AbortSignal,
  report: Report,
) => Promise<Verdict>

/** One round over all rows. Returns how many it found. */
type RoundAction = (world: World) => Promise<number>

/** The worker of a queue that carries rows, and may have a recurring job as well. */
export interface RowWorker {
  readonly action: RowAction
  readonly round?: RoundAction
}

export interface RoundWorker {
  readonly round: RoundAction
}

/** The rows of one job run concurrently: their statements are gathered. */
export function processorOf(
  world: World,
  queue: QueueName,
  worker: RowWorker | RoundWorker,
): JobProcessor {
  const shares = new Shares(jobKind(queue).atOnce)
  return async (job, _token, signal) => {
    const { round } = worker
    const items = 'action' in worker ? rowsOfJob(job.data) : []
    if (items === undefined) throw new UnrecoverableError(NOT_OUR_JOB)
    if (world.queues.isDraining || (await isClockOff(world))) {
      await handBack(world, queue, items)
      return
    }
    // A job that failed waits on purpose before it is tried again.
    if (job.attemptsMade === 0) observeWait(world, queue, job)
    if ('action' in worker && items.length > 0) {
      const { action } = worker
      const report = (progress: Progress) =>
        void job.updateProgress({ ...progress }).catch(() => {})
      await runShares(world, { queue, action, items, shares, signal: signalOf(signal), report })
    } else if (round !== undefined) {
      await runRound(world, queue, round)
    } else {
      throw new UnrecoverableError(NOT_OUR_JOB)
    }
  }
}

function observeWait(
  { clock, metrics }: World,
  queue: QueueName,
  { timestamp, opts: { delay = 0 } }: Job,
): void {
  // Two hosts have two clocks, so the difference can be negative.
  const waitedMs = Math.max(0, clock.now().getTime() - timestamp - delay)
  metrics.jobWaits.observe({ queue }, waitedMs / SECOND)
}

/** The machine may only have paused: then the next reading gives the right time. */
async function isClockOff(world: World): Promise<boolean> {
  if (!isOff(world.clock.skewMs())) return false
  await world.clock.measure().catch(() => {})
  return isOff(world.clock.skewMs())
}

/**
 * For another worker, or for this one once its host's clock is right. This process takes no more
 * jobs; a job that was on its way to it returns to the queue.
 */
async function handBack(world: World, queue: QueueName, items: readonly RowItem[]): Promise<void> {
  world.log.debug({ job: queue, rows: items.length }, 'the job is left to other workers')
  await world.queues.rest()
  if (items.length === 0) await world.queues.ensureRound(queue)
  else for (const item of items) world.queues.nudge(queue, item)
}

/** A job's rows, and what runs them. */
interface RowsJob {
  readonly queue: QueueName
  readonly action: RowAction
  readonly items: readonly RowItem[]
  readonly shares: Shares
  readonly signal: AbortSignal
  readonly report: Report
}

/** Rows of an account beyond its share are put off; other accounts get the free places. */
async function runShares(world: World, job: RowsJob): Promise<void> {
  const { queue, items, shares } = job
  const running = [...byAccount(items)].map(async ([accountId, own]) => {
    if (shares.take(accountId)) {
      const runs = own.map((item) => inSpan(world, queue, item, () => runRow(world, job, item)))
      return Promise.allSettled(runs).finally(() => shares.leave(accountId))
    }
    for (const item of own) shares.putOff(item, (one) => world.queues.nudge(queue, one))
    return []
  })
  throwFailure((await Promise.all(running)).flat())
}

/** A failure lets the whole job be tried again; cancelled rows end it for good. */
function throwFailure(results: readonly PromiseSettledResult<Verdict>[]): void {
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const verdicts = results.flatMap((r) => (r.status === 'fulfilled' ? [r.value] : []))
  const reasons = verdicts.flatMap((verdict) => (verdict.kind === 'cancel' ? [verdict.reason] : []))
  if (reasons.length > 0) throw new UnrecoverableError(reasons.join('; '))
}

function byAccount(items: readonly RowItem[]): ReadonlyMap<string, readonly RowItem[]> {
  const rows = new Map<string, RowItem[]>()
  for (const item of items) {
    const own = rows.get(item.accountId)
    if (own === undefined) rows.set(item.accountId, [item])
    else own.push(item)
  }
  return rows
}

/** Continues the trace of the nudge. */
function inSpan(
  world: World,
  queue: QueueName,
  { accountId: account_id, id, requestId: request_id, trace: parent }: RowItem,
  run: () => Promise<Verdict>,
): Promise<Verdict> {
  const attributes = { job: queue, request_id, account_id, id }
  return world.tracer.span(
    { name: queue, kind: 'consumer', attributes, parent },
    run,
    ({ kind: verdict }) => ({ verdict }),
  )
}

async function runRow(
  world: World,
  { queue, action, signal, report }: RowsJob,
  item: RowItem,
): Promise<Verdict> {
  const startedMs = performance.now()
  const { accountId: account_id, id, requestId: request_id } = item
  const about = { job: queue, request_id, account_id, id }
  try {
    const verdict = await action(world, item, signal, report)
    const ms = elapsed(startedMs)
    world.log.info({ ...about, verdict: logged(verdict), ms }, `${queue} ${verdict.kind}`)
    follow(world, queue, item, verdict)
    startDueDeliveries(world, item.accountId)
    measure(world, queue, verdict.kind, startedMs)
    return verdict
  } catch (err) {
    measure(world, queue, 'failed', startedMs)
    world.log.error({ ...about, err, ms: elapsed(startedMs) }, `${queue} failed`)
    throw err
  }
}

/** Without the answer to the caller, since no customer is named in the log. */
function logged(verdict: Verdict): Verdict {
  return verdict.kind === 'done' ? done : verdict
}

/**
 * Nudges the row again when its action has put it off, and wakes the caller that waits for it. The
 * caller decides whether to wait on.
 */
function follow(world: World, queue: QueueName, item: RowItem, verdict: Verdict): void {
  if (verdict.kind === 'snooze') world.queues.nudgeAt(verdict.work ?? queue, item, verdict.until)
  const answer = verdict.kind === 'done' ? verdict.answer : undefined
  if (item.replyTo !== undefined) world.queues.replies.reply(item.replyTo, item.id, answer)
}

async function runRound(world: World, queue: QueueName, round: RoundAction): Promise<void> {
  const startedMs = performance.now()
  const found = await round(world).catch((err) => {
    measure(world, queue, 'failed', startedMs)
    world.outages.report(`${queue} failed`, { err })
    throw err
  })
  measure(world, queue, 'done', startedMs)
  world.log[found > 0 ? 'info' : 'debug'](
    { job: queue, found, ms: elapsed(startedMs) },
    `${queue} done`,
  )
}

function measure(
  { metrics }: World,
  queue: QueueName,
  result: Verdict['kind'] | 'failed',
  startedMs: number,
): void {
  metrics.jobs.observe({ queue, result }, (performance.now() - startedMs) / SECOND)
}

function elapsed(startedMs: number): number {
  return Math.round(performance.now() - startedMs)
}

/** Aborted when the job's lock is lost, because another worker may have the job by now. */
function signalOf(signal = new AbortController().signal): AbortSignal {
  setMaxListeners(0, signal) // every row of the job listens to it
  return signal
}
