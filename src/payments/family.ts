// The children of transactions: voids, refunds and captures, and the children of captures.

import type { Query } from '../db/database.ts'
import type { Transaction } from '../generated/client.ts'
import {
  BATCH_JOIN,
  BATCHED_COLUMNS,
  type BatchedTransaction,
  readBatched,
} from './transaction-row.ts'

const FAMILY = `
  SELECT ${BATCHED_COLUMNS}
  FROM transaction t ${BATCH_JOIN}
  WHERE t.account_id = $1 AND t.reference_id = ANY($2::uuid[])
  ORDER BY t.created_at, t.id`

/** All of them in one list, the oldest first; most transactions have none, and nobody looks. */
export async function familyOf(
  query: Query,
  accountId: string,
  parents: readonly Pick<Transaction, 'id' | 'children'>[],
): Promise<readonly BatchedTransaction[]> {
  const ids = parents.flatMap((parent) => (parent.children > 0 ? [parent.id] : []))
  if (ids.length === 0) return []
  const children = (await query(FAMILY, [accountId, ids])).map(readBatched)
  return [...children, ...(await familyOf(query, accountId, children))]
}
