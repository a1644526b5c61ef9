// A batch to settle, with the account's settings that decide when it is due.

import type { Query } from '../db/database.ts'
import type { AccountContext } from '../payments/transaction/account-context.ts'
import type { RowItem } from '../queue/catalogue.ts'
import { BATCH_COLUMNS, type BatchRow, readBatch } from './batch.ts'

export interface BatchWithAccount {
  readonly batch: BatchRow
  readonly account: Omit<AccountContext, 'now'>
  /** The clock in the account's row. While it is advanced, `account` may be earlier. */
  readonly clockOfRow: Date | null
  /** The request that closed the batch; its events carry this id. */
  readonly requestId: string
}

/** A worker that holds the row commits within milliseconds. */
export const HELD_MS = 100

const FIND = `
  SELECT ${BATCH_COLUMNS}, a.mode, a.clock_at, m.settlement_tokenization_enabled
  FROM batch b
  JOIN account a ON a.id = b.account_id
  JOIN team m ON m.id = a.team_id
  WHERE b.account_id = $1 AND b.id = $2`

/** `now` is the account's own time while its clock is being advanced. */
export async function findBatchWithAccount(
  query: Query,
  { accountId, id, requestId }: RowItem,
  now: Date | undefined,
): Promise<BatchWithAccount | undefined> {
  const [row] = await query(FIND, [accountId, id])
  if (row === undefined) return undefined
  const account = {
    accountId,
    mode: row.mode,
    clockAt: row.clock_at && (now ?? row.clock_at),
    settlementTokenizationEnabled: row.settlement_tokenization_enabled,
  }
  return { batch: readBatch(row), account, clockOfRow: row.clock_at, requestId }
}
