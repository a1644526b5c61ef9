// Says every few moments that this process lives, and what it has done since it last said so. The
// console draws its charts from it; nothing else depends on it. So it never throws, and nobody
// waits for it: where the database is away a beat is left out, and a later one goes on.

import { hostname } from 'node:os'
import { after, HOUR, MINUTE, SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import type { ProcessPulse } from '../generated/client.ts'
import { packageVersion } from '../package.ts'
import type { QueueName } from '../queue/catalogue.ts'
import { type Metrics, PAYMENT_BUCKETS } from '../telemetry/metrics.ts'
import type { World } from '../world.ts'

export type ProcessRole = 'start' | 'api' | 'worker'

export interface PulseOf {
  readonly role: ProcessRole
  readonly queues: readonly QueueName[]
}

export interface Pulse {
  /** From now on it only finishes what is under way. */
  drain(): void
  /** It lives no longer. Soon done, whatever the database does. */
  close(): Promise<void>
}

/** Long enough to be surely dead, so that a row is not removed from under a living one. */
const UNSEEN_KEPT_MS = MINUTE

/** More than the charts show. */
const FIGURES_KEPT_MS = HOUR

const CLEAR_EVERY_MS = MINUTE

/** A process that ends does not wait for its own obituary any longer. */
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

export function keepPulse(world: World, { role, queues }: PulseOf): Pulse {
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
    // What could not be told is not told later, as though it had all happened then.
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

  /** One at a time: who finds one under way leaves it at that. */
  function beatOnce(): Promise<void> {
    beating ??= beat()
      .catch((err) => log.debug({ err }, 'no pulse'))
      .finally(() => {
        beating = undefined
      })
    return beating
  }

  void beatOnce()
  const beats = setInterval(beatOnce, timings.pulseEveryMs)
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
        ending.catch((err) => log.debug({ err }, 'the pulse could not be taken back')),
      )
    },
  }
}

/** A clock that is off by weeks is off by weeks: an integer holds no more. */
function skewToSay({ clock }: Pick<World, 'clock'>): number {
  const mostMs = 2 ** 31 - 1
  return Math.max(-mostMs, Math.min(mostMs, clock.skewMs()))
}

/** Of processes that died without a word, and of hours that nobody looks at any more. */
export async function clearOld({ db }: Pick<World, 'db'>, now: Date): Promise<void> {
  await db.query('DELETE FROM process_pulse WHERE seen_at < $1', [after(now, -UNSEEN_KEPT_MS)])
  await db.query('DELETE FROM house_figure WHERE at < $1', [after(now, -FIGURES_KEPT_MS)])
}

interface Counts {
  /** Answered by the intake. */
  readonly requests: number
  /** Charges and authorisations, by what the gateway said. */
  readonly approved: number
  readonly declined: number
  /** The same by how long they took: how many in each bucket, and last those beyond them all. */
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

/** What somebody waits for at a till; what follows a charge later is another matter. */
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
      // A bucket of the metric holds those below it as well.
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

/** A beat may come late, and one may be left out; who misses so many is taken for dead. */
const BEATS = 3

/**
 * The processes of the service that live: those that have said so lately.
 *
 * By role, and within it the longest-lived first.
 */
export function listProcesses(world: World): Promise<readonly ProcessPulse[]> {
  const unseenSince = after(world.clock.now(), -BEATS * world.timings.pulseEveryMs)
  return world.db.prisma.processPulse.findMany({
    where: { seenAt: { gt: unseenSince } },
    orderBy: [{ role: 'asc' }, { startedAt: 'asc' }, { id: 'asc' }],
  })
}
