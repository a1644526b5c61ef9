// Stripe's test payment methods: the data of each, and the outcome of a payment with it.

import type Stripe from 'stripe'

/** The form that Stripe puts into `last_payment_error` and into a 402. */
export type CardDecline = Pick<
  Stripe.PaymentIntent.LastPaymentError,
  'advice_code' | 'code' | 'decline_code' | 'message' | 'param'
>

export type DebitOutcome = 'succeeds' | 'stays processing' | 'is disputed' | DebitFailure

interface DebitFailure {
  readonly failureCode: string
}

interface CardTraits {
  readonly kind: 'card'
  readonly brand: string
  readonly lastFour: string
  readonly decline?: CardDecline
  readonly needsPayer?: boolean
  /** A card that is declined on its first use cannot be attached to a customer either. */
  readonly isAttachable: boolean
}

interface BankTraits {
  readonly kind: 'bank'
  readonly lastFour: string
  readonly debit: DebitOutcome
  readonly isAttachable: true
  /** Only small deposits can verify it, as one whose number was typed. */
  readonly isUnverified?: boolean
}

export type MethodTraits = CardTraits | BankTraits

export type DeclineReason = keyof typeof DECLINES

const MESSAGE = 'Your card was declined.'
const LATER = 'try_again_later'
const NEVER = 'do_not_try_again'
const CHECK = 'confirm_card_data'

/** Codes, advice and parameters as reported from runs in Stripe's test mode. */
export const DECLINES = {
  generic_decline: declineOf('generic_decline', LATER),
  insufficient_funds: declineOf('insufficient_funds', LATER, 'Your card has insufficient funds.'),
  lost_card: declineOf('lost_card', NEVER),
  stolen_card: declineOf('stolen_card', NEVER),
  expired_card: ownCode('expired_card', CHECK, 'Your card has expired.', 'exp_month'),
  incorrect_cvc: ownCode('incorrect_cvc', CHECK, "Your card's security code is incorrect.", 'cvc'),
  processing_error: ownCode(
    'processing_error',
    LATER,
    'An error occurred while processing your card. Try again in a little bit.',
  ),
  revocation_of_all_authorizations: {
    code: 'card_declined',
    decline_code: 'revocation_of_all_authorizations',
    message: MESSAGE,
  },
  fraudulent: { code: 'card_declined', decline_code: 'fraudulent', message: MESSAGE },
} satisfies Record<string, CardDecline>

const VISA = { kind: 'card', brand: 'visa', lastFour: '4242', isAttachable: true } as const

const TEST_METHODS: Readonly<Record<string, MethodTraits>> = {
  pm_card_visa: VISA,
  pm_card_mastercard: { ...VISA, brand: 'mastercard', lastFour: '4444' },
  pm_card_visa_chargeDeclined: declining('generic_decline', '0002'),
  pm_card_visa_chargeDeclinedInsufficientFunds: declining('insufficient_funds', '9995'),
  pm_card_visa_chargeDeclinedLostCard: declining('lost_card', '9987'),
  pm_card_visa_chargeDeclinedStolenCard: declining('stolen_card', '9979'),
  pm_card_chargeDeclinedExpiredCard: declining('expired_card', '0069'),
  pm_card_chargeDeclinedIncorrectCvc: declining('incorrect_cvc', '0127'),
  pm_card_chargeDeclinedProcessingError: declining('processing_error', '0119'),
  pm_card_chargeDeclinedFraudulent: declining('fraudulent', '0019'),
  pm_card_chargeCustomerFail: {
    ...declining('generic_decline', '0341'),
    isAttachable: true,
  },
  pm_card_authenticationRequired: { ...VISA, lastFour: '3184', needsPayer: true },
  pm_usBankAccount_success: debited('6789', 'succeeds'),
  // The stand-in's own name: Stripe has no token of such an account.
  pm_usBankAccount_unverified: { ...debited('8880', 'succeeds'), isUnverified: true },
  pm_usBankAccount_processing: debited('0009', 'stays processing'),
  pm_usBankAccount_dispute: debited('5559', 'is disputed'),
  pm_usBankAccount_accountClosed: debited('1113', { failureCode: 'account_closed' }),
  pm_usBankAccount_debitNotAuthorized: debited('3335', { failureCode: 'debit_not_authorized' }),
  pm_usBankAccount_insufficientFunds: debited('2227', { failureCode: 'insufficient_funds' }),
  pm_usBankAccount_noAccount: debited('1116', { failureCode: 'no_account' }),
}

export function traitsOfToken(token: string): MethodTraits | undefined {
  return Object.hasOwn(TEST_METHODS, token) ? TEST_METHODS[token] : undefined
}

/** Stripe's public test numbers, as they are typed into a page. */
const TYPED: Readonly<Record<string, string>> = {
  '4242424242424242': 'pm_card_visa',
  '5555555555554444': 'pm_card_mastercard',
  '4000000000000002': 'pm_card_visa_chargeDeclined',
  '4000000000009995': 'pm_card_visa_chargeDeclinedInsufficientFunds',
  '4000000000000127': 'pm_card_chargeDeclinedIncorrectCvc',
  '4000002500003155': 'pm_card_authenticationRequired',
  '4000002760003184': 'pm_card_authenticationRequired',
  '000123456789': 'pm_usBankAccount_success',
  '000111111113': 'pm_usBankAccount_accountClosed',
  '000888888880': 'pm_usBankAccount_unverified',
}

/** Undefined for a number that is not a test number. */
export function traitsOfTyped(number: string): MethodTraits | undefined {
  const token = Object.hasOwn(TYPED, number) ? TYPED[number] : undefined
  const traits = token === undefined ? undefined : traitsOfToken(token)
  return traits && { ...traits, lastFour: number.slice(-4) }
}

function declineOf(decline_code: string, advice_code: string, message = MESSAGE): CardDecline {
  return { code: 'card_declined', decline_code, advice_code, message }
}

/** Some declines have their reason as the error's code as well. */
function ownCode(
  code: 'expired_card' | 'incorrect_cvc' | 'processing_error',
  advice_code: string,
  message: string,
  param?: string,
): CardDecline {
  return { code, decline_code: code, advice_code, message, ...(param && { param }) }
}

function declining(reason: DeclineReason, lastFour: string): CardTraits {
  return { ...VISA, lastFour, decline: DECLINES[reason], isAttachable: false }
}

function debited(lastFour: string, debit: DebitOutcome): BankTraits {
  return { kind: 'bank', lastFour, debit, isAttachable: true }
}
