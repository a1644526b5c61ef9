// Runs a queue's jobs: hands each row to its action, says in the log what came of it, and turns
// verdicts into BullMQ's words. No action knows that there is a queue.

import { setMaxListeners } from 'node:events'
import { type Job, UnrecoverableError } from 'bullmq'
import type { Verdict } from '../src/core/verdict.ts'
import type { JobData, QueueName, RowItem } from '../src/queue/catalogue.ts'
import type { JobProcessor } from '../src/queue/engine.ts'
import type { World } from '../src/world.ts'

/** What is done with one row. */
export type RowAction = (world: World, item: RowItem, signal: AbortSignal) => Promise<Verdict>

/** One pass over all rows; answers how many it found. */
export type PassAction = (world: World) => Promise<number>

export type WorkerSpec =
  | { readonly carries: 'rows'; readonly action: RowAction }
  | { readonly carries: 'nothing'; readonly action: PassAction }

/** Rows of one job run beside each other: their statements are gathered. */
export function processorOf(world: World, queue: QueueName, spec: WorkerSpec): JobProcessor {
  switch (spec.carries) {
    case 'rows':
      return (job, _token, signal) => runRows(world, queue, spec.action, job, signalOf(signal))
    case 'nothing':
      return () => runPass(world, queue, spec.action)
  }
}

async function runRows(
  world: World,
  queue: QueueName,
  action: RowAction,
  job: Job<JobData>,
  signal: AbortSignal,
): Promise<void> {
  const { items } = job.data
  const results = await Promise.allSettled(
    items.map((item) => runRow(world, queue, action, item, signal)),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const verdicts = results.flatMap((r) => (r.status === 'fulfilled' ? [r.value] : []))
  const reasons = verdicts.flatMap((verdict) => (verdict.kind === 'cancel' ? [verdict.reason] : []))
  if (reasons.length > 0) throw new UnrecoverableError(reasons.join('; '))
}

async function runRow(
  world: World,
  queue: QueueName,
  action: RowAction,
  item: RowItem,
  signal: AbortSignal,
): Promise<Verdict> {
  const startedMs = performance.now()
  const about = {
    job: queue,
    request_id: item.requestId,
    account_id: item.accountId,
    id: item.id,
  }
  try {
    const verdict = await action(world, item, signal)
    world.log.info({ ...about, verdict, ms: elapsed(startedMs) }, `${queue} ${verdict.kind}`)
    follow(world, item, verdict)
    return verdict
  } catch (err) {
    world.log.error({ ...about, err, ms: elapsed(startedMs) }, `${queue} failed`)
    throw err
  }
}

/** Who waits is told when it is finished, and asked to be patient by nobody when it is not. */
function follow(world: World, item: RowItem, verdict: Verdict): void {
  switch (verdict.kind) {
    case 'done':
    case 'cancel':
      if (item.replyTo !== undefined) world.queues.replies.tell(item.replyTo, item.id)
      break
    case 'snooze':
      world.queues.nudgeAt(verdict.owed, item, verdict.until)
      break
  }
}

async function runPass(world: World, queue: QueueName, action: PassAction): Promise<void> {
  const startedMs = performance.now()
  const found = await action(world)
  world.log[found > 0 ? 'info' : 'debug'](
    { job: queue, found, ms: elapsed(startedMs) },
    `${queue} done`,
  )
}

function elapsed(startedMs: number): number {
  return Math.round(performance.now() - startedMs)
}

/** Aborted when the job's lock was lost: somebody else has it by now. */
function signalOf(signal = new AbortController().signal): AbortSignal {
  setMaxListeners(0, signal) // every row of the job listens to it
  return signal
}
