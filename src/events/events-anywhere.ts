// The events of all teams, as operators look for them.

import { columnsOf, type RowKey } from '../db/columns.ts'
import { declareList } from '../db/declared-list.ts'
import type { Event } from '../generated/client.ts'
import type { World } from '../world.ts'

/** The columns without the content of the events, which may be long. */
const SEEN = [
  'accountId',
  'id',
  'type',
  'resourceId',
  'sequence',
  'requestId',
  'createdAt',
] as const

export type SeenEvent = Pick<Event, (typeof SEEN)[number]>

const event = columnsOf<SeenEvent>('Event', 'e', [], SEEN)

export const SEEN_EVENTS = declareList({
  table: 'event',
  alias: 'e',
  filters: {
    type: 'e.type = $value',
    resource: 'e.resource_id = lower($value)',
    request: 'e.request_id = $value',
  },
  sorts: {},
  columns: event.list,
  view: event.read,
})

export interface WholeEvent extends SeenEvent {
  /** The text that endpoints get. */
  readonly body: string
}

const ONE = `
  SELECT ${event.list}, e.snapshot::text AS body FROM event e WHERE e.account_id = $1 AND e.id = $2`

export async function findEvent(
  { db }: World,
  { accountId, id }: RowKey,
): Promise<WholeEvent | undefined> {
  const [row] = await db.query(ONE, [accountId, id])
  return row && { ...event.read(row), body: row.body }
}
