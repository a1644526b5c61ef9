// Writes the event of a change, in the commit of the change. The trigger `event_is_owed`
// (prisma/migrations/20261121300100_delivery_rules) then writes a delivery of it for each subscribed
// endpoint.

import type { RowWrite } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import type { EventType } from './event-names.ts'

export interface Change {
  readonly accountId: string
  readonly type: EventType
  readonly resourceId: string
  /** The resource's version after the change. */
  readonly sequence: number
  /** The resource as its GET returns it after the change. */
  readonly view: object
  readonly requestId: string
  readonly at: Date
}

/** The change that follows from the changed row, and the answer of its GET. */
export function changeOf(
  type: EventType,
  row: Pick<Change, 'accountId'> & {
    readonly id: string
    readonly version: number
    readonly updatedAt: Date
  },
  view: object,
  { requestId }: Pick<Change, 'requestId'>,
): Change {
  const { accountId, id: resourceId, version: sequence, updatedAt: at } = row
  return { accountId, type, resourceId, sequence, view, requestId, at }
}

/** A SELECT of these columns, in this order, must follow. */
export const INSERT_EVENTS = `
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)`

const EVENT_RECORD = `e(account_id uuid, id uuid, type text, resource_id text, sequence integer,
    snapshot json, request_id text, created_at timestamptz)`

const insertFrom = (records: string) => `${INSERT_EVENTS}
  SELECT * FROM json_to_recordset(${records}::json) AS ${EVENT_RECORD}`

export async function insertEvent(world: World, query: Query, change: Change): Promise<void> {
  await query(insertFrom('$1'), [recordsOf(world, [change])])
}

/** Writes rows, and the events of those whose change is visible, in one statement. */
export async function writeWithEvents<T>(
  world: World,
  query: Query,
  { text, json }: RowWrite<T>,
  rows: readonly T[],
  changes: readonly Change[],
): Promise<void> {
  if (rows.length === 0) return
  const statement = `WITH written AS (${text}) ${insertFrom('$2')}`
  await query(statement, [json(rows), recordsOf(world, changes)])
}

function recordsOf(world: World, changes: readonly Change[]): string {
  const records = changes.map(({ accountId, type, resourceId, sequence, view, requestId, at }) => ({
    account_id: accountId,
    id: world.newId(),
    type,
    resource_id: resourceId,
    sequence,
    snapshot: view,
    request_id: requestId,
    created_at: at,
  }))
  return JSON.stringify(records)
}
