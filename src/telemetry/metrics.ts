// What the service counts and measures, by Prometheus' conventions. Names are for ever: dashboards
// and alerts are written against them.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** From what one look-up takes to what a caller waits for at most, in seconds. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** From a row that was done already to the round of a busy night. */
const JOB_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600]

/** From what answers next door to what is given up on, a minute for the slowest mail server. */
const OUTSIDE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60]

/** From a gateway next door to one that had to be asked for hours. */
export const PAYMENT_BUCKETS = [
  0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 10_800,
]

const LATENESS_BUCKETS = [1, 5, 15, 30, 60, 120, 300, 900, 3_600, 14_400]

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics(version: string) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
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
      'From a request to its answer, by its route; what asks whether the process lives is not counted.',
      ['method', 'route', 'status'],
      REQUEST_BUCKETS,
    ),
    refusedRequests: counter(
      'overload_refusals_total',
      'Requests refused because there was too much to do: of work in this process, or of payments that wait for workers.',
      ['reason'],
    ),
    jobs: histogram(
      'job_duration_seconds',
      'One row of a job, or one round, by what came of it: done, snooze, cancel or failed.',
      ['queue', 'result'],
      JOB_BUCKETS,
    ),
    payments: counter(
      'payments_total',
      'Payments with an outcome: approved or declined by the gateway, or not_made, which it never decided.',
      ['type', 'outcome'],
    ),
    paymentDurations: histogram(
      'payment_duration_seconds',
      'From a payment accepted to its outcome recorded.',
      ['type'],
      PAYMENT_BUCKETS,
    ),
    gatewayAnswers: histogram(
      'gateway_answer_duration_seconds',
      'How long a gateway took to answer, by what it said; silent where it did not.',
      ['gateway', 'question', 'answer'],
      OUTSIDE_BUCKETS,
    ),
    deliveries: histogram(
      'delivery_attempt_duration_seconds',
      'An attempt to deliver, by what came of it.',
      ['channel', 'answer'],
      OUTSIDE_BUCKETS,
    ),
    batchLateness: histogram(
      'batch_close_lateness_seconds',
      "From a batch's cutoff to its closing, of accounts that live by the real clock.",
      [],
      LATENESS_BUCKETS,
    ),
    pool: gauge(
      'pool_connections',
      'Connections to PostgreSQL of this process, busy and idle, and callers waiting for one.',
      ['pool', 'state'],
    ),
    // Of the service as a whole: every process answers the same.
    queueJobs: gauge('queue_jobs', 'Jobs in a queue, by state.', ['queue', 'state']),
    queueAge: gauge(
      'queue_oldest_waiting_seconds',
      'For how long the oldest waiting job has waited; 0 where none does.',
      ['queue'],
    ),
    dueRows: gauge('due_rows', 'Rows whose due time has come, by what they owe.', ['kind']),
    oldestDue: gauge(
      'oldest_due_seconds',
      'For how long the oldest of them has been due; 0 where none is.',
      ['kind'],
    ),
    parked: gauge('parked_rows', 'What was given up and waits for a person.', ['kind']),
    openBatchLateness: gauge(
      'open_batch_lateness_seconds',
      'For how long the most overdue batch has not been closed; 0 where none is.',
      [],
    ),
    processes: gauge('processes', 'Processes that live.', ['role']),
    clockSkew: gauge(
      'clock_skew_seconds',
      "How far the clock of this process is from the database's.",
      [],
    ),
    collectFailures: counter(
      'collect_failures_total',
      'Parts of what is answered here that could not be read, and were left out.',
      ['part'],
    ),
  }
}
