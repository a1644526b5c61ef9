// A batch as whoever settles it finds it: with what of its account decides when it is due.

import type { Query } from '../db/database.ts'
import type { AccountContext } from '../payments/transaction/account-context.ts'
import type { RowItem } from '../queue/catalogue.ts'
import { BATCH_COLUMNS, type BatchRow, readBatch } from './batch.ts'

export interface Closing {
  readonly batch: BatchRow
  readonly account: Omit<AccountContext, 'now'>
  /** Of whatever had it closed: the events carry it. */
  readonly requestId: string
}

/** The worker that holds a row at the moment commits within milliseconds. */
export const HELD_MS = 100

const FIND = `
  SELECT ${BATCH_COLUMNS}, a.mode, a.clock_at, m.settlement_tokenization_enabled
  FROM batch b
  JOIN account a ON a.id = b.account_id
  JOIN team m ON m.id = a.team_id
  WHERE b.account_id = $1 AND b.id = $2`

/** `now` is where an account's own clock stands, for whoever is advancing it. */
export async function findClosing(
  query: Query,
  { accountId, id, requestId }: RowItem,
  now: Date | undefined,
): Promise<Closing | undefined> {
  const [row] = await query(FIND, [accountId, id])
  if (row === undefined) return undefined
  const account = {
    accountId,
    mode: row.mode,
    clockAt: row.clock_at && (now ?? row.clock_at),
    settlementTokenizationEnabled: row.settlement_tokenization_enabled,
  }
  return { batch: readBatch(row), account, requestId }
}
