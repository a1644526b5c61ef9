// Makes a payment method of a card or a bank account in the clear, or of a gateway's own token.
//
//   tokenise  the gateway keeps what it must know
//               died here: an unused token at the gateway, nothing of ours
//   write     row, event, answer, and the customer where there was none, in one commit

import type { Asking } from '../accounts/asking.ts'
import type { Mode } from '../accounts/key.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { findClaim } from '../idempotency/find-claim.ts'
import type { Done } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { namedCustomer } from './find-customer.ts'
import { keptRequest } from './kept-request.ts'
import type { NewPaymentMethod } from './new-payment-method.ts'
import { refuseNumbers, tokenise } from './tokenise.ts'
import { CREATE_PAYMENT_METHOD, writePaymentMethod } from './write-payment-method.ts'

export async function createPaymentMethod(
  world: World,
  asking: Asking & { readonly mode: Mode },
  input: NewPaymentMethod,
): Promise<Done> {
  refuseNumbers(asking.mode, input.instrument)
  const gateway = world.gateways.require(asking)
  const request = keptRequest(input)
  const claim = await claimOf(world, asking, request)
  if (claim?.answer !== undefined) return { ...claim.answer, isReplayed: true }
  const owner = { customerId: input.customerId, email: undefined }
  // Before the gateway hears of it.
  if (input.customerId !== undefined) await namedCustomer(world, asking.accountId, input.customerId)
  const { gatewayName, tokenised } = await tokenise(world, gateway, asking, input)
  const { method, personName, details, meta } = input
  const tokenisedInput = { ...owner, method, personName, details, meta, gatewayName, tokenised }
  return writePaymentMethod(world, asking, tokenisedInput, request)
}

function claimOf(world: World, asking: Asking, request: CanonicalRequest) {
  if (asking.idempotencyKey === undefined) return undefined
  return findClaim(world, asking.accountId, asking.idempotencyKey, {
    operation: CREATE_PAYMENT_METHOD,
    request,
  })
}
