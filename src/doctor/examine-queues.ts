// Examines the queues and their store: whether it answers, whether a worker takes the jobs that
// wait, and whether the recurring jobs are scheduled. Jobs are only nudges: what the store loses or
// refuses costs time and no money.

import { MINUTE, SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import type { ProcessHeartbeat } from '../generated/client.ts'
import { jobKind, QUEUE_NAMES, type QueueName } from '../queue/catalogue.ts'
import { type StoreFacts, UnfitStore } from '../queue/engine.ts'
import { listProcesses } from '../upkeep/keep-heartbeat.ts'
import { type QueueDepth, queueDepths } from '../upkeep/queue-depths.ts'
import { counted, lapse, size } from '../upkeep/words.ts'
import type { World } from '../world.ts'
import { bad, type Fault, type Finding, findingsOf, odd } from './finding.ts'

/** How long the store may take to answer one question. */
const PROBE_MS = 5 * SECOND

/** Workers pick up a job within milliseconds. */
const LONGEST_WAIT_MS = MINUTE

/** BullMQ's own bound. */
const OLDEST_REDIS = [6, 2] as const

/** A share of Redis' memory. */
const MOST_USED = 0.8

/** A round trip within one data centre takes a fraction of a millisecond. */
const SLOW_MS = 20

const STORE_AWAY =
  'Nothing is lost, the database holds all pending work: start the store, or correct REDIS_URL.'

export async function examineQueues(world: World): Promise<readonly Finding[]> {
  const subject = `queues (${world.queues.kind})`
  try {
    await doneWithin(PROBE_MS, world.queues.probe())
    const processes = await listProcesses(world)
    const depths = await queueDepths(world)
    return [
      ...(await doneWithin(PROBE_MS, examineStore(world))),
      ...findingsOf(
        subject,
        depths.map(depthText).join(', '),
        depths.flatMap((depth) => depthFaults(depth, processes)),
      ),
      ...(await examineSchedulers(world, processes)),
    ]
  } catch (error) {
    const fault =
      error instanceof UnfitStore
        ? bad(true, error.message, 'Set it on the server and in its configuration file.')
        : bad(true, 'cannot be reached', STORE_AWAY)
    return findingsOf(subject, '', [fault])
  }
}

/** Nothing when the queues live in the database. Throws while the store is away. */
async function examineStore({ queues }: World): Promise<readonly Finding[]> {
  const facts = await queues.storeFacts()
  if (facts === undefined) return []
  const { version = 'of no version', usedBytes = 0 } = facts
  const withinMs = Math.ceil(facts.roundTripMs)
  const says = `Redis ${version}, ${size(usedBytes)} in use, answers within ${withinMs} ms`
  return findingsOf('redis', says, storeFaults(facts))
}

export function storeFaults(facts: StoreFacts): readonly (Fault | undefined)[] {
  const { version, role, clusterState = 'ok', usedBytes = 0, mostBytes = 0, roundTripMs } = facts
  const isFull = mostBytes > 0 && usedBytes > mostBytes * MOST_USED
  return [
    bad(
      version !== undefined && isOlder(version),
      `Redis ${version} is older than BullMQ supports`,
      `Move to Redis ${OLDEST_REDIS.join('.')} or later.`,
    ),
    bad(
      clusterState !== 'ok',
      `the cluster is in state ${clusterState}: some queues have no node`,
      'redis-cli --cluster check shows which slots are not served.',
    ),
    bad(
      clusterState === 'ok' && role === 'slave',
      'it is a replica, which accepts no writes',
      'Let REDIS_URL name the primary, or the sentinels: redis+sentinel://host:port/name.',
    ),
    bad(
      isFull,
      `${size(usedBytes)} of ${size(mostBytes)} are in use: when it is full, it takes no jobs`,
      'Raise maxmemory, or start workers for what waits: lamplighter worker.',
    ),
    odd(
      !facts.keepsJournal,
      `keeps ${facts.keepsSnapshots ? 'only snapshots' : 'nothing'} over a restart: the sweep brings lost jobs back, seconds late`,
      'CONFIG SET appendonly yes, and the same in its configuration file.',
    ),
    odd(
      roundTripMs > SLOW_MS,
      `takes ${Math.round(roundTripMs)} ms to answer a question that costs nothing`,
      'Put the service next to its Redis, or see in SLOWLOG GET what keeps it busy.',
    ),
  ]
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_REDIS
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
}

function depthText({ queue, waiting, active, failed }: QueueDepth): string {
  return `${queue} ${waiting} waiting ${active} active ${failed} failed`
}

function depthFaults(
  { queue, waiting, failed, oldestWaitingMs }: QueueDepth,
  processes: readonly ProcessHeartbeat[],
): readonly (Fault | undefined)[] {
  const jobs = counted(waiting, 'job waits', 'jobs wait')
  const waitedMs = oldestWaitingMs ?? 0
  const isMissed = waiting > 0 && isWithoutWorker(queue, processes)
  return [
    bad(
      isMissed,
      `${jobs} in ${queue}, and no process works on it`,
      `Start one that does: lamplighter worker ${queue}.`,
    ),
    bad(
      !isMissed && waitedMs > LONGEST_WAIT_MS,
      `${jobs} in ${queue}, the oldest for ${lapse(waitedMs)}`,
      `Start more workers, or see at /admin/queues whether it is paused: lamplighter worker ${queue}.`,
    ),
    odd(
      failed > 0,
      `${counted(failed, 'job')} of ${queue} failed`,
      `See why at /admin/queues/queue/${queue}?status=failed; the sweep brings pending work back.`,
    ),
  ]
}

/**
 * No worker takes the queue's jobs, except one that is about to end. When no worker runs at all,
 * `processes` says so already, and a waiting recurring job is no news.
 */
function isWithoutWorker(queue: QueueName, processes: readonly ProcessHeartbeat[]): boolean {
  const workers = processes.filter(({ queues, isDraining }) => queues.length > 0 && !isDraining)
  if (workers.some(({ queues }) => queues.includes(queue))) return false
  return jobKind(queue).carries === 'rows' || workers.length > 0
}

/** Workers create the schedulers, so without workers none is missing. */
async function examineSchedulers(
  world: World,
  processes: readonly ProcessHeartbeat[],
): Promise<readonly Finding[]> {
  if (!processes.some(({ queues }) => queues.length > 0)) return []
  const round = QUEUE_NAMES.filter((name) => jobKind(name).comesRound !== undefined)
  const faults = await Promise.all(round.map((name) => schedulerFault(world, name)))
  return findingsOf('rounds', `${round.join(', ')} come round`, faults)
}

async function schedulerFault(world: World, name: QueueName): Promise<Fault | undefined> {
  const known = await world.queues.queue(name).getJobSchedulers(0, -1)
  const now = world.clock.now().getTime()
  const latestMs = Math.max(0, ...known.map(({ next = 0 }) => now - next))
  const isLate = latestMs > world.timings.sweepEveryMs + LONGEST_WAIT_MS
  return bad(
    known.length === 0 || isLate,
    known.length === 0
      ? `nothing makes ${name} come round`
      : `${name} should have come round ${lapse(latestMs)} ago`,
    `Workers put it back within seconds: see in their log why they do not ("the job schedulers of the queues …").`,
  )
}
