// Writes a heartbeat every few seconds: this process lives, and what it has done since the last
// one. Only the console's charts use it. So it never throws, and nothing waits for it: if the
// database is away, a heartbeat is left out.

import { hostname } from 'node:os'
import { after, HOUR, MINUTE, SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import type { ProcessHeartbeat } from '../generated/client.ts'
import { packageVersion } from '../package.ts'
import type { QueueName } from '../queue/catalogue.ts'
import { type Metrics, PAYMENT_BUCKETS } from '../telemetry/metrics.ts'
import type { World } from '../world.ts'

export type ProcessRole = 'start' | 'api' | 'worker'

export interface BeatingProcess {
  readonly role: ProcessRole
  readonly queues: readonly QueueName[]
}

export interface Heartbeat {
  /** From now on the process only finishes its running work. */
  drain(): void
  /** Marks the process as ended. It returns soon, whatever the database does. */
  close(): Promise<void>
}

/** Long enough that a living process does not lose its row. */
const UNSEEN_KEPT_MS = MINUTE

/** Longer than the charts show. */
const FIGURES_KEPT_MS = HOUR

const CLEAR_EVERY_MS = MINUTE

/** An ending process waits at most this long to write that it ends. */
const CLOSE_MS = SECOND

const SAY = `
  INSERT INTO process_pulse
    (id, role, host, pid, version, queues, is_draining, started_at, seen_at, clock_skew_ms)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (id) DO UPDATE
  SET is_draining = excluded.is_draining, seen_at = excluded.seen_at,
    clock_skew_ms = excluded.clock_skew_ms`

const TELL = `
  INSERT INTO house_figure (process_id, at, requests, approved, declined, durations)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT DO NOTHING`

export function keepHeartbeat(world: World, { role, queues }: BeatingProcess): Heartbeat {
  const { db, log, clock, timings } = world
  const id = world.newId()
  const about = [id, role, hostname(), process.pid, packageVersion(), queues]
  const startedAt = clock.now()
  let isDraining = false
  let told: Counts = NO_COUNTS
  let clearedAt = startedAt
  let beating: Promise<void> | undefined

  async function beat(): Promise<void> {
    const now = clock.now()
    const counts = await readCounts(world.metrics)
    const since = countsBetween(told, counts)
    // Counts that could not be written are dropped; written later, they would seem to belong to
    // that moment.
    told = counts
    await db.query(SAY, [...about, isDraining, startedAt, now, skewToSay(world)])
    if (!isNothing(since)) {
      const { requests, approved, declined, durations } = since
      await db.query(TELL, [id, now, requests, approved, declined, durations])
    }
    if (now.getTime() - clearedAt.getTime() < CLEAR_EVERY_MS) return
    clearedAt = now
    await clearOld(world, now)
  }

  /** One heartbeat at a time. A call during another does nothing. */
  function beatOnce(): Promise<void> {
    beating ??= beat()
      .catch((err) => log.debug({ err }, 'no heartbeat'))
      .finally(() => {
        beating = undefined
      })
    return beating
  }

  void beatOnce()
  const beats = setInterval(beatOnce, timings.heartbeatEveryMs)
  beats.unref()
  return {
    drain() {
      isDraining = true
      void beatOnce()
    },
    async close() {
      clearInterval(beats)
      const ending = (async () => {
        await beating
        await db.query('DELETE FROM process_pulse WHERE id = $1', [id])
      })()
      await isDoneWithin(
        CLOSE_MS,
        ending.catch((err) => log.debug({ err }, 'the heartbeat could not be removed')),
      )
    },
  }
}

/** Limited to an integer. Nobody needs to know a larger skew exactly. */
function skewToSay({ clock }: Pick<World, 'clock'>): number {
  const mostMs = 2 ** 31 - 1
  return Math.max(-mostMs, Math.min(mostMs, clock.skewMs()))
}

/** Deletes the rows of processes that died silently, and old figures. */
export async function clearOld({ db }: Pick<World, 'db'>, now: Date): Promise<void> {
  await db.query('DELETE FROM process_pulse WHERE seen_at < $1', [after(now, -UNSEEN_KEPT_MS)])
  await db.query('DELETE FROM house_figure WHERE at < $1', [after(now, -FIGURES_KEPT_MS)])
}

interface Counts {
  /** Requests that the API server answered. */
  readonly requests: number
  /** Charges and authorizations, by outcome. */
  readonly approved: number
  readonly declined: number
  /**
   * The durations of these payments: the count of each bucket, and last the count above all
   * buckets.
   */
  readonly durations: readonly number[]
}

/**
 * What a process has counted so far, of the few things that the console's charts show: read from
 * the metrics, so that nothing is counted twice.
 */
const NO_COUNTS: Counts = {
  requests: 0,
  approved: 0,
  declined: 0,
  durations: Array(PAYMENT_BUCKETS.length + 1).fill(0),
}

/** A customer waits for these at a till, but not for follow-ups. */
const CHARGES: ReadonlySet<unknown> = new Set(['charge', 'pre_auth'])

async function readCounts(
  of: Pick<Metrics, 'requests' | 'payments' | 'paymentDurations'>,
): Promise<Counts> {
  const [requests, payments, durations] = await Promise.all([
    of.requests.get(),
    of.payments.get(),
    of.paymentDurations.get(),
  ])
  const charges = payments.values.filter(({ labels }) => CHARGES.has(labels.type))
  const sizes = durations.values.filter(({ labels }) => CHARGES.has(labels.type))
  return {
    requests: sum(requests.values.filter(({ metricName }) => metricName?.endsWith('_count'))),
    approved: sum(charges.filter(({ labels }) => labels.outcome === 'approved')),
    declined: sum(charges.filter(({ labels }) => labels.outcome === 'declined')),
    durations: [...PAYMENT_BUCKETS, '+Inf']
      .map((le) => sum(sizes.filter(({ labels }) => 'le' in labels && labels.le === le)))
      // A bucket of the metric includes all lower ones.
      .map((count, at, all) => count - (all[at - 1] ?? 0)),
  }
}

function countsBetween(before: Counts, now: Counts): Counts {
  return {
    requests: now.requests - before.requests,
    approved: now.approved - before.approved,
    declined: now.declined - before.declined,
    durations: now.durations.map((count, at) => count - (before.durations[at] ?? 0)),
  }
}

function isNothing({ requests, approved, declined, durations }: Counts): boolean {
  return [requests, approved, declined, ...durations].every((count) => count === 0)
}

function sum(values: readonly { readonly value: number }[]): number {
  return values.reduce((all, { value }) => all + value, 0)
}

/** A heartbeat may be late or left out. A process that misses this many counts as dead. */
const BEATS = 3

/**
 * The processes of the service that live: those that have said so lately.
 *
 * By role, and within it the longest-lived first.
 */
export function listProcesses(world: World): Promise<readonly ProcessHeartbeat[]> {
  const unseenSince = after(world.clock.now(), -BEATS * world.timings.heartbeatEveryMs)
  return world.db.prisma.processHeartbeat.findMany({
    where: { seenAt: { gt: unseenSince } },
    orderBy: [{ role: 'asc' }, { startedAt: 'asc' }, { id: 'asc' }],
  })
}
