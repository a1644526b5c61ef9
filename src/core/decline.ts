// Why a payment was declined, in words that are the same for every gateway, and whether it is worth
// another try.

/**
 * The codes and their meanings, for merchants and operators. A code never changes its meaning. The
 * gateway's own code is kept with it, for operators.
 */
export const DECLINE_MEANINGS = {
  card_declined: 'the bank declined it and seldom says why, except to the payer',
  insufficient_funds: 'there is not enough money, or a limit of the card is reached',
  expired_card: 'the card has expired',
  incorrect_card_data: 'the number, expiry, security code or address is not that of the card',
  lost_or_stolen_card: 'the card is reported lost or stolen, or is restricted',
  suspected_fraud: 'the bank or the gateway suspects fraud',
  authentication_required:
    'the payer has to confirm it to the bank, on the page of a bill or a payment link',
  bank_account_unusable: 'the bank account is closed, unknown, restricted or not verified',
  debit_not_authorized: 'the account holder does not allow the debit',
  hold_ended: 'the hold has ended',
  canceled: 'it was canceled at the gateway',
  nothing_left: 'nothing is left to capture or to return',
  processing_error: 'the gateway or the bank could not process it at that time',
  request_refused: 'the gateway refused the request itself, and its message says why',
} as const

export type DeclineCode = keyof typeof DECLINE_MEANINGS

export const RETRY_MEANINGS = {
  now: 'the same payment may be tried again at once',
  later: 'it may be tried again after hours or days',
  never: 'not with this payment method as it is',
} as const

export type RetryAdvice = keyof typeof RETRY_MEANINGS

/** `hold_ended: the hold has ended; canceled: …` */
export function listedMeanings(meanings: Readonly<Record<string, string>>): string {
  const all = Object.entries(meanings).map(([code, meaning]) => `${code}: ${meaning}`)
  return all.join('; ')
}

/** Our advice where a gateway gives none: all other declines are final. */
export const OWN_ADVICE: Readonly<Partial<Record<DeclineCode, RetryAdvice>>> = {
  card_declined: 'later',
  insufficient_funds: 'later',
  processing_error: 'now',
}

export interface Decline {
  readonly code: DeclineCode
  readonly retry: RetryAdvice
  /** The gateway's own code, for operators. */
  readonly gatewayCode: string | null
}
