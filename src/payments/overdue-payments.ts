// Payments that somebody should have looked at by now, the longest overdue first.

import type { PendingWork } from '../core/transaction.ts'
import type { World } from '../world.ts'
import type { RowKey } from './row-key.ts'

export interface OverduePayment extends RowKey {
  readonly owed: PendingWork
  readonly dueAt: Date
  readonly requestId: string
}

const OVERDUE = `
  SELECT account_id, id, owed, due_at, request_id
  FROM transaction
  WHERE due_at <= $1 AND (due_at, id) > ($2, $3)
  ORDER BY due_at, id
  LIMIT $4`

const BEFORE_ALL = { dueAt: new Date(0), id: '00000000-0000-0000-0000-000000000000' }

/** A page of them, after the last one of the page before. */
export async function overduePayments(
  world: World,
  now: Date,
  most: number,
  last: Pick<OverduePayment, 'dueAt' | 'id'> = BEFORE_ALL,
): Promise<readonly OverduePayment[]> {
  const rows = await world.db.query(OVERDUE, [now, last.dueAt, last.id, most])
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.id,
    owed: row.owed,
    dueAt: row.due_at,
    requestId: row.request_id,
  }))
}
