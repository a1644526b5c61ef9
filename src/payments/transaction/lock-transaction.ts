// Every change of a transaction and its children locks the parent first, so that no other commit
// decides anything about it until the end. A change that may void it also locks its batch against
// the freeze. Other changes do not, because a busy caller could then keep a day from closing.

import type { RowKey } from '../../db/columns.ts'
import type { Query } from '../../db/database.ts'
import {
  HELD_BATCH_JOIN,
  OWNER_JOINS,
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from './transaction-row.ts'

const LOCK = 'SELECT FROM transaction WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE'

const READ = readThrough(TRANSACTION_JOINS)
const READ_AND_HOLD_BATCH = readThrough(`${HELD_BATCH_JOIN} ${OWNER_JOINS}`)

function readThrough(joins: string): string {
  return `
  SELECT ${TRANSACTION_COLUMNS} FROM transaction t ${joins}
  WHERE t.account_id = $1 AND t.id = $2`
}

/** The row is read after the lock, because an earlier commit may have put it into a batch. */
export const lockTransaction = lockedBy(READ)

/** The same, and its batch is not frozen before the commit. */
export const lockTransactionInBatch = lockedBy(READ_AND_HOLD_BATCH)

function lockedBy(read: string) {
  return async (query: Query, { accountId, id }: RowKey): Promise<TransactionRow | undefined> => {
    await query(LOCK, [accountId, id])
    const [row] = await query(read, [accountId, id])
    return row && readTransaction(row)
  }
}

/** Commits about the same transaction and its children wait for each other. */
export function transactionTurn({ accountId, id }: RowKey): string {
  return `transaction ${accountId} ${id}`
}
