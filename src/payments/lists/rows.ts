// The rows of a page, by their ids and in their order.

import type { Query } from '../../db/database.ts'
import {
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from '../transaction-row.ts'

const ROWS = `
  SELECT ${TRANSACTION_COLUMNS}
  FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, place)
  CROSS JOIN LATERAL (
    SELECT * FROM transaction WHERE account_id = $1 AND id = wanted.id OFFSET 0
  ) t ${TRANSACTION_JOINS}
  ORDER BY wanted.place`

export async function rowsOf(
  query: Query,
  accountId: string,
  ids: readonly string[],
): Promise<readonly TransactionRow[]> {
  if (ids.length === 0) return []
  return (await query(ROWS, [accountId, ids])).map(readTransaction)
}
