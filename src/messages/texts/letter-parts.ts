// The parts from which sentences of letters and text messages are made.

/** A kind of transaction, as a reader knows it. */
export type NounKey = 'payment' | 'authorization' | 'cancellation' | 'refund' | 'credit'

/** Its forms in a sentence: `payment`, `the payment`, `of the payment`. */
export interface Noun {
  readonly name: string
  readonly the: string
  readonly of: string
}

/** The payment method at its places in a sentence. Cash and checks need other words than cards. */
export interface MethodPhrases {
  readonly by: string
  readonly from: string
  readonly to: string
  readonly on: string
}

/** The parent: `the payment of $48.00 on Mar 7, 2026`, and `of the payment …`. */
export type Origin = Pick<Noun, 'the' | 'of'>

export interface LetterWords {
  readonly title: string
  /** The part of the subject before the team's name. */
  readonly subject: string
  readonly lead: string
  /** The text message without the team's name. A reference or the address of a bill follows. */
  readonly short: string
}

export interface TransactionParts {
  readonly amount: string
  readonly date: string
  readonly day: string
  readonly means: MethodPhrases
  readonly shortMeans: MethodPhrases
  readonly noun: Noun
  /** It takes money from the payer. */
  readonly isTaking: boolean
  readonly origin: Origin | undefined
  /** The parent in short, if it differs from the amount. */
  readonly whole: string | undefined
  readonly captured: string | undefined
  readonly refunded: string | undefined
  /** By the payer's bank. */
  readonly takenBack: string
}

export interface BillParts {
  readonly amount: string
  readonly due: string | undefined
  readonly shortDue: string | undefined
  readonly paidOn: string | undefined
  readonly retryOn: string | undefined
  /** By the payer's bank. */
  readonly takenBack: string
  readonly means: string
  readonly shortMeans: string
}

/** The refunded part: an amount, the whole parent, or an amount of it. */
export function refundedPart({
  amount,
  origin,
  whole,
}: Pick<TransactionParts, 'amount' | 'origin' | 'whole'>): string {
  if (origin === undefined) return amount
  return whole === undefined ? origin.the : `${amount} ${origin.of}`
}

/** `$20.00 of $50.00`. Only the amount if it is the whole. */
export function partOf({ amount, whole }: Pick<TransactionParts, 'amount' | 'whole'>, of: string) {
  return whole === undefined ? amount : `${amount} ${of} ${whole}`
}
