// Why a payment was declined, in words that are the same for every gateway, and whether it is worth
// another try.

/** A code never changes its meaning. The gateway's own code is returned with it, for operators. */
export const DECLINE_CODES = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_card_data',
  'lost_or_stolen_card',
  'suspected_fraud',
  'authentication_required',
  'bank_account_unusable',
  'debit_not_authorized',
  'hold_ended',
  'canceled',
  'nothing_left',
  'processing_error',
  'request_refused',
] as const

export type DeclineCode = (typeof DECLINE_CODES)[number]

/**
 * `now`: the same payment may be tried again at once. `later`: after hours or days. `never`: not
 * with this payment method as it is.
 */
export const RETRY_ADVICE = ['now', 'later', 'never'] as const

export type RetryAdvice = (typeof RETRY_ADVICE)[number]

export interface Decline {
  readonly code: DeclineCode
  readonly retry: RetryAdvice
  /** The gateway's own code, for operators. */
  readonly gatewayCode: string | null
}
