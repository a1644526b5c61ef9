// Stores a payment method from a token that the gateway gave a payer's browser. Cards reach us from
// a page only in this way.

import { createHash } from 'node:crypto'
import type { RequestContext } from '../accounts/acting-account.ts'
import { Refusal, wrongField } from '../core/errors.ts'
import type { GatewayChoice } from '../core/live-gateway.ts'
import { asStored } from '../idempotency/compare-requests.ts'
import type { BroughtToken } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { tokenOwnerOf } from './token-owner.ts'
import { type Payer, writePaymentMethod } from './write-payment-method.ts'

export interface BrowserToken extends Payer, Omit<BroughtToken, 'owner'> {}

/** Returns the id of the payment method. */
export async function keepBrowserToken(
  world: World,
  context: RequestContext & GatewayChoice,
  { token, page, redeemedFor, ...payer }: BrowserToken,
): Promise<string> {
  const gateway = world.gateways.require(context)
  const { accountId } = context
  const owner = await tokenOwnerOf(world, gateway, accountId, payer.customerId, redeemedFor)
  const brought = { token, owner, page, redeemedFor }
  const known = await gateway.redeemToken(accountId, brought).catch((err: unknown) => {
    const about = { err, account_id: accountId, request_id: context.requestId }
    world.log.warn(about, 'the gateway was silent about a token')
    throw new Refusal('unavailable')
  })
  if (known === undefined) {
    throw wrongField('token', 'is unknown, has expired or was used before')
  }
  const { method, lastFour, cardType, cardExp } = known
  const input = {
    ...payer,
    method,
    fields: { personName: payer.personName, cardExp },
    // The payer agreed to this payment alone, and the card may yet be declined.
    isDefault: false,
    gatewayName: gateway.name,
    tokenised: { token: known.token, lastFour, cardType },
  }
  // Only the payment method stores the token itself.
  const request = { ...payer, method, token: digestOf(token) }
  const { body } = await writePaymentMethod(world, context, input, asStored(request))
  return JSON.parse(body).id
}

const DIGEST_CHARACTERS = 32

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, DIGEST_CHARACTERS)
}
