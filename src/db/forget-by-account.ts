// Removes rows by the time that their ids hold, account by account: the primary key finds them, and
// nothing else is looked at. Each chunk is a commit of its own: who dies in between leaves the rest
// to the next round.

import type { Database } from './database.ts'

type Db = Pick<Database, 'query' | 'commit'>

/** Rows of one commit, which others may have to wait for. */
export const ROWS_PER_COMMIT = 1_000

/** Accounts found in one go. */
const ACCOUNTS = 200

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export interface Forgetting {
  readonly table: 'event' | 'outbox_message'
  /** Rows with a lower id are old enough. */
  readonly before: string
  /** Rows in all. */
  readonly most: number
  /**
   * Looks at a chunk: of the account $1 what has an id above $2 and below $3, the oldest first; and
   * removes at most $4 of it. Answers how many it has `seen`, how many of them are `gone`, and the
   * `last` that it saw.
   */
  readonly statement: string
}

/** Answers how many are gone: as many as were allowed where more may be left. */
export async function forgetByAccount(db: Db, forgetting: Forgetting): Promise<number> {
  let gone = 0
  let account = BEFORE_ALL
  for (;;) {
    const page = await db.query(accountsWithOld(forgetting.table), [account, forgetting.before])
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
  { table, statement, before, most }: Forgetting,
  accountId: string,
): Promise<number> {
  let gone = 0
  let last = BEFORE_ALL
  while (gone < most) {
    const values = [accountId, last, before, most - gone]
    const [chunk] = await db.commit(`forget ${table} ${accountId}`, async (query) => {
      await query(BY_INDEX)
      return query(statement, values)
    })
    gone += chunk?.gone ?? 0
    if (chunk === undefined || chunk.seen < ROWS_PER_COMMIT) break
    // What had to stay is passed by.
    last = chunk.last
  }
  return gone
}

/** Of tables that have just grown or shrunk the database may believe that all of it is near. */
const BY_INDEX = `
  SELECT set_config('enable_' || name, 'off', true)
  FROM unnest(ARRAY['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort']) AS name`

/** The order has each account's oldest row found by the key. */
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
