// What changes a transaction and its children together begins by taking hold of the parent: nobody
// else decides anything of it until the commit.

import type { Query } from '../db/database.ts'
import type { RowKey } from './row-key.ts'
import {
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from './transaction-row.ts'

const LOCK = `
  SELECT ${TRANSACTION_COLUMNS}
  FROM (
    SELECT * FROM transaction WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE
  ) t ${TRANSACTION_JOINS}`

export async function lockTransaction(
  query: Query,
  { accountId, id }: RowKey,
): Promise<TransactionRow | undefined> {
  const [row] = await query(LOCK, [accountId, id])
  return row && readTransaction(row)
}

/** What a commit about a transaction and its children is about: they take turns. */
export function turnOf({ accountId, id }: RowKey): string {
  return `transaction ${accountId} ${id}`
}
