// Creates a payment method: in the sandbox from a card or a bank account in the clear, and on any
// account from the gateway's own token.
//
//   tokenise  the gateway keeps the card data, or keeps the token for payments without the payer
//               a crash here leaves an unused token at the gateway, and no row
//   write     row, event and answer, and a new customer if none is named, in one commit

import type { RequestContext } from '../accounts/acting-account.ts'
import type { Mode } from '../accounts/key.ts'
import { type Faults, Refusal, wrongField } from '../core/errors.ts'
import type { GatewayChoice } from '../core/live-gateway.ts'
import { asStored, type CanonicalRequest, DIFFERS } from '../idempotency/compare-requests.ts'
import { findClaim } from '../idempotency/find-claim.ts'
import type { Done } from '../idempotency/once.ts'
import type { Gateway, Instrument, Tokenised } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { namedCustomer } from './find-customer.ts'
import { isBeingForgotten } from './forget-deleted-methods.ts'
import { digestOf } from './keep-browser-token.ts'
import { PAYMENT_METHOD, type PaymentMethodInput } from './payment-method.ts'
import { tokenOwnerOf } from './token-owner.ts'
import { CREATE_PAYMENT_METHOD, writePaymentMethod } from './write-payment-method.ts'

/** It contains the number in the clear, so it is neither stored nor logged. */
export interface NewPaymentMethod {
  readonly customerId: string | undefined
  readonly method: 'card' | 'bank'
  readonly instrument: Instrument
  readonly gatewayToken: string | undefined
  readonly isDefault: boolean | undefined
  /** Fields that are stored as they were sent. */
  readonly fields: PaymentMethodInput
}

export async function createPaymentMethod(
  world: World,
  context: RequestContext & GatewayChoice,
  input: NewPaymentMethod,
): Promise<Done> {
  refuseNumbers(context.mode, input.instrument)
  const gateway = world.gateways.require(context)
  const request = keptRequest(world, context, input)
  const claim = await claimOf(world, context, input, request)
  if (claim?.answer !== undefined) return { ...claim.answer, isReplayed: true }
  // Checked before the gateway is called.
  if (input.customerId !== undefined)
    await namedCustomer(world.db.query, context.accountId, input.customerId)
  const { customerId, method, isDefault } = input
  const { cardExp, tokenised } = isInNumbers(gateway, input)
    ? await tokeniseInstrument(world, gateway, context, input)
    : await keepToken(world, gateway, context, input)
  const fields = { ...input.fields, cardExp }
  const payer = { customerId, personName: fields.personName, email: undefined }
  const tokenisedInput = {
    ...payer,
    method,
    fields,
    isDefault,
    gatewayName: gateway.name,
    tokenised,
  }
  return writePaymentMethod(world, context, tokenisedInput, request)
}

/**
 * A repeat is compared with this: only the last four digits of a number, a digest of all of them,
 * and nothing of a CVV.
 */
function keptRequest(world: World, context: RequestContext, input: NewPaymentMethod) {
  const { customerId, method, instrument, gatewayToken, isDefault, fields } = input
  const number = numberOf(input)
  const hasDigest = number !== undefined && context.idempotencyKey !== undefined
  return asStored({
    customer_id: customerId,
    method,
    payment_method_token: gatewayToken === undefined ? undefined : digestOf(gatewayToken),
    card_number: instrument.cardNumber?.slice(-4),
    bank_account: instrument.bankAccount?.slice(-4),
    bank_routing: instrument.bankRouting,
    is_default: isDefault,
    [DIGEST]: hasDigest ? world.vault.digest(number, digestSubject(context)) : undefined,
    ...PAYMENT_METHOD.canonical(PAYMENT_METHOD.newColumns(fields)),
  })
}

const DIGEST = 'number_digest'

function numberOf({ method, instrument }: NewPaymentMethod): string | undefined {
  const sent = method === 'card' ? instrument.cardNumber : instrument.bankAccount
  return sent?.replace(/[\s-]/g, '')
}

/** Each request has digests of its own, so that rows do not show which have the same number. */
function digestSubject({ accountId, idempotencyKey }: RequestContext): string {
  return `the number of request ${idempotencyKey} in account ${accountId}`
}

async function claimOf(
  world: World,
  context: RequestContext,
  input: NewPaymentMethod,
  request: CanonicalRequest,
) {
  const repeat = { operation: CREATE_PAYMENT_METHOD, request, left: [DIGEST] }
  const claim = await findClaim(world, context, repeat)
  // The key of the digest may have been replaced since, and earlier versions wrote none.
  const digest = claim?.request[DIGEST]
  const number = numberOf(input)
  const isSame =
    typeof digest !== 'string' ||
    number === undefined ||
    world.vault.mayBeOf(digest, number, digestSubject(context))
  if (isSame) return claim
  const field = input.method === 'card' ? 'card_number' : 'bank_account'
  throw new Refusal('idempotency_conflict', { faults: { [field]: DIFFERS } })
}

type Secret = 'cardNumber' | 'cardCvv' | 'bankAccount'

/** In live mode a card number must never reach this service. */
function refuseNumbers(mode: Mode, sent: Readonly<Partial<Record<Secret, unknown>>>): void {
  const { cardNumber, cardCvv, bankAccount } = sent
  const isSent = [cardNumber, cardCvv, bankAccount].some((one) => (one ?? null) !== null)
  if (mode === 'live' && isSent) throw new Refusal('card_data_not_accepted')
}

/** The sandbox takes a number or a token; every other gateway takes its own tokens alone. */
function isInNumbers(
  { tokenise }: Gateway,
  { gatewayToken, instrument }: NewPaymentMethod,
): boolean {
  if (tokenise === undefined || gatewayToken === undefined) return tokenise !== undefined
  if (instrument.cardNumber === undefined && instrument.bankAccount === undefined) return false
  throw tokenFault('cannot be sent beside the number of a card or an account')
}

/** In the sandbox only this service can turn a number into a token. */
async function tokeniseInstrument(
  world: World,
  gateway: Gateway,
  context: RequestContext,
  input: NewPaymentMethod,
): Promise<Tokens> {
  if (gateway.tokenise === undefined) throw new Error(`${gateway.name} takes no numbers`)
  const now = world.accountNow(context)
  const result = await gateway.tokenise(context.accountId, input.method, input.instrument, now)
  if (result.kind === 'faults') {
    throw new Refusal('invalid_request', { faults: faultsByField(result.faults) })
  }
  return { cardExp: input.fields.cardExp ?? null, tokenised: result.tokenised }
}

interface Tokens {
  readonly cardExp: string | null
  readonly tokenised: Tokenised
}

/** A payer's browser sent the card to the gateway, and the merchant brings the gateway's token. */
async function keepToken(
  world: World,
  gateway: Gateway,
  { accountId, requestId }: RequestContext,
  { customerId, method, gatewayToken: token }: NewPaymentMethod,
): Promise<Tokens> {
  if (token === undefined) throw tokenFault('is required with a live key')
  const owner = await tokenOwnerOf(world, gateway, accountId, customerId, world.newId())
  const kept = await gateway.keepMethod(accountId, { token, owner }).catch((err: unknown) => {
    const about = { err, account_id: accountId, request_id: requestId }
    world.log.warn(about, 'the gateway was silent about a payment method')
    throw new Refusal('unavailable')
  })
  if (kept.kind !== 'kept') throw tokenFault(kept.fault)
  if (kept.method !== method) throw tokenFault(`is of a ${kept.method}, not of a ${method}`)
  if (await isBeingForgotten(world, gateway, kept.token)) {
    throw tokenFault(
      gateway.storedAs === undefined
        ? 'is of a payment method that was deleted, and cannot be used any more'
        : 'is of a card that the gateway is deleting: it can be added again in some hours',
    )
  }
  const { cardExp, cardType, lastFour } = kept
  return { cardExp, tokenised: { token: kept.token, lastFour, cardType } }
}

function tokenFault(fault: string): Refusal {
  return wrongField('payment_method_token', fault)
}

const FIELDS: Readonly<Record<keyof Instrument, string>> = {
  cardNumber: 'card_number',
  cardExp: 'card_exp',
  cardCvv: 'card_cvv',
  bankAccount: 'bank_account',
  bankRouting: 'bank_routing',
}

function faultsByField(faults: Readonly<Partial<Record<keyof Instrument, string>>>): Faults {
  const entries = Object.entries(faults) as [keyof Instrument, string][]
  return Object.fromEntries(entries.map(([field, fault]) => [FIELDS[field], [fault]]))
}
