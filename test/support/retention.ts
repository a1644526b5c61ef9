// Time that has passed, and rows from before it.

import { firstIdAt } from '../../src/core/id.ts'
import type { World } from '../../src/world.ts'
import type { TestService } from './test-service.ts'

export const DAY = 24 * 60 * 60_000

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY)
}

/** The same world some days later. */
export function daysLater(world: World, days: number): World {
  return { ...world, clock: { ...world.clock, now: () => daysAgo(-days) } }
}

/** An id in the form that it would have had at that instant. */
export function idMadeAt(world: World, at: Date): string {
  return firstIdAt(at).slice(0, 14) + world.newId().slice(14)
}

/** Events of customers with the given ages; answers their ids, the oldest first. */
export async function insertEvents(
  { world }: TestService,
  accountId: string,
  count: number,
  at: Date,
): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => idMadeAt(world, at)).sort()
  await world.db.query(
    `INSERT INTO event
       (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
     SELECT $1, id, 'update_customer', id, 1, '{"n": 1}', 'test', $3
     FROM unnest($2::uuid[]) AS id`,
    [accountId, ids, at],
  )
  return ids
}

export async function eventIds(
  { world }: TestService,
  accountId: string,
): Promise<readonly string[]> {
  const rows = await world.db.query('SELECT id FROM event WHERE account_id = $1 ORDER BY id', [
    accountId,
  ])
  return rows.map(({ id }) => id)
}
