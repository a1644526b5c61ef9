// Has transactions taken into a batch of their own at once, without waiting for a cutoff: the batch
// is frozen at a past instant, and the service itself closes it.

import { inTurn } from '../../src/core/turns.ts'
import type { Query } from '../../src/db/database.ts'
import { settleAtOnce } from '../../src/settlement/settle-account.ts'
import type { TestService } from './test-service.ts'

/** Long enough ago that the midnight after it has passed. */
export const LONG_AGO_MS = 48 * 60 * 60_000

/** No other commit may look for a free day of these accounts meanwhile. */
const LOCK = `
  SELECT account_id, pg_advisory_xact_lock(hashtext('batch of a test'), hashtext(account_id::text))
  FROM (SELECT DISTINCT account_id FROM transaction WHERE id = ANY($1::uuid[]) ORDER BY 1) account`

/**
 * A week before its closing, so that its deposit has arrived; earlier, if there is such a batch.
 */
const OPEN = `
  INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, created_at, due_at)
  SELECT $1, $2, max(day), $3, 'UTC', $3, $4
  FROM (SELECT $3::timestamptz::date - n AS day FROM generate_series(7, 10000) AS n) days
  WHERE NOT EXISTS (SELECT FROM batch WHERE account_id = $1 AND business_date = day)
  RETURNING business_date::text`

/** Transactions that cannot join, or are in another batch, stay as they are. */
const JOIN = `
  UPDATE transaction t SET business_date = $3::date
  WHERE t.account_id = $1 AND t.id = ANY($2::uuid[]) AND t.business_date IS NOT NULL
    AND t.void_id IS NULL AND NOT EXISTS (
      SELECT FROM batch b
      WHERE b.account_id = $1 AND b.business_date = t.business_date AND b.status <> 'open')`

const FREEZE = `
  UPDATE batch SET status = 'closing', closed_at = cutoff_at WHERE account_id = $1 AND id = $2`

/** It uses a commit of its own, after which the batch is due. Answers the account. */
async function freezeWith(
  query: Query,
  ids: readonly string[],
  batchId: string,
  at: Date,
): Promise<readonly string[]> {
  const accounts = await query(LOCK, [ids])
  for (const { account_id } of accounts) {
    const [opened] = await query(OPEN, [account_id, batchId, at, new Date()])
    await query(JOIN, [account_id, ids, opened?.business_date])
    await query(FREEZE, [account_id, batchId])
  }
  return accounts.map(({ account_id }) => account_id)
}

/** As in the service few are closed at once, since each needs some connections. */
const takeTurns = inTurn()

/** Answers the batch's id. */
export async function takeIntoBatch(
  { world, databaseUrl }: TestService,
  ids: readonly string[],
  at: Date = new Date(Date.now() - LONG_AGO_MS),
): Promise<string> {
  const id = world.newId()
  const freeze = (query: Query) => freezeWith(query, ids, id, at)
  return takeTurns(databaseUrl, async () => {
    for (const accountId of await world.db.commit(`batch ${id}`, freeze)) {
      const item = { accountId, id, requestId: world.newId() }
      await settleAtOnce(world, item)
    }
    return id
  })
}
