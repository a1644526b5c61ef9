// The port for payment gateways. Every implementation passes the port's contract tests.

import type { Decline } from '../../core/decline.ts'
import type { Cents } from '../../core/money.ts'
import { NamedError } from '../../core/named-error.ts'
import type { GatewayFeed } from './feed-port.ts'

type Operation = 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund'

/** It is built from what our row has frozen, so that every repeat is the same but for `now`. */
export interface Order {
  readonly accountId: string
  /**
   * Our reference, and also the idempotency key: an order with this key is carried out once, and
   * every repeat gets the first answer.
   */
  readonly key: string
  readonly operation: Operation
  readonly method: 'card' | 'bank'
  /** The transaction that a capture, a void or a refund refers to. */
  readonly parent?: ParentOrder | undefined
  /** The payment method, as the gateway's own token. */
  readonly token: string
  /** The gateway's id of it, once an earlier answer has contained it. */
  readonly gatewayId: string | null
  readonly amount: Cents
  readonly currency: string
  /** The account's own time. */
  readonly now: Date
  /** When we stop asking what became of it, in the account's time. */
  readonly deadlineAt: Date
}

interface ParentOrder {
  readonly key: string
  readonly operation: Operation
  readonly gatewayId: string | null
}

export type Answer =
  | { readonly kind: 'approved'; readonly gatewayId: string; readonly message: string }
  | {
      readonly kind: 'declined'
      readonly gatewayId: string | null
      readonly message: string
      readonly decline?: Decline | undefined
    }
  /**
   * Accepted, but not decided yet. A bank debit takes days: then it says by when. A bank that asks
   * the payer waits for an answer until `payerAnswersBy`.
   */
  | {
      readonly kind: 'undecided'
      readonly gatewayId: string | null
      readonly decidedBy?: Date | undefined
      readonly payerAnswersBy?: Date | undefined
    }
  /** Surely not accepted: the order may safely be sent again. */
  | { readonly kind: 'turned_away'; readonly message: string }

/** The state of an order that the gateway has accepted. */
export type AcceptedState = Exclude<Answer, { kind: 'turned_away' }>

/** The state of an order, by its key. */
export type OrderState = AcceptedState | { readonly kind: 'never_made' }

/** An order in the gateway's own ledger. */
export interface GatewayEntry {
  readonly key: string
  readonly gatewayId: string
  readonly operation: Order['operation']
  readonly amount: Cents
  readonly state: 'approved' | 'declined' | 'undecided'
  /** True if a void of it was approved. */
  readonly isVoided: boolean
  /** In the account's time. */
  readonly bookedAt: Date
  /** What an operator needs to find the payer of an order that our rows do not have. */
  readonly paidWith?: PaidWith | undefined
}

export interface PaidWith {
  readonly lastFour: string | undefined
  /** The gateway's id of the payment method. Our token has it as one of its parts. */
  readonly method: string | undefined
}

/** Names an order of ours. */
export type OrderKey = Pick<Order, 'accountId' | 'key'>

/** A payment that the gateway has, and has not decided. */
export interface PayerOrder {
  readonly token: string
  readonly gatewayId: string
}

/** An order that the gateway is asked for again, to compare the ledgers. */
export type OrderName = Pick<Order, 'gatewayId' | 'key' | 'operation' | 'token'>

/** In the account's time. The end is not included. */
export interface Window {
  readonly accountId: string
  readonly from: Date
  readonly before: Date
  /** An order that was accepted in that time may be carried out until then. */
  readonly madeUntil: Date
}

/**
 * A card or a bank account in the clear, before it becomes a token. It is never stored, logged or
 * put into a job.
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

/** Faults by field, each in words that follow the field's name. */
export type Tokenising =
  | { readonly kind: 'token'; readonly tokenised: Tokenised }
  | {
      readonly kind: 'faults'
      readonly faults: Readonly<Partial<Record<keyof Instrument, string>>>
    }

/**
 * How a payer's browser makes a token, so that no card number passes through our pages: either our
 * own fields, which it sends to the gateway as JSON, or fields that a script of the gateway puts
 * into the page. Without either, payers' pages take no payments.
 */
export type BrowserTokens =
  | { readonly kind: 'none' }
  | { readonly kind: 'own form'; readonly url: string }
  | {
      readonly kind: 'hosted fields'
      readonly script: string
      readonly publishableKey: string
      /** The payments of these pages move no money. */
      readonly isTest: boolean
      /** The resources that the script loads, as a browser's policy names them. */
      readonly loads: {
        readonly scripts: string
        readonly frames: string
        readonly connections: string
      }
      /** The gateway's name of the account that is paid. Undefined for the operator's own. */
      readonly accountOf: (accountId: string) => Promise<string | undefined>
    }

/** A token that a payer's browser has sent. */
export interface BroughtToken {
  readonly token: string
  readonly owner: TokenOwner
  /** The page on which it was made. */
  readonly page: string
  /** The payment that uses it. A token that another payment has redeemed is unknown. */
  readonly redeemedFor: string
}

/** The gateway's facts about such a token. */
export interface KnownToken {
  readonly method: 'card' | 'bank'
  readonly lastFour: string
  readonly cardType: string | null
  /** MMYY */
  readonly cardExp: string | null
}

/**
 * Whether the payer's bank asks the payer something. The secret is for that payer's browser alone,
 * and is stored and logged nowhere.
 */
export type PayerStep =
  | {
      readonly kind: 'asked'
      readonly clientSecret: string
      /**
       * The place of the payment, whatever the account's settings say now. Null for the operator's
       * own.
       */
      readonly account: string | null
    }
  | { readonly kind: 'waiting' | 'decided' }

/** A payment method that the gateway made, to be used without the payer. */
export interface MethodToKeep {
  readonly token: string
  readonly owner: TokenOwner
}

export interface TokenOwner {
  /** Our id of the customer, or of the attempt that creates one. */
  readonly id: string
  /** The gateway's token of another payment method of the customer, if there is one. */
  readonly token?: string | undefined
}

/** A fault follows the field's name. */
export type Kept =
  | ({ readonly kind: 'kept'; readonly token: string } & KnownToken)
  | { readonly kind: 'fault'; readonly fault: string }

/** One of the gateway's accounts. Empty for the platform's own. */
export interface GatewayPlace {
  readonly place: string
}

/** The request was not sent, and may be sent later. */
export class NotSent extends NamedError {}

/** Not sent, or refused before it was executed. A moment later there are fewer. */
export class TooManyRequests extends NotSent {}

/**
 * If one of these throws, the gateway was silent: whether it acted is unknown. A question that
 * throws `TooManyRequests` was not asked.
 */
export interface Gateway {
  readonly name: string
  readonly browserTokens: BrowserTokens
  /**
   * How long after sending an order may still arrive, even if the connection broke. Until then, a
   * look-up that finds nothing proves nothing.
   */
  readonly ordersArriveWithinMs: number
  /** True if the first capture releases the rest of its hold. */
  readonly capturesOnce: boolean
  carryOut(order: Order, signal: AbortSignal): Promise<Answer>
  lookUp(order: Order, signal: AbortSignal): Promise<OrderState>
  /**
   * Makes sure that an order can never be carried out any more, or returns what became of it. After
   * `never_made`, a late order with that key has no effect.
   */
  giveUp(order: Order, signal: AbortSignal): Promise<OrderState>
  /** Returns those that it has, in any order. */
  entriesOf(accountId: string, orders: readonly OrderName[]): Promise<readonly GatewayEntry[]>
  /** In pages, in any order. */
  entriesBetween(window: Window): AsyncIterable<readonly GatewayEntry[]>
  /**
   * Undefined if the token is not of this account and page, is too old, or was used by another
   * payment. The same payment may redeem it any number of times. Returns the token for its order.
   */
  redeemToken(
    accountId: string,
    brought: BroughtToken,
  ): Promise<(KnownToken & { readonly token: string }) | undefined>
  /** Absent if no bank asks payers through this gateway. */
  readonly payerStepOf?: (order: PayerOrder) => Promise<PayerStep>
  /** True if the token was good for the one payment that a payer made on a page. */
  readonly isForOnePayment?: (token: string) => boolean
  /** Keeps a token of the gateway's own for payments without the payer. */
  readonly keepMethod: (accountId: string, method: MethodToKeep) => Promise<Kept>
  /** Makes a token of `keepMethod` useless for new payments. It may be called any number of times. */
  readonly forgetMethod?: (token: string) => Promise<void>
  /**
   * What `forgetMethod` deletes, which several tokens may name: the second part of a token. Absent
   * if each token is stored by itself.
   */
  readonly storedAs?: (token: string) => string
  /** Events that the gateway sends. Absent if it sends none. */
  readonly notices?: {
    /** The header with the signature, in small letters. */
    readonly header: string
    /**
     * The orders that an event is about, or the account with news in its feed. Undefined if the
     * gateway did not sign it.
     */
    readonly read: (
      body: string,
      signature: string,
    ) => Promise<readonly (OrderKey | GatewayPlace)[] | undefined>
  }
  /** Absent if the gateway has no news of a payment after its end. */
  readonly feed?: GatewayFeed
  /** Deletes old tokens that no payment used. Absent if the gateway keeps none with us. */
  readonly forgetUnusedTokens?: (now: Date, most: number) => Promise<number>
  /** Absent if card data must never reach this service. */
  readonly tokenise?: (
    accountId: string,
    method: 'card' | 'bank',
    instrument: Instrument,
    now: Date,
    /** The page where a payer typed it. Absent if an API key sent it. */
    page?: string,
  ) => Promise<Tokenising>
}
