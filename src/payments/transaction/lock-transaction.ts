// What changes a transaction and its children together begins by locking the parent: no other
// commit decides anything of it until this one is done. What may void it locks its batch as well,
// against being frozen; nothing else does, or a caller who is busy with a day would keep it from
// closing.

import type { Query } from '../../db/database.ts'
import {
  HELD_BATCH_JOIN,
  OWNER_JOINS,
  type RowKey,
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

/** The row is read once it is locked: a commit that held it may have put it in a batch. */
export const lockTransaction = lockedBy(READ)

/** The same, and its batch stays as it is until the commit. */
export const lockTransactionInBatch = lockedBy(READ_AND_HOLD_BATCH)

function lockedBy(read: string) {
  return async (query: Query, { accountId, id }: RowKey): Promise<TransactionRow | undefined> => {
    await query(LOCK, [accountId, id])
    const [row] = await query(read, [accountId, id])
    return row && readTransaction(row)
  }
}

/** What a commit about a transaction and its children is about: they take turns. */
export function transactionTurn({ accountId, id }: RowKey): string {
  return `transaction ${accountId} ${id}`
}
