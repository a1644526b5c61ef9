// How the intake reads payments back.

import { gatheredStatement, type Row } from '../db/gathered.ts'
import type { RowKey } from './row-key.ts'
import {
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

/**
 * What a caller who waits is told: the row, and the answer of its idempotency key, where it has
 * one.
 */
export interface Outcome {
  readonly row: TransactionRow
  readonly answer: { readonly status: number; readonly body: string } | undefined
}

export const readOutcome = gatheredStatement<RowKey, Outcome>({
  name: 'read-outcome',
  columns: { accountId: 'uuid', id: 'uuid' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, k.answer_status, k.answer::text AS answer, ${TRANSACTION_COLUMNS}
    FROM input i
    JOIN transaction t ON t.account_id = i.account_id AND t.id = i.id ${TRANSACTION_JOINS}
    LEFT JOIN idempotency k ON k.account_id = t.account_id AND k.key = t.idempotency_id
      AND k.resource_id = t.id::text`,
  read: (row) => ({ row: readTransaction(row), answer: readAnswer(row) }),
})

function readAnswer(row: Row): Outcome['answer'] {
  return row.answer === null ? undefined : { status: row.answer_status, body: row.answer }
}
