// What a run came to, in figures.

import pg from 'pg'

export interface Books {
  readonly transactions: number
  readonly succeeded: number
  readonly failed: number
  /** By type: those that succeeded. */
  readonly done: Readonly<Record<string, number>>
  /** Captures, voids and refunds that came to nothing. */
  readonly declinedFollowUps: number
  readonly batched: number
  /** The gateway was asked what became of them. */
  readonly doubted: number
  /** Taken more than once: somebody died, was silent, or turned them away. */
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
    (count(*) FILTER (WHERE batched_at IS NOT NULL))::integer AS batched,
    (count(*) FILTER (WHERE attempt > 1))::integer AS taken_again,
    coalesce(max(extract(epoch FROM told.at - t.created_at) * 1000), 0)::integer AS slowest_ms,
    (SELECT count(*)::integer FROM sandbox_gateway_payment WHERE look_ups > 0) AS doubted
  FROM transaction t
  LEFT JOIN LATERAL (
    SELECT created_at AS at FROM event
    WHERE account_id = t.account_id AND resource_id = coalesce(t.reference_id, t.id)::text
      AND sequence = t.outcome_sequence
  ) told ON true`

const DONE = `
  SELECT type::text, (count(*) FILTER (WHERE status = 'SUCCESS'))::integer AS count
  FROM transaction GROUP BY type ORDER BY type`

export async function readBooks(databaseUrl: string): Promise<Books> {
  const [row] = await ask(databaseUrl, FIGURES)
  const done = await ask(databaseUrl, DONE)
  return {
    transactions: row.transactions,
    succeeded: row.succeeded,
    failed: row.failed,
    done: Object.fromEntries(done.map(({ type, count }) => [type, count])),
    declinedFollowUps: row.declined_follow_ups,
    batched: row.batched,
    doubted: row.doubted,
    takenAgain: row.taken_again,
    slowestMs: row.slowest_ms,
  }
}

export async function isAnythingOwed(databaseUrl: string): Promise<boolean> {
  const [row] = await ask(
    databaseUrl,
    `SELECT EXISTS (SELECT FROM transaction WHERE due_at IS NOT NULL) AS owed`,
  )
  return row.owed
}

async function ask(databaseUrl: string, sql: string) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
