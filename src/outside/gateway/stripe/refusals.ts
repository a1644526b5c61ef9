// The meaning of Stripe's refusals: the errors that its client throws, read by their codes.

import type Stripe from 'stripe'
import {
  type Decline,
  type DeclineCode,
  OWN_ADVICE,
  type RetryAdvice,
} from '../../../core/decline.ts'
import { NoAccess } from '../feed-port.ts'
import { TooManyRequests } from '../port.ts'

export interface StripeRefusal {
  readonly status: number
  readonly type: string | undefined
  readonly code: string | undefined
  readonly declineCode: string | undefined
  readonly adviceCode: string | undefined
  /** The text for payers if the type is `card_error`. Others may name objects of ours. */
  readonly message: string
  /** The answer was kept: an earlier request with that key was answered in the same way. */
  readonly isReplayed: boolean
  readonly requestId: string | undefined
  readonly intent: Stripe.PaymentIntent | undefined
}

/** Undefined if Stripe did not answer in its own words: a broken connection, or a proxy's page. */
export function readRefusal(error: unknown): StripeRefusal | undefined {
  if (!isStripeError(error) || error.statusCode === undefined) return undefined
  return {
    status: error.statusCode,
    type: error.rawType,
    code: error.code ?? messageCodeOf(error.raw),
    declineCode: error.decline_code,
    adviceCode: error.advice_code,
    message: error.message,
    isReplayed: error.headers?.['idempotent-replayed'] === 'true',
    requestId: error.requestId,
    intent: error.payment_intent,
  }
}

/** Some refusals have no code, but name their message. */
function messageCodeOf(raw: unknown): string | undefined {
  const { message_code: code } = (raw ?? {}) as { readonly message_code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/**
 * An error of Stripe's client carries the request, its answer and the payment's secrets, and errors
 * are logged: only codes leave this folder. What Stripe refused because of its limit, or because
 * another request was under way, it did not execute: the question was not asked.
 */
export function withoutSecrets(error: unknown): unknown {
  if (!isStripeError(error)) return error
  const { code, requestId, statusCode, type } = error
  const answer =
    statusCode === undefined ? `nothing (${code ?? type})` : `${statusCode} ${code ?? type}`
  const words = `Stripe answered ${answer}, request ${requestId ?? 'unknown'}`
  if (statusCode === 429 || statusCode === 409) return new TooManyRequests(words)
  return statusCode === 403 ? new NoAccess(words) : new Error(words)
}

/** The shape decides, because its class is loaded with the client only. */
function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'rawType' in error
}

/** The key was used with other parameters, or is in use for them. */
export function isOfAnotherRequest({ status, type }: StripeRefusal): boolean {
  return status === 400 && type === 'idempotency_error'
}

/** The same request is being executed, or another holds the object. */
export function isBusy({ status, code }: StripeRefusal): boolean {
  return status === 409 || code === 'lock_timeout'
}

/** The account cannot be charged, or our key is none of it. Some of these come with 400. */
const OF_ACCOUNT: readonly string[] = [
  'account_invalid',
  'api_key_expired',
  'capability_not_active',
  'platform_api_key_expired',
  'progressive_onboarding_limit_exceeded',
  'testmode_charges_only',
]

export function isOfAccount({ status, code }: StripeRefusal): boolean {
  return status === 401 || status === 403 || (status === 400 && OF_ACCOUNT.includes(code ?? ''))
}

/** Stripe's word for the refusal, which is no secret and names no object. */
export function codeOf({ status, type, code, declineCode }: StripeRefusal): string {
  return declineCode ?? code ?? type ?? `${status}`
}

const CODES: Readonly<Record<string, DeclineCode>> = {
  account_closed: 'bank_account_unusable',
  authentication_not_handled: 'authentication_required',
  authentication_required: 'authentication_required',
  bank_account_restricted: 'bank_account_unusable',
  bank_account_unverified: 'bank_account_unusable',
  card_velocity_exceeded: 'insufficient_funds',
  charge_already_refunded: 'nothing_left',
  debit_not_authorized: 'debit_not_authorized',
  expired_card: 'expired_card',
  fraudulent: 'suspected_fraud',
  incorrect_address: 'incorrect_card_data',
  incorrect_cvc: 'incorrect_card_data',
  incorrect_number: 'incorrect_card_data',
  incorrect_zip: 'incorrect_card_data',
  insufficient_funds: 'insufficient_funds',
  invalid_account: 'bank_account_unusable',
  invalid_cvc: 'incorrect_card_data',
  invalid_expiry_month: 'incorrect_card_data',
  invalid_expiry_year: 'incorrect_card_data',
  invalid_number: 'incorrect_card_data',
  issuer_not_available: 'processing_error',
  lost_card: 'lost_or_stolen_card',
  merchant_blacklist: 'suspected_fraud',
  no_account: 'bank_account_unusable',
  payment_intent_authentication_failure: 'authentication_required',
  payment_method_customer_decline: 'debit_not_authorized',
  pickup_card: 'lost_or_stolen_card',
  processing_error: 'processing_error',
  reenter_transaction: 'processing_error',
  restricted_card: 'lost_or_stolen_card',
  revocation_of_all_authorizations: 'debit_not_authorized',
  revocation_of_authorization: 'debit_not_authorized',
  stolen_card: 'lost_or_stolen_card',
  stop_payment_order: 'debit_not_authorized',
  try_again_later: 'processing_error',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
}

/** Stripe's advice goes before ours. New card data are a new payment method. */
const ADVICE: Readonly<Record<string, RetryAdvice>> = {
  try_again_later: 'later',
  do_not_try_again: 'never',
  confirm_card_data: 'never',
}

type ReasonGiven = Pick<StripeRefusal, 'adviceCode' | 'code' | 'declineCode'>

export function declineOf({ adviceCode, code, declineCode }: ReasonGiven): Decline {
  const own = CODES[declineCode ?? ''] ?? CODES[code ?? ''] ?? 'card_declined'
  const advice = ADVICE[adviceCode ?? ''] ?? OWN_ADVICE[own] ?? 'never'
  return { code: own, retry: advice, gatewayCode: declineCode ?? code ?? null }
}
