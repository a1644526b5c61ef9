// The metrics of the service, by Prometheus' conventions. Their names never change, because
// dashboards and alerts use them.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The range is from one look-up to the longest wait of a caller, in seconds. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The range is from a row that was already done to the round of a busy night. */
const JOB_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600]

/**
 * The range is from a fast local server to the longest time limit, a minute for a slow mail server.
 */
const OUTSIDE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60]

/** The range is from a fast gateway to one that was asked for hours. */
export const PAYMENT_BUCKETS = [
  0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 10_800,
]

/**
 * How often the delay of the event loop is sampled. Each sample wakes the process up, and a blocked
 * loop is longer than this.
 */
const LAG_EVERY_MS = 50

const LATENESS_BUCKETS = [1, 5, 15, 30, 60, 120, 300, 900, 3_600, 14_400]

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics(version: string) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS })
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name: `lamplighter_${name}`, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge<L>({ name: `lamplighter_${name}`, help, labelNames, registers })
  const histogram = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[],
  ) => new Histogram<L>({ name: `lamplighter_${name}`, help, labelNames, buckets, registers })

  gauge('build_info', 'The version that runs.', ['version']).set({ version }, 1)
  return {
    registry,
    requests: histogram(
      'http_request_duration_seconds',
      'Time from a request to its answer, by route; probes are not counted.',
      ['method', 'route', 'status'],
      REQUEST_BUCKETS,
    ),
    refusedRequests: counter(
      'overload_refusals_total',
      'Requests refused under overload: too much work in this process, or too many payments that wait for workers.',
      ['reason'],
    ),
    jobs: histogram(
      'job_duration_seconds',
      'Time of one row of a job, or of one round, by result: done, snooze, cancel or failed.',
      ['queue', 'result'],
      JOB_BUCKETS,
    ),
    jobWaits: histogram(
      'job_wait_seconds',
      'Time from the moment when a job could run to its start.',
      ['queue'],
      JOB_BUCKETS,
    ),
    payments: counter(
      'payments_total',
      'Payments with an outcome: approved or declined by the gateway, or not_made if it never decided.',
      ['type', 'outcome'],
    ),
    paymentDurations: histogram(
      'payment_duration_seconds',
      'Time from the acceptance of a payment to its recorded outcome.',
      ['type'],
      PAYMENT_BUCKETS,
    ),
    gatewayAnswers: histogram(
      'gateway_answer_duration_seconds',
      'Time that a gateway took to answer, by answer; silent if it did not.',
      ['gateway', 'question', 'answer'],
      OUTSIDE_BUCKETS,
    ),
    lostNews: counter(
      'gateway_news_lost_total',
      'News of a gateway about payments that are not in the database, or without an outcome after ten days.',
      ['gateway', 'kind'],
    ),
    deliveries: histogram(
      'delivery_attempt_duration_seconds',
      'Time of an attempt to deliver, by answer.',
      ['channel', 'answer'],
      OUTSIDE_BUCKETS,
    ),
    batchLateness: histogram(
      'batch_close_lateness_seconds',
      "Time from a batch's cutoff to its closing, for accounts in real time.",
      [],
      LATENESS_BUCKETS,
    ),
    reads: counter(
      'reads_total',
      'Reads for lists and files that the replica answered, or the primary in its place; none without a replica.',
      ['from'],
    ),
    pool: gauge(
      'pool_connections',
      'Busy and idle connections of this process to PostgreSQL, and callers that wait for one.',
      ['pool', 'state'],
    ),
    // About the service as a whole: every process returns the same values.
    queueJobs: gauge('queue_jobs', 'Jobs in a queue, by state.', ['queue', 'state']),
    queueAge: gauge(
      'queue_oldest_waiting_seconds',
      'How long the oldest waiting job has waited; 0 if none waits.',
      ['queue'],
    ),
    dueRows: gauge('due_rows', 'Rows whose due time has come, by kind of work.', ['kind']),
    oldestDue: gauge(
      'oldest_due_seconds',
      'How long the oldest due row has been due; 0 if none is.',
      ['kind'],
    ),
    parked: gauge('parked_rows', 'Rows that failed for good and wait for a person.', ['kind']),
    openBatchLateness: gauge(
      'open_batch_lateness_seconds',
      'How long the most overdue batch has been overdue; 0 if none is.',
      [],
    ),
    processes: gauge('processes', 'Processes with a recent heartbeat.', ['role']),
    clockSkew: gauge(
      'clock_skew_seconds',
      "The difference between this process's clock and the database's.",
      [],
    ),
    replicaBehind: gauge(
      'replica_behind_bytes',
      'The log that the replica for reads has still to replay; absent if there is none, or if it is no standby of the primary.',
      [],
    ),
    collectFailures: counter(
      'collect_failures_total',
      'Parts of the metrics that could not be read and were left out.',
      ['part'],
    ),
  }
}
