// Makes a payment method of a card or a bank account in the clear, or of a gateway's own token.
//
//   tokenise  the gateway keeps what it must know
//               died here: an unused token at the gateway, nothing of ours
//   write     row, event, answer, and the customer where there was none, in one commit

import type { Mode } from '../accounts/key.ts'
import type { RequestContext } from '../accounts/request-context.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { findClaim } from '../idempotency/find-claim.ts'
import type { Done } from '../idempotency/once.ts'
import type { Instrument } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { namedCustomer } from './find-customer.ts'
import { PAYMENT_METHOD, type PaymentMethodInput } from './payment-method.ts'
import { refuseNumbers, tokeniseInstrument } from './tokenise.ts'
import { CREATE_PAYMENT_METHOD, writePaymentMethod } from './write-payment-method.ts'

/** It holds the number in the clear, so it is neither stored nor logged. */
export interface NewPaymentMethod {
  readonly customerId: string | undefined
  readonly method: 'card' | 'bank'
  readonly instrument: Instrument
  readonly gatewayToken: string | undefined
  /** What is stored as it came. */
  readonly fields: PaymentMethodInput
}

export async function createPaymentMethod(
  world: World,
  context: RequestContext & { readonly mode: Mode },
  input: NewPaymentMethod,
): Promise<Done> {
  refuseNumbers(context.mode, input.instrument)
  const gateway = world.gateways.require(context)
  const request = keptRequest(input)
  const claim = await claimOf(world, context, request)
  if (claim?.answer !== undefined) return { ...claim.answer, isReplayed: true }
  // Before the gateway hears of it.
  if (input.customerId !== undefined)
    await namedCustomer(world, context.accountId, input.customerId)
  const { gatewayName, tokenised } = await tokeniseInstrument(world, gateway, context, input)
  const { customerId, method, fields } = input
  const payer = { customerId, personName: fields.personName, email: undefined }
  const tokenisedInput = { ...payer, method, fields, gatewayName, tokenised }
  return writePaymentMethod(world, context, tokenisedInput, request)
}

/** What a repeat is compared with: of a number its last four digits, of a CVV nothing. */
function keptRequest({ customerId, method, instrument, fields }: NewPaymentMethod) {
  const request = {
    customer_id: customerId,
    method,
    card_number: instrument.cardNumber?.slice(-4),
    bank_account: instrument.bankAccount?.slice(-4),
    bank_routing: instrument.bankRouting,
    ...PAYMENT_METHOD.said(PAYMENT_METHOD.newColumns(fields)),
  }
  return JSON.parse(JSON.stringify(request)) as CanonicalRequest
}

function claimOf(world: World, context: RequestContext, request: CanonicalRequest) {
  if (context.idempotencyKey === undefined) return undefined
  return findClaim(world, context.accountId, context.idempotencyKey, {
    operation: CREATE_PAYMENT_METHOD,
    request,
  })
}
