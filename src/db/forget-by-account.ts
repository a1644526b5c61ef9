// Deletes old rows account by account, by the time in their ids. The primary key finds them, so no
// other row is read. Each chunk is a commit of its own. If the process dies in between, the next
// round deletes the rest.

import { BEFORE_ALL_IDS, firstIdAt } from '../core/id.ts'
import type { Database } from './database.ts'

type Db = Pick<Database, 'query' | 'commit'>

/** Rows in one commit. Other commits may have to wait for them. */
export const ROWS_PER_COMMIT = 1_000

/** Accounts that are found at a time. */
const ACCOUNTS = 200

export interface Forgetting {
  readonly table: 'event' | 'outbox_message' | 'recent_request'
  /** By the real time of their ids. */
  readonly madeBefore: Date
  /** The maximum number of rows in all. */
  readonly most: number
  /**
   * For a table with rows that must stay. Deletes at most $4 rows of account $1 with an id above $2
   * and below $3, the oldest first. Returns the number of rows that it read (`seen`), the number
   * that it deleted (`gone`), and the `last` id that it read.
   */
  readonly statement?: string
}

/** Deletes any row that no other commit has locked. */
const statementFor = (table: Forgetting['table']) => `
  WITH old AS MATERIALIZED (
    SELECT ctid, id FROM ${table}
    WHERE account_id = $1 AND id > $2 AND id < $3
    ORDER BY id
    LIMIT ${ROWS_PER_COMMIT}
    FOR UPDATE SKIP LOCKED
  ),
  gone AS (
    DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM old LIMIT $4)) RETURNING 1
  )
  SELECT (SELECT count(*) FROM old)::integer AS seen, (SELECT count(*) FROM gone)::integer AS gone,
    (SELECT id FROM old ORDER BY id DESC LIMIT 1) AS last`

/** Returns how many rows were deleted. If it equals the maximum, more may be left. */
export async function forgetByAccount(db: Db, forgetting: Forgetting): Promise<number> {
  let gone = 0
  let account = BEFORE_ALL_IDS
  for (;;) {
    const values = [account, firstIdAt(forgetting.madeBefore)]
    const page = await db.query(accountsWithOld(forgetting.table), values)
    for (const { id } of page) {
      gone += await forgetOf(db, { ...forgetting, most: forgetting.most - gone }, id)
      if (gone >= forgetting.most) return gone
      account = id
    }
    if (page.length < ACCOUNTS) return gone
  }
}

async function forgetOf(
  db: Db,
  { table, statement = statementFor(table), madeBefore, most }: Forgetting,
  accountId: string,
): Promise<number> {
  let gone = 0
  let last = BEFORE_ALL_IDS
  while (gone < most) {
    const values = [accountId, last, firstIdAt(madeBefore), most - gone]
    const [chunk] = await db.commit(`forget ${table} ${accountId}`, async (query) => {
      await query(ONLY_INDEX_SCANS)
      return query(statement, values)
    })
    gone += chunk?.gone ?? 0
    if (chunk === undefined || chunk.seen < ROWS_PER_COMMIT) break
    // Rows that must stay are skipped.
    last = chunk.last
  }
  return gone
}

/**
 * For this commit the planner has no choice but an index: its statistics of tables that have just
 * grown or shrunk may be wrong.
 */
export const ONLY_INDEX_SCANS = `
  SELECT set_config('enable_' || name, 'off', true)
  FROM unnest(ARRAY['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort']) AS name`

/** In this order the primary key finds the oldest row of each account. */
function accountsWithOld(table: Forgetting['table']): string {
  return `
    SELECT a.id
    FROM account a
    CROSS JOIN LATERAL (
      SELECT FROM ${table} WHERE account_id = a.id AND id < $2 ORDER BY id LIMIT 1
    ) old
    WHERE a.id > $1
    ORDER BY a.id
    LIMIT ${ACCOUNTS}`
}
