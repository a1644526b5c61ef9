// What the doctor looks at of the queues: whether their store answers, whether what waits in them
// is taken, and whether what comes round does.

import { MINUTE, SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import type { ProcessPulse } from '../generated/client.ts'
import { jobKind, QUEUE_NAMES, type QueueName } from '../queue/catalogue.ts'
import { UnfitStore } from '../queue/engine.ts'
import type { World } from '../world.ts'
import { examineStore } from './examine-store.ts'
import { bad, type Fault, type Finding, findingsOf, odd } from './finding.ts'
import { listProcesses } from './list-processes.ts'
import { type QueueDepth, queueDepths } from './queue-depths.ts'
import { counted, lapse } from './words.ts'

/** How long the queue store may take to answer a question of ours. */
const PROBE_MS = 5 * SECOND

/** Jobs are picked up within milliseconds. */
const LONGEST_WAIT_MS = MINUTE

export async function examineQueues(world: World): Promise<readonly Finding[]> {
  const subject = `queues (${world.queues.kind})`
  try {
    await doneWithin(PROBE_MS, world.queues.probe())
    const processes = await listProcesses(world)
    const depths = await queueDepths(world)
    const faults = depths.flatMap((depth) => depthFaults(depth, processes))
    const says = depths.map(depthText).join(', ')
    return [
      ...(await doneWithin(PROBE_MS, examineStore(world))),
      ...findingsOf(subject, says, faults),
      ...(await examineSchedulers(world, processes)),
    ]
  } catch (error) {
    return [{ subject, ...storeFault(error) }]
  }
}

function storeFault(error: unknown): Fault {
  if (error instanceof UnfitStore) {
    return bad(error.message, 'Set it on the server and in its configuration file.')
  }
  return bad(
    'cannot be reached',
    'Nothing is lost, the database holds what is owed: start the store, or mend REDIS_URL.',
  )
}

function depthText({ queue, waiting, active, failed }: QueueDepth): string {
  return `${queue} ${waiting} waiting ${active} active ${failed} failed`
}

function depthFaults(
  { queue, waiting, failed, oldestWaitingMs }: QueueDepth,
  processes: readonly ProcessPulse[],
): readonly Fault[] {
  const faults: Fault[] = []
  const jobs = counted(waiting, 'job waits', 'jobs wait')
  if (waiting > 0 && isMissed(queue, processes)) {
    faults.push(
      bad(
        `${jobs} in ${queue}, and no process works on it`,
        `Start one that does: lamplighter worker ${queue}.`,
      ),
    )
  } else if ((oldestWaitingMs ?? 0) > LONGEST_WAIT_MS) {
    faults.push(
      bad(
        `${jobs} in ${queue}, the oldest for ${lapse(oldestWaitingMs ?? 0)}`,
        `Start more workers, or see at /admin/queues whether it is paused: lamplighter worker ${queue}.`,
      ),
    )
  }
  if (failed > 0) {
    faults.push(
      odd(
        `${counted(failed, 'job')} of ${queue} failed`,
        `See why at /admin/queues/queue/${queue}?status=failed; what is owed comes back by itself.`,
      ),
    )
  }
  return faults
}

/**
 * Nobody works on it, or only who is about to end. Where nobody works at all that has been said: a
 * round that waits then is no news.
 */
function isMissed(queue: QueueName, processes: readonly ProcessPulse[]): boolean {
  const workers = processes.filter(({ queues, isDraining }) => queues.length > 0 && !isDraining)
  if (workers.some(({ queues }) => queues.includes(queue))) return false
  return jobKind(queue).carries === 'rows' || workers.length > 0
}

/** Whoever works sees to them, so where nobody does there are none to miss. */
async function examineSchedulers(
  world: World,
  processes: readonly ProcessPulse[],
): Promise<readonly Finding[]> {
  if (!processes.some(({ queues }) => queues.length > 0)) return []
  const round = QUEUE_NAMES.filter((name) => jobKind(name).comesRound !== undefined)
  const faults = await Promise.all(round.map((name) => schedulerFault(world, name)))
  return findingsOf('rounds', `${round.join(', ')} come round`, faults)
}

async function schedulerFault(world: World, name: QueueName): Promise<Fault | undefined> {
  const known = await world.queues.queue(name).getJobSchedulers(0, -1)
  const now = world.clock.now().getTime()
  const late = known.map(({ next = 0 }) => now - next)
  const isLate = late.some((ms) => ms > world.timings.sweepEveryMs + LONGEST_WAIT_MS)
  if (known.length > 0 && !isLate) return undefined
  return bad(
    known.length === 0
      ? `nothing makes ${name} come round`
      : `${name} should have come round ${lapse(Math.max(...late))} ago`,
    `Workers put it back within seconds: see in their log why they do not ("the job schedulers of the queues …").`,
  )
}
