// What cannot be run yet is due again later.

import { after, MINUTE } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import type { ClaimedSchedule } from './claim-due.ts'
import type { DueSchedule } from './find-due.ts'

/** A team that may not charge, or has no gateway, is looked at again after this long. */
const LOOK_AGAIN_MS = 5 * MINUTE

const PUT_OFF = `
  UPDATE schedule s SET due_at = i.due_at
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS i (account_id, id, due_at)
  WHERE s.account_id = i.account_id AND s.id = i.id`

/** It stays due, and is seen to when it may be. */
export async function putOff(
  world: World,
  query: Query,
  waiting: readonly (Pick<DueSchedule, 'accountId' | 'id'> &
    Partial<Pick<ClaimedSchedule, 'account'>>)[],
): Promise<void> {
  if (waiting.length === 0) return
  const again = after(world.clock.now(), LOOK_AGAIN_MS)
  await query(PUT_OFF, [
    waiting.map(({ accountId }) => accountId),
    waiting.map(({ id }) => id),
    waiting.map(({ account }) => (account?.clockAt ? null : again)),
  ])
}
