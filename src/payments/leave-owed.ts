// How a worker gives back what could not be decided.

import type { PendingWork } from '../core/transaction.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { RowKey } from './row-key.ts'

export interface LeftOwed extends RowKey {
  readonly attempt: number
  readonly owed: PendingWork
  /** What the gateway calls it; null while that is not known. */
  readonly authId: string | null
  /** null parks it. */
  readonly dueAt: Date | null
  readonly parkedAt: Date | null
}

/** Gives back what could not be decided: owed again, or parked for a person. */
export const leaveOwed = gatheredStatement<LeftOwed, true>({
  name: 'leave-owed',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    attempt: 'integer',
    owed: 'text',
    authId: 'text',
    dueAt: 'timestamptz',
    parkedAt: 'timestamptz',
  },
  text: (input) => `
    WITH ${input}
    UPDATE transaction t SET owed = i.owed, due_at = i.due_at, parked_at = i.parked_at,
      auth_id = coalesce(i.auth_id, t.auth_id)
    FROM input i
    WHERE t.account_id = i.account_id AND t.id = i.id
      AND t.status = 'PENDING' AND t.attempt = i.attempt
    RETURNING i.ord`,
  read: () => true,
})
