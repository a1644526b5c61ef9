// The job `webhook`: tells endpoints what has happened, and what is to be replayed to them.

import { deliverDue } from '../deliveries/deliver-due.ts'
import type { World } from '../world.ts'
import { oweReplays } from './owe-replays.ts'
import { webhookCarrier } from './webhook-carrier.ts'

/** What is wrong with a replay keeps nobody from being told what is new. */
export async function webhookRound(world: World): Promise<number> {
  const replayed = await oweReplays(world).catch((err) => ({ err }))
  const told = await deliverDue(world, webhookCarrier(world))
  if (typeof replayed === 'object') throw replayed.err
  return told
}
