// What changes a transaction and its children together begins by locking the parent, and its batch
// against being frozen: no other commit decides anything of the two until this one is done.

import type { Query } from '../db/database.ts'
import type { RowKey } from './row-key.ts'
import {
  HELD_BATCH_JOIN,
  OWNER_JOINS,
  readTransaction,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from './transaction-row.ts'

const LOCK = 'SELECT FROM transaction WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE'

const READ = `
  SELECT ${TRANSACTION_COLUMNS}
  FROM transaction t ${HELD_BATCH_JOIN} ${OWNER_JOINS}
  WHERE t.account_id = $1 AND t.id = $2`

/** The row is read once it is locked: a commit that held it may have put it in a batch. */
export async function lockTransaction(
  query: Query,
  { accountId, id }: RowKey,
): Promise<TransactionRow | undefined> {
  await query(LOCK, [accountId, id])
  const [row] = await query(READ, [accountId, id])
  return row && readTransaction(row)
}

/** What a commit about a transaction and its children is about: they take turns. */
export function turnOf({ accountId, id }: RowKey): string {
  return `transaction ${accountId} ${id}`
}
