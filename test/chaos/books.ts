// What a run came to, in figures.

import pg from 'pg'

export interface Books {
  readonly charges: number
  readonly succeeded: number
  readonly failed: number
  /** The gateway was asked what became of them. */
  readonly doubted: number
  /** Taken more than once: somebody died, was silent, or turned them away. */
  readonly takenAgain: number
  /** From a charge's acceptance to its outcome. */
  readonly slowestMs: number
}

const FIGURES = `
  SELECT count(*)::integer AS charges,
    (count(*) FILTER (WHERE status = 'SUCCESS'))::integer AS succeeded,
    (count(*) FILTER (WHERE status = 'FAILED'))::integer AS failed,
    (count(*) FILTER (WHERE attempt > 1))::integer AS taken_again,
    coalesce(max(extract(epoch FROM updated_at - created_at) * 1000), 0)::integer AS slowest_ms,
    (SELECT count(*)::integer FROM sandbox_gateway_payment WHERE look_ups > 0) AS doubted
  FROM transaction`

export async function readBooks(databaseUrl: string): Promise<Books> {
  const [row] = await ask(databaseUrl, FIGURES)
  return {
    charges: row.charges,
    succeeded: row.succeeded,
    failed: row.failed,
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
