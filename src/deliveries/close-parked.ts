// Closes parked deliveries: a person has seen to them, and they wait for nobody any more. They stay
// given up; whoever names one may still have it tried again.

import type { World } from '../world.ts'
import { byChunks, chosenBy, type DeliveryKey, type ParkedFilter } from './parked-filter.ts'

const BY_FILTER = `
  WITH ${chosenBy('true')}
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

/** Answers how many, whyever they were parked. */
export function closeAll(world: World, filter: ParkedFilter): Promise<number> {
  const close = async (values: readonly unknown[]) =>
    (await world.db.query(BY_FILTER, values)).length
  return byChunks(filter, world.clock.now(), close)
}

/** Those that are named. Answers how many were not closed yet. */
export async function closeNamed(world: World, keys: readonly DeliveryKey[]): Promise<number> {
  const values = [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]
  return (await world.db.query(BY_KEY, [world.clock.now(), ...values])).length
}
