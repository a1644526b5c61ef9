// Deletes the lines of the tally of words that add up to nothing. A change of a transaction deletes
// them itself, unless another one changes the same words at that moment: neither knows then that
// nothing is left, and a corrected note would stay readable here.
//
// The tally may be large, so it is read part after part, in the order of its key. An index of the
// lines that count nothing would have to follow each declined payment.

import { BEFORE_ALL_IDS } from '../../core/id.ts'
import { ONLY_INDEX_SCANS } from '../../db/forget-by-account.ts'
import type { World } from '../../world.ts'

/** Lines that are read at a time, in a few milliseconds. */
const LINES = 500

const SAME_WORDS = 'account_id, words_hash, type, status, method, is_manual'

/**
 * All lines of one text are in one part. The sum is taken again of the locked lines: what they add
 * up to is what is deleted.
 */
const FORGET = `
  WITH part AS MATERIALIZED (
    SELECT ${SAME_WORDS}, count FROM transaction_words
    WHERE (account_id, words_hash) > ($1::uuid, $2::bytea)
    ORDER BY account_id, words_hash FETCH FIRST ${LINES} ROWS WITH TIES
  ),
  empty AS (SELECT ${SAME_WORDS} FROM part GROUP BY ${SAME_WORDS} HAVING sum(count) = 0),
  lines AS (
    SELECT line.* FROM transaction_words line JOIN empty USING (${SAME_WORDS})
    FOR UPDATE OF line SKIP LOCKED
  ),
  gone AS (
    SELECT ${SAME_WORDS}, array_agg(shard) AS shards FROM lines
    GROUP BY ${SAME_WORDS} HAVING sum(count) = 0
  ),
  deleted AS (
    DELETE FROM transaction_words line USING gone
    WHERE (line.account_id, line.words_hash, line.type, line.status, line.method, line.is_manual)
        = (gone.account_id, gone.words_hash, gone.type, gone.status, gone.method, gone.is_manual)
      AND line.shard = ANY(gone.shards)
    RETURNING line.shard
  )
  SELECT account_id, words_hash, (SELECT count(*)::integer FROM part) AS seen,
    (SELECT count(*)::integer FROM deleted) AS gone
  FROM part ORDER BY account_id DESC, words_hash DESC LIMIT 1`

const BEFORE_ALL = [BEFORE_ALL_IDS, Buffer.alloc(0)] as const

/** Returns how many lines it deleted. If it equals the maximum or more, more may be left. */
export async function forgetWords({ db }: Pick<World, 'db'>, most: number): Promise<number> {
  let after: readonly unknown[] = BEFORE_ALL
  let gone = 0
  while (gone < most) {
    const [part] = await db.commit('forget words', async (query) => {
      await query(ONLY_INDEX_SCANS)
      return query(FORGET, after)
    })
    gone += part?.gone ?? 0
    if (part === undefined || part.seen < LINES) break
    after = [part.account_id, part.words_hash]
  }
  return gone
}
