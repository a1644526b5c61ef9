// Deletes old events, by the real time at which they were written, because an account's own time
// may be years away from it.
//
// An event that still has to be delivered stays. An event that is the answer to a request with a
// key is copied to the key in the same commit, so that repeats get the same answer at any time.

import { forgetByAccount, ROWS_PER_COMMIT } from '../db/forget-by-account.ts'
import type { World } from '../world.ts'

/**
 * `readOutcome` decides which event is the answer of a payment. The rows are locked, so that they
 * can be deleted in place.
 */
const FORGET_EVENTS = `
  WITH replay AS MATERIALIZED (
    SELECT replay_after_id, replay_until FROM webhook
    WHERE account_id = $1 AND deleted_at IS NULL AND replay_id IS NOT NULL
  ),
  old AS MATERIALIZED (
    SELECT ctid, id, type, resource_id, sequence FROM event
    WHERE account_id = $1 AND id > $2 AND id < $3
    ORDER BY id
    LIMIT ${ROWS_PER_COMMIT}
    FOR UPDATE SKIP LOCKED
  ),
  free AS MATERIALIZED (
    SELECT ctid, id, sequence,
      CASE WHEN type IN ('create_transaction', 'update_transaction')
        THEN resource_id::uuid END AS transaction_id
    FROM old o
    WHERE NOT EXISTS (
      SELECT FROM delivery
      WHERE account_id = $1 AND subject_id = o.id AND status = 'pending' OFFSET 0
    )
    AND NOT EXISTS (
      SELECT FROM replay
      WHERE o.id > replay_after_id AND time_of_id(o.id) <= replay_until
    )
    LIMIT $4
  ),
  answered AS MATERIALIZED (
    SELECT free.id, t.id AS transaction_id, t.status, t.idempotency_id
    FROM free
    CROSS JOIN LATERAL (
      SELECT id, status, idempotency_id FROM transaction
      WHERE account_id = $1 AND id = free.transaction_id AND reference_id IS NULL
        AND coalesce(outcome_sequence, version) = free.sequence
        AND idempotency_id IS NOT NULL AND NOT is_manual
      UNION ALL
      SELECT id, status, idempotency_id FROM transaction
      WHERE account_id = $1 AND reference_id = free.transaction_id
        AND outcome_sequence = free.sequence AND idempotency_id IS NOT NULL
    ) t
    WHERE free.transaction_id IS NOT NULL
  ),
  kept AS (
    UPDATE idempotency k SET answer = e.snapshot,
      answer_status = CASE a.status WHEN 'FAILED' THEN 400 ELSE 200 END
    FROM answered a
    CROSS JOIN LATERAL (SELECT snapshot FROM event WHERE account_id = $1 AND id = a.id OFFSET 0) e
    WHERE k.account_id = $1 AND k.key = a.idempotency_id
      AND k.resource_id = a.transaction_id::text
  ),
  gone AS (
    DELETE FROM event WHERE ctid = ANY(ARRAY(SELECT ctid FROM free)) RETURNING id
  )
  SELECT (SELECT count(*) FROM old)::integer AS seen, (SELECT count(*) FROM gone)::integer AS gone,
    (SELECT id FROM old ORDER BY id DESC LIMIT 1) AS last`

/** Deletes at most `most` events and returns how many. */
export function forgetEvents(world: World, madeBefore: Date, most: number): Promise<number> {
  const statement = FORGET_EVENTS
  return forgetByAccount(world.db, { table: 'event', madeBefore, most, statement })
}
