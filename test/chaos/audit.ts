// An audit from outside: it compares the answers to callers, our ledger and the gateway's ledger.
// It shares no code with the service, so that it cannot share its mistakes.

import pg from 'pg'
import { CHECKS } from './audit-checks.ts'
import type { Check } from './audit-sql.ts'
import { enterLedger, type LedgerEntry } from './ledger.ts'

/** One answer to an accepted charge, capture, void or refund. */
export interface JournalEntry {
  /** The id of the new row: for a follow-up the child, though the answer is the parent. */
  readonly id: string
  readonly key: string | null
  /** As ordered; null for everything that was left. */
  readonly cents: number | null
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILED'
  readonly body: string
}

/**
 * The violations, each in words; empty if there are none. The `ledger` is that of another gateway
 * than the sandbox's, which is in the database.
 */
export async function audit(
  databaseUrl: string,
  journal: readonly JournalEntry[],
  checks: readonly Check[] = CHECKS,
  ledger: readonly LedgerEntry[] = [],
): Promise<readonly string[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    // All tables are read at one moment, and nothing is left behind.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const violations = await violationsIn(client, journal, checks, ledger)
    await client.query('ROLLBACK')
    return violations
  } finally {
    await client.end()
  }
}

/** The same in a transaction that the caller began, and will roll back. */
export async function violationsIn(
  client: pg.Client,
  journal: readonly JournalEntry[],
  checks: readonly Check[],
  ledger: readonly LedgerEntry[] = [],
): Promise<readonly string[]> {
  await enter(client, journal)
  await enterLedger(client, ledger)
  const violations: string[] = []
  for (const { name, sql } of checks) {
    const { rows } = await client.query<{ says: string }>(sql)
    violations.push(...rows.map(({ says }) => `${name}: ${says}`))
  }
  return violations
}

async function enter(client: pg.Client, journal: readonly JournalEntry[]): Promise<void> {
  await client.query(
    'CREATE TEMPORARY TABLE journal (id uuid, key text, cents bigint, status text, body text)',
  )
  await client.query(
    `INSERT INTO journal SELECT * FROM json_to_recordset($1::json)
       AS journal(id uuid, key text, cents bigint, status text, body text)`,
    [JSON.stringify(journal)],
  )
  await client.query('ANALYZE journal')
}
