// The work of a process so far, read from its metrics, so that nothing is counted twice.

import { DELIVERY_CHANNELS } from '../core/delivery.ts'
import { QUEUE_NAMES } from '../queue/catalogue.ts'
import { type Metrics, PAYMENT_BUCKETS } from '../telemetry/metrics.ts'

export interface Work {
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
  /** Queues without any work are left out. */
  readonly queues: Readonly<Record<string, QueueWork>>
}

export interface QueueWork {
  /** Rows that were run, attempts to deliver, or rounds over all rows. */
  readonly rows: number
  readonly failed: number
  readonly runSeconds: number
  /** A job carries several rows, which wait together. */
  readonly jobs: number
  readonly waitSeconds: number
}

/** A customer waits for these at a till, but not for follow-ups. */
const CHARGES: ReadonlySet<unknown> = new Set(['charge', 'pre_auth'])

interface Value {
  readonly value: number
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  readonly metricName?: string
}

export async function readWork(
  of: Pick<
    Metrics,
    'requests' | 'payments' | 'paymentDurations' | 'jobs' | 'jobWaits' | 'deliveries'
  >,
): Promise<Work> {
  const [requests, payments, durations, jobs, waits, deliveries] = await Promise.all([
    valuesOf(of.requests),
    valuesOf(of.payments),
    valuesOf(of.paymentDurations),
    valuesOf(of.jobs),
    valuesOf(of.jobWaits),
    valuesOf(of.deliveries),
  ])
  const charges = payments.filter(({ labels }) => CHARGES.has(labels.type))
  const sizes = durations.filter(({ labels }) => CHARGES.has(labels.type))
  const queueWork = (name: string): QueueWork => {
    // A job of theirs sends whatever is due, often nothing.
    const isDelivering = DELIVERY_CHANNELS.some((channel) => channel === name)
    const ran = isDelivering
      ? deliveries.filter(({ labels }) => labels.channel === name)
      : jobs.filter(({ labels }) => labels.queue === name)
    const waited = waits.filter(({ labels }) => labels.queue === name)
    return {
      rows: sum(countsOf(ran)),
      failed: sum(countsOf(ran).filter(isFailure)),
      runSeconds: sum(sumsOf(ran)),
      jobs: sum(countsOf(waited)),
      waitSeconds: sum(sumsOf(waited)),
    }
  }
  return {
    requests: sum(countsOf(requests).filter(({ labels }) => !isConsole(labels.route))),
    approved: sum(charges.filter(({ labels }) => labels.outcome === 'approved')),
    declined: sum(charges.filter(({ labels }) => labels.outcome === 'declined')),
    durations: [...PAYMENT_BUCKETS, '+Inf']
      .map((le) => sum(sizes.filter(({ labels }) => labels.le === le)))
      // A bucket of the metric includes all lower ones.
      .map((count, at, all) => count - (all[at - 1] ?? 0)),
    queues: Object.fromEntries(QUEUE_NAMES.map((name) => [name, queueWork(name)])),
  }
}

function isFailure({ labels }: Value): boolean {
  return labels.result === 'failed' || (labels.answer ?? 'taken') !== 'taken'
}

/** Its own pages ask every few seconds. */
function isConsole(route: unknown): boolean {
  return String(route).startsWith('/admin')
}

async function valuesOf(metric: {
  get(): Promise<{ readonly values: readonly Value[] }>
}): Promise<readonly Value[]> {
  return (await metric.get()).values
}

function countsOf(values: readonly Value[]): readonly Value[] {
  return values.filter(({ metricName }) => metricName?.endsWith('_count'))
}

function sumsOf(values: readonly Value[]): readonly Value[] {
  return values.filter(({ metricName }) => metricName?.endsWith('_sum'))
}

function sum(values: readonly { readonly value: number }[]): number {
  return values.reduce((all, { value }) => all + value, 0)
}

export function workSince(now: Work, before: Work | undefined): Work {
  const queues = Object.entries(now.queues).flatMap(([name, work]) => {
    const since = queueWorkSince(work, before?.queues[name])
    return since.rows === 0 && since.jobs === 0 ? [] : [[name, since] as const]
  })
  return {
    requests: now.requests - (before?.requests ?? 0),
    approved: now.approved - (before?.approved ?? 0),
    declined: now.declined - (before?.declined ?? 0),
    durations: now.durations.map((count, at) => count - (before?.durations[at] ?? 0)),
    queues: Object.fromEntries(queues),
  }
}

export function isNothing({ requests, approved, declined, durations, queues }: Work): boolean {
  const counts = [requests, approved, declined, ...durations]
  return counts.every((count) => count === 0) && Object.keys(queues).length === 0
}

function queueWorkSince(now: QueueWork, before: QueueWork | undefined): QueueWork {
  return {
    rows: now.rows - (before?.rows ?? 0),
    failed: now.failed - (before?.failed ?? 0),
    runSeconds: now.runSeconds - (before?.runSeconds ?? 0),
    jobs: now.jobs - (before?.jobs ?? 0),
    waitSeconds: now.waitSeconds - (before?.waitSeconds ?? 0),
  }
}
