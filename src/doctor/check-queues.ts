// Checks the queues and their store: whether it answers, whether a worker takes the jobs that wait,
// and whether the recurring jobs are scheduled. Jobs are only nudges: what the store loses or
// refuses costs time and no money.

import { counted } from '../core/counts.ts'
import { sentenceOf } from '../core/sentence.ts'
import { HOUR, MINUTE, SECOND } from '../core/time-units.ts'
import { isUnverified, UNVERIFIED_REMEDY } from '../core/unverified.ts'
import { doneWithin } from '../core/within.ts'
import { isUndefined } from '../db/failure.ts'
import type { ProcessHeartbeat } from '../generated/client.ts'
import { jobKind, QUEUE_NAMES, type QueueName } from '../queue/catalogue.ts'
import { type StoreFacts, UnfitStore } from '../queue/engine.ts'
import { listProcesses } from '../upkeep/keep-heartbeat.ts'
import { type QueueDepth, queueDepths } from '../upkeep/queue-depths.ts'
import { lapse, size } from '../upkeep/shown-figures.ts'
import type { World } from '../world.ts'
import { type Check, fault, type Problem, warning } from './check.ts'

/** How long the store may take to answer. */
const PROBE_MS = 5 * SECOND

/** Workers pick up a job within milliseconds. */
const LONGEST_WAIT_MS = MINUTE

/** A share of Redis' memory. */
const MOST_USED = 0.8

export const checkQueues: Check = async (world) => {
  const subject = `queues (${world.queues.engine.kind})`
  try {
    if (!(await hasQueues(world))) {
      return { subject, problems: [warning(NO_QUEUES, WHERE_QUEUES)] }
    }
    const redis = await doneWithin(PROBE_MS, world.queues.engine.storeFacts())
    const processes = await listProcesses(world)
    const depths = await queueDepths(world)
    const problems = [
      ...(redis === undefined ? [] : redisProblems(redis, jobsText(depths))),
      ...depths.flatMap((depth) => depthProblems(depth, processes)),
      ...(await failureProblems(world, depths)),
      ...(await schedulerProblems(world, processes)),
    ]
    return { subject, ok: okText(redis, depths), problems }
  } catch (error) {
    if (isUndefined(error)) throw error
    return { subject, problems: [storeProblem(error, world.config.redis)] }
  }
}

async function hasQueues(world: World): Promise<boolean> {
  try {
    await doneWithin(PROBE_MS, world.queues.engine.probe())
    return true
  } catch (error) {
    if (isUndefined(error) && world.queues.engine.kind === 'postgres') return false
    throw error
  }
}

/** As it begins when the user or the password is wrong. */
const DENIED = /^(NOAUTH|WRONGPASS|ERR invalid password)/

const NO_RIGHT = /^NOPERM/

const RIGHTS =
  'Give its user what the queues need: ACL SETUSER … ~lamplighter* &lamplighter* +@all -@dangerous +info.'

/** As it begins, for one that was renamed or disabled. The rest quotes the arguments. */
const NO_COMMAND = /^ERR unknown command '\w+'/i

/** By code or name. The last one comes alone if the connections end without an error. */
const CUT_OFF: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'MaxRetriesPerRequestError'])

function storeProblem(error: unknown, redis: World['config']['redis']): Problem {
  if (error instanceof UnfitStore) return fault(error.says, sentenceOf(error.remedy))
  const { code, name, message } = error as Error & { readonly code?: unknown }
  if (DENIED.test(message)) {
    return fault(
      `refuses us (${message})`,
      'Put the user and the password into REDIS_URL: redis://user:password@host:6379.',
    )
  }
  if (NO_RIGHT.test(message)) return fault(`refuses us (${message})`, RIGHTS)
  const [unknown] = NO_COMMAND.exec(message) ?? []
  if (unknown !== undefined) {
    return fault(
      `refuses us (${unknown})`,
      'Undo rename-command in its configuration: BullMQ and the service need the command.',
    )
  }
  if (CUT_OFF.has(code ?? name)) {
    return fault(
      'closes each connection at once',
      'Redis may be in protected mode (set a password), or want TLS (rediss:// in REDIS_URL).',
    )
  }
  const cause = typeof code === 'string' ? ` (${message})` : ''
  const correct =
    redis?.kind === 'single' && redis.url.startsWith('rediss:')
      ? 'Start the store, or correct REDIS_URL: rediss:// needs a server with TLS.'
      : 'Start the store, or correct REDIS_URL.'
  const remedy = isUnverified(error) ? sentenceOf(UNVERIFIED_REMEDY) : correct
  return fault(`cannot be reached${cause}`, `${remedy} Nothing is lost.`)
}

/** As when the settings of a shell lack the processes' `REDIS_URL`. */
const NO_QUEUES = 'this database has no queues, or those of another version'

const WHERE_QUEUES =
  'Set REDIS_URL as for the processes. Without it a process makes the queues when it starts.'

function jobsText(depths: readonly QueueDepth[]): string {
  const busy = depths.filter(({ waiting, active }) => waiting + active > 0)
  const jobs = busy.map(
    ({ queue, waiting, active }) => `${queue} ${waiting} waiting ${active} active`,
  )
  return jobs.join(', ') || 'no job waits'
}

function okText(redis: StoreFacts | undefined, depths: readonly QueueDepth[]): string {
  const text = jobsText(depths)
  if (redis === undefined) return text
  return `Redis ${redis.version ?? ''} uses ${size(redis.usedBytes ?? 0)}; ${text}`
}

/** The jobs say whether they fill the memory, or other keys do. */
export function redisProblems(
  { role, clusterState, keepsJournal, ...memory }: StoreFacts,
  jobs: string,
) {
  const { usedBytes = 0, mostBytes = 0 } = memory
  const isWhole = clusterState === undefined || clusterState === 'ok'
  return [
    !isWhole &&
      fault(
        `the cluster is in state ${clusterState}: some queues have no node`,
        'redis-cli --cluster check shows which slots are not served.',
      ),
    isWhole &&
      role === 'slave' &&
      fault(
        'it is a replica, which accepts no writes',
        'Let REDIS_URL name the primary, or the sentinels: redis+sentinel://host:port/name.',
      ),
    mostBytes > 0 &&
      usedBytes > mostBytes * MOST_USED &&
      fault(
        `${size(usedBytes)} of ${size(mostBytes)} are in use: when it is full, it takes no jobs; ${jobs}`,
        'Raise maxmemory, or start workers for what waits: lamplighter worker.',
      ),
    !keepsJournal &&
      warning(
        'keeps no journal: after a restart the sweep brings lost jobs back, seconds late',
        'CONFIG SET appendonly yes, and the same in its configuration file.',
      ),
  ]
}

function depthProblems(depth: QueueDepth, processes: readonly ProcessHeartbeat[]) {
  const { queue, waiting, oldestWaitingMs } = depth
  const jobs = `${counted(waiting, 'job waits', 'jobs wait')} in ${queue}`
  const waitedMs = oldestWaitingMs ?? 0
  const isMissed = waiting > 0 && isWithoutWorker(queue, processes)
  const command = `lamplighter worker ${queue}`
  return [
    isMissed && fault(`${jobs}, and no process works on it`, `Start one that does: ${command}.`),
    !isMissed &&
      waitedMs > LONGEST_WAIT_MS &&
      fault(
        `${jobs}, the oldest for ${lapse(waitedMs)}`,
        `See at /admin/queues whether it is paused, or start more workers: ${command}.`,
      ),
  ]
}

/** Failed jobs are kept for two weeks, and an outage that is over is no problem. */
const RECENTLY_MS = HOUR

/** A hundred say as much as ten thousand. */
const MOST_FAILURES = 100

async function failureProblems(world: World, depths: readonly QueueDepth[]) {
  const problems: Problem[] = []
  for (const { queue, failed } of depths) {
    const recent = failed === 0 ? 0 : await recentFailures(world, queue)
    if (recent === 0) continue
    const jobs = recent < MOST_FAILURES ? counted(recent, 'job') : `${MOST_FAILURES} jobs or more`
    problems.push(
      warning(
        `${jobs} of ${queue} failed within the last hour`,
        `See why: /admin/queues/queue/${queue}?status=failed. The sweep repeats pending work.`,
      ),
    )
  }
  return problems
}

async function recentFailures({ clock, queues }: World, queue: QueueName): Promise<number> {
  const sinceMs = clock.now().getTime() - RECENTLY_MS
  const newest = await queues.queue(queue).getJobs(['failed'], 0, MOST_FAILURES - 1)
  return newest.filter(({ finishedOn = 0 }) => finishedOn >= sinceMs).length
}

/**
 * No worker takes the queue's jobs, except one that is about to end. When no worker runs at all,
 * another check says so, and a waiting recurring job is no news.
 */
function isWithoutWorker(queue: QueueName, processes: readonly ProcessHeartbeat[]): boolean {
  const workers = processes.filter(({ queues, isDraining }) => queues.length > 0 && !isDraining)
  if (workers.some(({ queues }) => queues.includes(queue))) return false
  return jobKind(queue).carries === 'rows' || workers.length > 0
}

/** Workers schedule the recurring jobs, so without workers none is missing. */
async function schedulerProblems(world: World, processes: readonly ProcessHeartbeat[]) {
  if (!processes.some(({ queues }) => queues.length > 0)) return []
  const dueMs = world.clock.now().getTime() - world.timings.sweepEveryMs - LONGEST_WAIT_MS
  const recurring = QUEUE_NAMES.filter((name) => jobKind(name).repeats !== undefined)
  const problems = recurring.map(async (name) => {
    const known = await world.queues.queue(name).getJobSchedulers(0, -1)
    const isKept = known.length > 0 && known.every(({ next = 0 }) => next >= dueMs)
    const remedy = 'Workers mend it within seconds, or their log says why ("the job schedulers …").'
    return !isKept && fault(`the recurring job of ${name} is late or not scheduled`, remedy)
  })
  return Promise.all(problems)
}
