// The result of a run, in figures.

import pg from 'pg'

export interface RunFigures {
  readonly transactions: number
  readonly succeeded: number
  readonly failed: number
  /** The successful transactions, by type. */
  readonly done: Readonly<Record<string, number>>
  /** Captures, voids and refunds that were declined. */
  readonly declinedFollowUps: number
  readonly batched: number
  /** The closed batches. */
  readonly batches: number
  readonly deposits: number
  /** The runs of schedules, with the skipped ones. */
  readonly runs: number
  readonly invoices: number
  readonly paidInvoices: number
  /** Payments of invoices that were retried by the plan. */
  readonly retries: number
  /** Payments about which the gateway was asked. */
  readonly doubted: number
  /** Payments that were taken more than once: a worker died, was silent, or was turned away. */
  readonly takenAgain: number
  /** From a transaction's acceptance to its outcome. */
  readonly slowestMs: number
}

const FIGURES = `
  SELECT count(*)::integer AS transactions,
    (count(*) FILTER (WHERE status = 'SUCCESS'))::integer AS succeeded,
    (count(*) FILTER (WHERE status = 'FAILED'))::integer AS failed,
    (count(*) FILTER (WHERE status = 'FAILED' AND reference_id IS NOT NULL))::integer
      AS declined_follow_ups,
    (SELECT coalesce(sum(count), 0)::integer FROM batch) AS batched,
    (SELECT count(*)::integer FROM batch WHERE status = 'closed') AS batches,
    (SELECT count(*)::integer FROM batch WHERE deposited_at IS NOT NULL) AS deposits,
    (SELECT count(*)::integer FROM schedule_run) AS runs,
    (SELECT count(*)::integer FROM invoice) AS invoices,
    (SELECT count(*)::integer FROM invoice WHERE status = 'PAID') AS paid_invoices,
    (count(*) FILTER (WHERE invoice_try > 1))::integer AS retries,
    (count(*) FILTER (WHERE attempt > 1))::integer AS taken_again,
    coalesce(max(extract(epoch FROM outcome.at - t.created_at) * 1000), 0)::integer AS slowest_ms,
    (SELECT count(*)::integer FROM sandbox_gateway_payment WHERE look_ups > 0) AS doubted
  FROM transaction t
  LEFT JOIN LATERAL (
    SELECT created_at AS at FROM event
    WHERE account_id = t.account_id AND resource_id = coalesce(t.reference_id, t.id)::text
      AND sequence = t.outcome_sequence
  ) outcome ON true`

const DONE = `
  SELECT type::text, (count(*) FILTER (WHERE status = 'SUCCESS'))::integer AS count
  FROM transaction GROUP BY type ORDER BY type`

export async function readRunFigures(databaseUrl: string): Promise<RunFigures> {
  const [row] = await ask(databaseUrl, FIGURES)
  const done = await ask(databaseUrl, DONE)
  return {
    transactions: row.transactions,
    succeeded: row.succeeded,
    failed: row.failed,
    done: Object.fromEntries(done.map(({ type, count }) => [type, count])),
    declinedFollowUps: row.declined_follow_ups,
    batched: row.batched,
    batches: row.batches,
    deposits: row.deposits,
    runs: row.runs,
    invoices: row.invoices,
    paidInvoices: row.paid_invoices,
    retries: row.retries,
    doubted: row.doubted,
    takenAgain: row.taken_again,
    slowestMs: row.slowest_ms,
  }
}

/** All unfinished payments; of batches, schedules and invoices, those that are due by now. */
const PENDING_WORK = `
  SELECT EXISTS (SELECT FROM transaction WHERE due_at IS NOT NULL)
    OR EXISTS (
      SELECT FROM batch
      WHERE due_at <= $1 OR status = 'closing' OR events_written < count)
    OR EXISTS (SELECT FROM schedule WHERE due_at <= $1)
    OR EXISTS (SELECT FROM invoice WHERE due_at <= $1) AS pending`

export async function isWorkPending(databaseUrl: string): Promise<boolean> {
  const [row] = await ask(databaseUrl, PENDING_WORK, [new Date()])
  return row.pending
}

async function ask(databaseUrl: string, sql: string, values: readonly unknown[] = []) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query(sql, [...values])).rows
  } finally {
    await client.end()
  }
}
