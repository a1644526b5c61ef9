// How the intake tells of a payment that it answers before it is decided.

import { gatheredStatement } from '../db/gathered.ts'
import type { RowKey } from './row-key.ts'

export interface Announced extends RowKey {
  readonly at: Date
  readonly eventId: string
  readonly snapshot: string
}

/**
 * Tells of a payment whose caller is answered before it is decided, once, and not when it has just
 * been decided.
 */
export const announcePending = gatheredStatement<Announced, true>({
  name: 'announce-pending',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    at: 'timestamptz',
    eventId: 'uuid',
    snapshot: 'json',
  },
  text: (input) => `
    WITH ${input},
    announced AS (
      UPDATE transaction t SET version = 1
      FROM input i
      WHERE t.account_id = i.account_id AND t.id = i.id AND t.status = 'PENDING' AND t.version = 0
      RETURNING i.ord, i.event_id, i.snapshot, i.at, t.account_id, t.id, t.request_id
    ),
    told AS (
      INSERT INTO event
        (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
      SELECT account_id, event_id, 'create_transaction', id::text, 1, snapshot, request_id, at
      FROM announced
    )
    SELECT ord FROM announced`,
  read: () => true,
})
