// The events of all teams, as operators look for them.

import { declareList } from '../db/declared-list.ts'
import type { Row } from '../db/gathered.ts'
import type { World } from '../world.ts'

export interface SeenEvent {
  readonly accountId: string
  readonly id: string
  readonly type: string
  readonly resourceId: string
  readonly sequence: number
  readonly requestId: string
  readonly createdAt: Date
}

const COLUMNS = `e.account_id, e.id, e.type, e.resource_id, e.sequence, e.request_id, e.created_at`

/** Leaves out the content of the events, which may be long. */
export const SEEN_EVENTS = declareList({
  table: 'event',
  alias: 'e',
  filters: {
    type: 'e.type = $value',
    resource: 'e.resource_id = lower($value)',
    request: 'e.request_id = $value',
  },
  sorts: {},
  columns: COLUMNS,
  view: seenEvent,
})

function seenEvent(row: Row): SeenEvent {
  return {
    accountId: row.account_id,
    id: row.id,
    type: row.type,
    resourceId: row.resource_id,
    sequence: row.sequence,
    requestId: row.request_id,
    createdAt: row.created_at,
  }
}

export interface WholeEvent extends SeenEvent {
  /** The text that endpoints get. */
  readonly body: string
}

const ONE = `
  SELECT ${COLUMNS}, e.snapshot::text AS body FROM event e WHERE e.account_id = $1 AND e.id = $2`

export async function findEvent(
  { db }: World,
  accountId: string,
  id: string,
): Promise<WholeEvent | undefined> {
  const [row] = await db.query(ONE, [accountId, id])
  return row && { ...seenEvent(row), body: row.body }
}
