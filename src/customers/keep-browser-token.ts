// Makes a payment method of a token that a payer's browser had the gateway make: the way in which
// a card comes to us from a page. The API's own way stays as it is: there a token is for live
// accounts alone.

import { createHash } from 'node:crypto'
import type { Asking } from '../accounts/asking.ts'
import type { Mode } from '../accounts/key.ts'
import { Refusal } from '../core/errors.ts'
import type { Gateway } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { NO_DETAILS } from './new-payment-method.ts'
import { type Payer, writePaymentMethod } from './write-payment-method.ts'

export interface BrowserToken extends Payer {
  readonly token: string
}

/** Answers the id of the payment method. */
export async function keepBrowserToken(
  world: World,
  asking: Asking & { readonly mode: Mode },
  { token, ...payer }: BrowserToken,
): Promise<string> {
  const gateway = gatewayOfBrowsers(world, asking.mode)
  if (gateway === undefined) throw new Refusal('no_live_gateway')
  const known = await gateway.knownToken(asking.accountId, token)
  if (known === undefined) {
    throw new Refusal('invalid_request', { faults: { token: ['is unknown, or has ended'] } })
  }
  const { method, lastFour, cardType, cardExp } = known
  const input = {
    ...payer,
    method,
    details: { ...NO_DETAILS, cardExp },
    meta: {},
    gatewayName: gateway.name,
    tokenised: { token, lastFour, cardType },
  }
  // The token itself is kept with the payment method alone.
  const request = { ...payer, method, token: digestOf(token) }
  const { body } = await writePaymentMethod(
    world,
    asking,
    input,
    JSON.parse(JSON.stringify(request)),
  )
  return JSON.parse(body).id
}

/** Who makes tokens for the account's payers; undefined where there is nobody yet. */
export function gatewayOfBrowsers({ gateways }: World, mode: Mode): Gateway | undefined {
  return mode === 'sandbox' ? gateways.find(({ name }) => name === 'sandbox') : undefined
}

const DIGEST_CHARACTERS = 32

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, DIGEST_CHARACTERS)
}
