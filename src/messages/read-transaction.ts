// Reads a transaction for messages, with its parent and its team.

import { gatheredLookUp } from '../db/gathered.ts'
import { reachedSum, takenBackSum } from '../payments/afterwards/taken-back.ts'
import {
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from '../payments/transaction/transaction-row.ts'
import { readSender, SENDER_COLUMNS, SENDER_JOINS, type Sender } from './sender.ts'

export interface LetterTransaction extends Sender {
  readonly transaction: TransactionRow
  readonly parent: Parent | undefined
  /** By the payer's bank, in cents. */
  readonly takenBack: bigint
  /** It is a refund, and the gateway could not pay it to the payer after all. */
  readonly failedLater: boolean
}

interface Parent {
  readonly type: TransactionRow['type']
  readonly total: bigint
  readonly meta: unknown
  readonly createdAt: Date
}

export const readLetterTransaction = gatheredLookUp({
  name: 'read-letter-transaction',
  table: 'transaction',
  alias: 't',
  columns: `${TRANSACTION_COLUMNS}, ${SENDER_COLUMNS},
      p.type AS parent_type, p.total AS parent_total, p.meta AS parent_meta,
      p.created_at AS parent_created_at,
      ${reachedSum('t')} AS reached, ${takenBackSum('t.account_id', 't.id')} AS taken_back,
      EXISTS (
        SELECT FROM reversal
        WHERE account_id = t.account_id AND transaction_id = t.id AND kind = 'refund_failed'
      ) AS failed_later`,
  joins: `${TRANSACTION_JOINS} ${SENDER_JOINS}
    LEFT JOIN LATERAL (
      SELECT type, total, meta, created_at FROM transaction
      WHERE account_id = t.account_id AND id = t.reference_id OFFSET 0
    ) p ON true`,
  read: (row): LetterTransaction => ({
    ...readSender(row),
    // To its reader, a refund that failed later is none.
    transaction: { ...readTransaction(row), refunded: BigInt(row.reached) },
    takenBack: BigInt(row.taken_back),
    failedLater: row.failed_later,
    parent:
      row.parent_type === null
        ? undefined
        : {
            type: row.parent_type,
            total: BigInt(row.parent_total),
            meta: row.parent_meta,
            createdAt: row.parent_created_at,
          },
  }),
})
