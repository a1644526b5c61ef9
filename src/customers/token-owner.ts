// The owner that a payment method gets at its gateway: all payment methods of a customer have the
// same one.

import type { Gateway, TokenOwner } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'

/** Deleted ones too: the gateway keeps their owner. */
export const ANOTHER_TOKEN = `
  SELECT gateway_token FROM payment_method
  WHERE account_id = $1 AND customer_id = $2 AND gateway_name = $3
  ORDER BY id DESC LIMIT 1`

/** `attemptId` stands for a customer that is yet to be created. */
export async function tokenOwnerOf(
  world: World,
  gateway: Gateway,
  accountId: string,
  customerId: string | undefined,
  attemptId: string,
): Promise<TokenOwner> {
  if (customerId === undefined) return { id: attemptId }
  const [row] = await world.db.query(ANOTHER_TOKEN, [accountId, customerId, gateway.name])
  return { id: customerId, token: row?.gateway_token }
}
