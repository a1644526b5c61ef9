// A gateway has sent an event about a payment. The event is not believed: the payment is due now,
// and a worker asks the gateway.

import type { Gateway, OrderKey } from '../../outside/gateway/port.ts'
import type { World } from '../../world.ts'

/**
 * Only a payment that the gateway has left open. A payment without its gateway's id is with a
 * worker at this moment, or is asked about within seconds.
 */
const MAKE_DUE = `
  UPDATE transaction SET due_at = $3
  WHERE account_id = $1 AND id = $2 AND gateway_name = $4 AND status = 'PENDING'
    AND owed = 'doubt' AND auth_id IS NOT NULL AND parked_at IS NULL AND due_at > $3
  RETURNING request_id`

/** False if the gateway did not sign it. */
export async function heedNotice(
  world: World,
  gateway: Gateway,
  body: string,
  signature: string,
): Promise<boolean> {
  const orders = await gateway.notices?.read(body, signature)
  for (const order of orders ?? []) await makeDue(world, gateway.name, order)
  return orders !== undefined
}

async function makeDue(
  world: World,
  gatewayName: string,
  { accountId, key: id }: OrderKey,
): Promise<void> {
  const values = [accountId, id, world.clock.now(), gatewayName]
  const [row] = await world.db.query(MAKE_DUE, values)
  if (row === undefined) return
  world.queues.nudge('doubt', { accountId, id, requestId: row.request_id })
}
