// The event of a change, in a commit that is made of statements.

import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import type { Change } from './event-write.ts'

const INSERT = `
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
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
