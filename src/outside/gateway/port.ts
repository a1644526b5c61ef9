// The port for payment gateways. Every implementation passes the port's contract tests.

import type { Cents } from '../../core/money.ts'

export interface Order {
  readonly accountId: string
  /**
   * Our reference and the idempotency key at once: however often an order comes with it, it is
   * carried out once, and the answer is that of the first time.
   */
  readonly key: string
  readonly operation: 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund'
  /** What a capture, a void and a refund are asked of. */
  readonly parent?: { readonly key: string; readonly gatewayId: string | null } | undefined
  /** The payment method, as the gateway's own token. */
  readonly token: string
  readonly amount: Cents
  readonly currency: string
  /** The account's own time. */
  readonly now: Date
  /** When we stop asking what became of it, in the account's time. */
  readonly deadlineAt: Date
}

export type Answer =
  | { readonly kind: 'approved'; readonly gatewayId: string; readonly message: string }
  | { readonly kind: 'declined'; readonly gatewayId: string | null; readonly message: string }
  /** Taken, but not decided yet. */
  | { readonly kind: 'undecided'; readonly gatewayId: string | null }
  /** Surely not taken: it may be asked again without a thought. */
  | { readonly kind: 'turned_away'; readonly message: string }

/** What became of an order, by its key. */
export type Trace = Exclude<Answer, { kind: 'turned_away' }> | { readonly kind: 'never_made' }

export interface Question {
  readonly accountId: string
  readonly key: string
  /** The account's own time. */
  readonly now: Date
}

/** What we closed, for the gateway to settle. */
export interface BatchTotals {
  readonly accountId: string
  /** Our reference and the idempotency key at once, as of an order. */
  readonly key: string
  /** YYYY-MM-DD */
  readonly businessDate: string
  /** Of sales and refunds. */
  readonly count: number
  readonly sales: Cents
  readonly refunds: Cents
}

/** An order as it stands in the gateway's own books. */
export interface GatewayEntry {
  readonly key: string
  readonly gatewayId: string
  readonly operation: Order['operation']
  readonly amount: Cents
  readonly state: 'approved' | 'declined' | 'undecided'
  /** A void of it was approved. */
  readonly isVoided: boolean
  /** In the account's time. */
  readonly bookedAt: Date
}

/** From an instant of the account's time on, and before another. */
export interface Window {
  readonly accountId: string
  readonly from: Date
  readonly before: Date
}

/**
 * A card or a bank account in the clear, on its way to becoming a token. It is never stored, logged
 * or put in a job.
 */
export interface Instrument {
  readonly cardNumber?: string | undefined
  readonly cardExp?: string | undefined
  readonly cardCvv?: string | undefined
  readonly bankAccount?: string | undefined
  readonly bankRouting?: string | undefined
}

export interface Tokenised {
  readonly token: string
  readonly lastFour: string
  readonly cardType: string | null
}

/** Faults by the field of the instrument, in words that follow its name. */
export type Tokenising =
  | { readonly kind: 'token'; readonly tokenised: Tokenised }
  | {
      readonly kind: 'faults'
      readonly faults: Readonly<Partial<Record<keyof Instrument, string>>>
    }

/**
 * How the browser of a payer makes a token, so that no number of a card passes through our pages:
 * with fields of our own that it sends to the gateway, as JSON; or with fields that a script of the
 * gateway's puts into the page.
 */
export type BrowserTokens =
  | { readonly kind: 'own form'; readonly url: string }
  | { readonly kind: 'hosted fields'; readonly script: string; readonly publishableKey: string }

/** A token that a payer's browser has brought. */
export interface BroughtToken {
  readonly token: string
  /** On which it was made. */
  readonly page: string
  /** The payment that it is for: a token that was redeemed for another is unknown. */
  readonly redeemedFor: string
}

/** What a gateway says of a token that a browser has brought. */
export interface KnownToken {
  readonly method: 'card' | 'bank'
  readonly lastFour: string
  readonly cardType: string | null
  /** MMYY */
  readonly cardExp: string | null
}

/** A throw from any of these is silence: whether it was done is not known. */
export interface Gateway {
  readonly name: string
  readonly browserTokens: BrowserTokens
  /**
   * How long after it was sent an order may still arrive, whatever became of the connection. Until
   * then a look-up that finds nothing tells nothing.
   */
  readonly ordersArriveWithinMs: number
  carryOut(order: Order, signal: AbortSignal): Promise<Answer>
  lookUp(question: Question, signal: AbortSignal): Promise<Trace>
  /**
   * Makes sure that an order can never be carried out any more, or answers what became of it. After
   * `never_made` an order with that key that is still on its way changes nothing.
   */
  giveUp(order: Order, signal: AbortSignal): Promise<Trace>
  /** However often it is told. */
  closeBatch(totals: BatchTotals, signal: AbortSignal): Promise<void>
  /** Those of them that it has, in any order. */
  entriesOf(accountId: string, keys: readonly string[]): Promise<readonly GatewayEntry[]>
  /** So many at most, in the order of their time, after one of them or from the first on. */
  entriesBetween(
    window: Window,
    after: GatewayEntry | undefined,
    most: number,
  ): Promise<readonly GatewayEntry[]>
  /**
   * Undefined for a token that is not of the account and the page, that was not made a moment ago,
   * or that another payment has used. For one payment it can be redeemed any number of times.
   */
  redeemToken(accountId: string, brought: BroughtToken): Promise<KnownToken | undefined>
  /** Deletes its tokens of long ago that no payment used; absent where it keeps none with us. */
  readonly forgetUnusedTokens?: (now: Date, most: number) => Promise<number>
  /** Absent where card data must never reach us. */
  readonly tokenise?: (
    accountId: string,
    method: 'card' | 'bank',
    instrument: Instrument,
    now: Date,
    /** In which a payer typed it; absent where a key sent it. */
    page?: string,
  ) => Promise<Tokenising>
}
