// When payments are due: those that a worker should have looked at by now, and the next deadline.

import { BEFORE_ALL_IDS } from '../../core/id.ts'
import type { PendingWork } from '../../core/transaction.ts'
import type { RowKey } from '../../db/columns.ts'
import type { Query } from '../../db/database.ts'
import type { World } from '../../world.ts'
import { isUnderWay } from '../transaction/under-way.ts'

export interface OverduePayment extends RowKey {
  readonly work: PendingWork
  readonly dueAt: Date
  readonly requestId: string
}

type Cursor = Pick<OverduePayment, 'dueAt' | 'id'>

/** Named as in `OverduePayment`. */
const OVERDUE = `
  SELECT account_id AS "accountId", id, owed AS work, due_at AS "dueAt", request_id AS "requestId"
  FROM transaction
  WHERE due_at <= $1 AND (due_at, id) > ($2, $3)
  ORDER BY due_at, id
  LIMIT $4`

/** The place before all payments that are due at that instant or later. */
export function placeBefore(dueAt: Date): Cursor {
  return { dueAt, id: BEFORE_ALL_IDS }
}

/** A page of overdue payments, the longest overdue first, after the last one of the page before. */
export async function overduePayments(
  world: World,
  now: Date,
  most: number,
  last: Cursor = placeBefore(new Date(0)),
): Promise<readonly OverduePayment[]> {
  const rows = await world.db.query(OVERDUE, [now, last.dueAt, last.id, most])
  return rows as readonly OverduePayment[]
}

/**
 * The deadlines of payments that wait for the gateway. Parked ones wait for a person, not for an
 * instant.
 */
const NEXT = `
  SELECT min(deadline_at) AS deadline_at FROM transaction
  WHERE account_id = $1 AND ${isUnderWay('transaction')}
    AND parked_at IS NULL`

/**
 * The next deadline of an account's payments, in the account's own time. Undefined if no payment is
 * under way.
 */
export async function nextDeadline(query: Query, accountId: string): Promise<Date | undefined> {
  const [row] = await query(NEXT, [accountId])
  return row?.deadline_at ?? undefined
}
