// Reads a transaction with its owners, and its children.

import type { Query } from '../../db/database.ts'
import { gatheredStatement } from '../../db/gathered.ts'
import type { Transaction } from '../../generated/client.ts'
import {
  BATCH_JOIN,
  BATCHED_COLUMNS,
  type BatchedTransaction,
  type RowKey,
  readBatched,
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from './transaction-row.ts'

export const findTransaction = gatheredStatement<RowKey, TransactionRow>({
  name: 'find-transaction',
  columns: { accountId: 'uuid', id: 'uuid' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, ${TRANSACTION_COLUMNS}
    FROM input i
    JOIN transaction t ON t.account_id = i.account_id AND t.id = i.id ${TRANSACTION_JOINS}`,
  read: readTransaction,
})

const FAMILY = `
  SELECT ${BATCHED_COLUMNS}
  FROM transaction t ${BATCH_JOIN}
  WHERE t.account_id = $1 AND t.reference_id = ANY($2::uuid[])
  ORDER BY t.created_at, t.id`

/**
 * The children of transactions: voids, refunds and captures, and the children of captures.
 *
 * All of them in one list, the oldest first; most transactions have none, and nobody looks.
 */
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
