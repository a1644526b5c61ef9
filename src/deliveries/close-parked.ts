// Closes parked deliveries: a person has seen to them, and they wait for nobody any more. They stay
// given up; whoever names one may still have it tried again.

import type { World } from '../world.ts'
import { CHANNELS } from './prompt-deliveries.ts'
import type { DeliveryKey, ParkedFilter } from './redrive.ts'

const CHUNK = 500

const BY_FILTER = `
  WITH chosen AS MATERIALIZED (
    SELECT account_id, id FROM delivery
    WHERE status = 'parked' AND closed_at IS NULL AND channel = $2::delivery_channel
      AND updated_at >= coalesce($3::timestamptz, '-infinity')
      AND updated_at < coalesce($6::timestamptz, $1)
      AND ($4::parked_reason IS NULL OR reason = $4::parked_reason)
      AND ($5::uuid[] IS NULL OR account_id = ANY($5::uuid[]))
    ORDER BY updated_at
    LIMIT ${CHUNK}
    FOR UPDATE SKIP LOCKED
  )
  UPDATE delivery d SET closed_at = $1
  FROM chosen
  WHERE d.account_id = chosen.account_id AND d.id = chosen.id
  RETURNING d.id`

const BY_KEY = `
  UPDATE delivery d SET closed_at = $1
  FROM unnest($2::uuid[], $3::uuid[]) AS named(account_id, id)
  WHERE d.account_id = named.account_id AND d.id = named.id
    AND d.status = 'parked' AND d.closed_at IS NULL
  RETURNING d.id`

/** Answers how many: those that were parked by now, whyever. */
export async function closeAll(world: World, filter: ParkedFilter): Promise<number> {
  const { channel, reason = null, accountIds = null, since = null, until = null } = filter
  const now = world.clock.now()
  let count = 0
  for (const one of channel === undefined ? CHANNELS : [channel]) {
    let closed: number
    do {
      const values = [now, one, since, reason, accountIds, until]
      closed = (await world.db.query(BY_FILTER, values)).length
      count += closed
    } while (closed === CHUNK)
  }
  return count
}

/** Those that are named. Answers how many were not closed yet. */
export async function closeNamed(world: World, keys: readonly DeliveryKey[]): Promise<number> {
  const values = [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]
  return (await world.db.query(BY_KEY, [world.clock.now(), ...values])).length
}
