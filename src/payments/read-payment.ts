// How the intake reads payments back.

import type { TransactionStatus } from '../core/transaction.ts'
import { gatheredStatement } from '../db/gathered.ts'
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

/** What a caller who waits is told: how it stands, and the words in which an event told of it. */
export interface PaymentReply {
  readonly status: TransactionStatus
  /** JSON. Undefined while nothing has been told. */
  readonly body: string | undefined
}

/**
 * What came since the outcome is not its answer: a repeat is told what the first caller was. The
 * outcome of a capture, a void or a refund was told by an event of its parent. Once that event is
 * forgotten, the key of the request has it.
 */
export const readOutcome = gatheredStatement<RowKey, PaymentReply>({
  name: 'read-outcome',
  columns: { accountId: 'uuid', id: 'uuid' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, t.status, coalesce(e.snapshot, (
        SELECT answer FROM idempotency
        WHERE account_id = t.account_id AND key = t.idempotency_id AND resource_id = t.id::text
      ))::text AS body
    FROM input i
    JOIN transaction t ON t.account_id = i.account_id AND t.id = i.id
    LEFT JOIN event e ON e.account_id = t.account_id
      AND e.resource_id = coalesce(t.reference_id, t.id)::text
      AND e.sequence = CASE WHEN t.reference_id IS NULL
        THEN coalesce(t.outcome_sequence, t.version) ELSE t.outcome_sequence END`,
  read: (row) => ({ status: row.status, body: row.body ?? undefined }),
})
