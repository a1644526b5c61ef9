// A card that a payer entered on a live payment page pays for that page only: the payer agreed to
// no other payment, and the gateway accepts the token for none.

import type { ActingAccount } from '../accounts/acting-account.ts'
import { wrongField } from '../core/errors.ts'
import { gatheredLookUp } from '../db/gathered.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'

export const findGatewayToken = gatheredLookUp({
  name: 'find-gateway-token',
  table: 'payment_method',
  alias: 'm',
  columns: 'm.gateway_name, m.gateway_token',
  read: (row) => ({ gatewayName: row.gateway_name, gatewayToken: row.gateway_token }),
})

/** Sandbox accounts need no check: their tokens are good for many payments. */
export async function refusePageMethod(
  world: World,
  { accountId, mode }: ActingAccount,
  paymentMethodId: string | null | undefined,
): Promise<void> {
  if (mode !== 'live' || paymentMethodId == null) return
  const method = await world.db.ask(findGatewayToken, { accountId, id: paymentMethodId })
  if (method === undefined || !isForOnePayment(world, method)) return
  const fault = 'was given on a payment page for one payment only, and cannot be charged again'
  throw wrongField('payment_method_id', fault)
}

export function isForOnePayment(
  { gateways }: World,
  { gatewayName, gatewayToken }: Pick<PaymentMethod, 'gatewayName' | 'gatewayToken'>,
): boolean {
  const gateway = gateways.all.find(({ name }) => name === gatewayName)
  return gatewayToken !== null && gateway?.isForOnePayment?.(gatewayToken) === true
}
