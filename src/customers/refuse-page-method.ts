// A card that a payer entered on a live payment page pays for that page only: the payer agreed to
// no other payment, and the gateway accepts the token for none.

import type { ActingAccount } from '../accounts/acting-account.ts'
import { Refusal } from '../core/errors.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'

const TOKEN = `
  SELECT gateway_name, gateway_token FROM payment_method
  WHERE account_id = $1 AND id = $2 AND gateway_token IS NOT NULL`

/** Sandbox accounts need no check: their tokens are good for many payments. */
export async function refusePageMethod(
  world: World,
  { accountId, mode }: ActingAccount,
  paymentMethodId: string | null | undefined,
): Promise<void> {
  if (mode !== 'live' || paymentMethodId == null) return
  const [row] = await world.db.query(TOKEN, [accountId, paymentMethodId])
  if (row === undefined) return
  const token = { gatewayName: row.gateway_name, gatewayToken: row.gateway_token }
  if (!isForOnePayment(world, token)) return
  const fault = 'was given on a payment page for one payment only, and cannot be charged again'
  throw new Refusal('invalid_request', { faults: { payment_method_id: [fault] } })
}

export function isForOnePayment(
  { gateways }: World,
  { gatewayName, gatewayToken }: Pick<PaymentMethod, 'gatewayName' | 'gatewayToken'>,
): boolean {
  const gateway = gateways.all.find(({ name }) => name === gatewayName)
  return gatewayToken !== null && gateway?.isForOnePayment?.(gatewayToken) === true
}
