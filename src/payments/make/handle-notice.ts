// A gateway has sent an event. The event is not believed: the payment that it is about, or the feed
// with such news, is due now, and a worker asks the gateway.

import type { Gateway, GatewayPlace, OrderKey } from '../../outside/gateway/port.ts'
import type { World } from '../../world.ts'

/**
 * Finds only payments that the gateway has left open, or could not decide by their deadline: news
 * of a parked one spares a person the question. A payment without its gateway's id is with a worker
 * at this moment, or is asked about within seconds.
 */
const MAKE_DUE = `
  UPDATE transaction SET due_at = $3, parked_at = NULL
  WHERE account_id = $1 AND id = $2 AND gateway_name = $4 AND status = 'PENDING'
    AND owed = 'doubt' AND (parked_at IS NOT NULL OR (auth_id IS NOT NULL AND due_at > $3))
  RETURNING request_id`

/** A feed that is being read stays due, since its reader may have passed this news. */
const MAKE_FEED_DUE = `
  UPDATE gateway_feed SET due_at = $3
  WHERE gateway_name = $1 AND place = $2 AND due_at > $3
  RETURNING place`

/** False if the gateway did not sign it. */
export async function handleNotice(
  world: World,
  gateway: Gateway,
  body: string,
  signature: string,
): Promise<boolean> {
  const subjects = await gateway.notices?.read(body, signature)
  for (const subject of subjects ?? []) {
    if ('place' in subject) await makeFeedDue(world, gateway.name, subject)
    else await makeDue(world, gateway.name, subject)
  }
  return subjects !== undefined
}

async function makeFeedDue(
  world: World,
  gatewayName: string,
  { place }: GatewayPlace,
): Promise<void> {
  const found = await world.db.query(MAKE_FEED_DUE, [gatewayName, place, world.clock.now()])
  if (found.length > 0) world.queues.startRound('gateway_feed')
}

/** A worker asks the gateway about it at once. */
export async function makeDue(
  world: World,
  gatewayName: string,
  { accountId, key: id }: OrderKey,
): Promise<void> {
  const values = [accountId, id, world.clock.now(), gatewayName]
  const [row] = await world.db.query(MAKE_DUE, values)
  if (row === undefined) return
  world.queues.nudge('doubt', { accountId, id, requestId: row.request_id })
}
