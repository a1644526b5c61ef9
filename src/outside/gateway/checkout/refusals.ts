// The meaning of Checkout.com's codes: the response code of a decided payment or action, and the
// error codes of a request that it refuses.

import { type Decline, type DeclineCode, OWN_ADVICE } from '../../../core/decline.ts'

/** Those that say more than that the card was declined. */
const RESPONSES: Readonly<Record<string, DeclineCode>> = {
  20014: 'incorrect_card_data',
  20051: 'insufficient_funds',
  20054: 'expired_card',
  20055: 'incorrect_card_data',
  20059: 'suspected_fraud',
  20061: 'insufficient_funds',
  20062: 'lost_or_stolen_card',
  20063: 'suspected_fraud',
  20065: 'insufficient_funds',
  20068: 'processing_error',
  20082: 'incorrect_card_data',
  20087: 'incorrect_card_data',
  20091: 'processing_error',
  20096: 'processing_error',
  20150: 'authentication_required',
  20151: 'authentication_required',
  20152: 'authentication_required',
  20153: 'authentication_required',
  20154: 'authentication_required',
  20183: 'suspected_fraud',
  30004: 'lost_or_stolen_card',
  30007: 'lost_or_stolen_card',
  30033: 'expired_card',
  30034: 'suspected_fraud',
  30036: 'lost_or_stolen_card',
  30041: 'lost_or_stolen_card',
  30043: 'lost_or_stolen_card',
}

/** The meaning of refused requests, by their first error code. */
const ERRORS: Readonly<Record<string, DeclineCode>> = {
  card_expired: 'expired_card',
  card_expiry_month_invalid: 'incorrect_card_data',
  card_expiry_year_invalid: 'incorrect_card_data',
  card_number_invalid: 'incorrect_card_data',
  cvv_invalid: 'incorrect_card_data',
}

/** The account is not set up for payments, or may send no more today: no payment is at fault. */
const OF_ACCOUNT: readonly string[] = [
  'api_calls_quota_exceeded',
  'business_invalid',
  'business_settings_missing',
  'no_authorization_enabled_processors_available',
  'processing_channel_id_invalid',
  'processing_channel_id_required',
]

export function isOfAccount(errorCode: string | undefined): boolean {
  return OF_ACCOUNT.includes(errorCode ?? '')
}

/** Declines after which another attempt may be approved have codes of 20xxx. */
const SOFT = /^20\d{3}$/

/** Codes of 40xxx come from Checkout.com's own risk rules. */
const RISK = /^40\d{3}$/

export function declineOfResponse(responseCode: string | undefined): Decline {
  const isRisk = RISK.test(responseCode ?? '')
  const fallback = isRisk ? 'suspected_fraud' : 'card_declined'
  const code = RESPONSES[responseCode ?? ''] ?? fallback
  const mayChange = responseCode === undefined || SOFT.test(responseCode)
  const retry = mayChange ? (OWN_ADVICE[code] ?? 'never') : 'never'
  return { code, retry, gatewayCode: responseCode ?? null }
}

export function declineOfError(errorCode: string | undefined): Decline {
  const code = ERRORS[errorCode ?? ''] ?? 'request_refused'
  return { code, retry: 'never', gatewayCode: errorCode ?? null }
}
