// The event of a change, in the commit of the change.

import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import type { EventType } from './event-names.ts'

export interface Change {
  readonly accountId: string
  readonly type: EventType
  readonly resourceId: string
  /** The resource's version after the change. */
  readonly sequence: number
  /** The resource as its GET answers it from now on. */
  readonly view: object
  readonly requestId: string
  readonly at: Date
}

/** Of a row as it is from now on, and as its GET answers it. */
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

/** Of what a statement has changed: a SELECT of these follows, in this order. */
export const INSERT_EVENTS = `
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)`

const INSERT = `${INSERT_EVENTS}
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

export async function insertEvent(world: World, query: Query, change: Change): Promise<void> {
  const { accountId, type, resourceId, sequence, requestId, at } = change
  const snapshot = JSON.stringify(change.view)
  await query(INSERT, [
    accountId,
    world.newId(),
    type,
    resourceId,
    sequence,
    snapshot,
    requestId,
    at,
  ])
}
