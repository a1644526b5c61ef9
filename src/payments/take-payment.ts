// How a worker takes what is owed.

import { after } from '../core/time-units.ts'
import type { Owed } from '../core/transaction.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { World } from '../world.ts'
import type { RowKey } from './row-key.ts'
import {
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from './transaction-row.ts'

interface Take extends RowKey {
  readonly owed: Owed
  readonly now: Date
  /** Until when nobody else will look at it. */
  readonly leasedUntil: Date
}

export interface Taken extends TransactionRow {
  /** What is PENDING has one: a CHECK holds it. */
  readonly deadlineAt: Date
  /** The account's own time, where it has one. */
  readonly clockAt: Date | null
}

export function take(world: World, key: RowKey, owed: Owed): Promise<Taken | undefined> {
  const now = world.clock.now()
  const leasedUntil = after(now, world.timings.leaseMs)
  return world.db.ask(takePayment, { ...key, owed, now, leasedUntil })
}

/**
 * Takes what is owed, and puts it in doubt with that: who dies from here on leaves a question,
 * never a second charge. What somebody else holds, has finished or will look at later is left
 * alone, and answers nothing.
 */
export const takePayment = gatheredStatement<Take, Taken>({
  name: 'take-payment',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    owed: 'text',
    now: 'timestamptz',
    leasedUntil: 'timestamptz',
  },
  text: (input) => `
    WITH ${input},
    free AS (
      SELECT i.ord, i.leased_until, f.account_id, f.id
      FROM input i
      CROSS JOIN LATERAL (
        SELECT f.account_id, f.id FROM transaction f
        WHERE f.account_id = i.account_id AND f.id = i.id
          AND f.status = 'PENDING' AND f.owed = i.owed AND f.parked_at IS NULL
          AND (f.owed = 'charge' OR f.due_at <= i.now)
        FOR UPDATE SKIP LOCKED
      ) f
    ),
    t AS (
      UPDATE transaction u SET owed = 'doubt', due_at = free.leased_until, attempt = u.attempt + 1
      FROM free WHERE u.account_id = free.account_id AND u.id = free.id
      RETURNING u.*, free.ord
    )
    SELECT t.ord, a.clock_at, ${TRANSACTION_COLUMNS}
    FROM t ${TRANSACTION_JOINS} JOIN account a ON a.id = t.account_id`,
  read: (row) => ({
    ...readTransaction(row),
    deadlineAt: row.t_deadline_at,
    clockAt: row.clock_at,
  }),
})
