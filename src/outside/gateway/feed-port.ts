// What a gateway reports about payments after their end: disputes, returns, holds that ended, and
// its payouts.

import type { DisputeStatus, ReversalKind } from '../../core/dispute.ts'
import type { Cents } from '../../core/money.ts'
import { NamedError } from '../../core/named-error.ts'
import type { ExtraKind } from '../../core/payout.ts'

/** A payment or refund of ours that happened at the gateway, as its records name it. */
export interface PaymentName {
  readonly accountId: string
  /** That of the order which made it. */
  readonly key: string
  readonly gatewayId: string
}

interface PaymentNews {
  readonly payment: PaymentName
  /** The gateway's id of the dispute, or the refund or return. */
  readonly gatewayId: string
  readonly amount: Cents
  readonly currency: string
  /** The gateway's own word for it. */
  readonly reason: string
}

export interface GatewayDispute extends PaymentNews {
  readonly kind: 'dispute'
  readonly status: DisputeStatus
  /** Null if there is nothing to answer. */
  readonly respondBy: Date | null
  readonly openedAt: Date
}

export interface GatewayReversal extends PaymentNews {
  readonly kind: ReversalKind
}

/** Money that the gateway sent to the merchant's bank. */
export interface GatewayPayout {
  readonly kind: 'payout'
  readonly gatewayId: string
  readonly status: 'paid' | 'failed'
  readonly arrivesAt: Date
  /** Less than 0 if it takes money from the bank. Null if it is not in US dollars. */
  readonly amount: Cents | null
  /** The gateway's own word for why it failed. */
  readonly reason: string | null
}

/** A hold that ended by itself. */
export interface GatewayHoldEnd {
  readonly kind: 'hold_ended'
  readonly payment: PaymentName
}

export type GatewayNews = GatewayDispute | GatewayHoldEnd | GatewayPayout | GatewayReversal

/** In the currency of the payout. */
export interface PaidOut extends PaymentName {
  /** Less than 0 for a refund. */
  readonly amount: Cents
  /** What the gateway kept of it. Less than 0 if it gave a fee back. */
  readonly fee: Cents
}

export interface PaidExtra {
  readonly kind: ExtraKind
  /** After its fee. Less than 0 if it is taken from the payout. */
  readonly net: Cents
}

export interface PayoutPart {
  readonly payments: readonly PaidOut[]
  readonly extras: readonly PaidExtra[]
  /** Failed payouts whose money it holds. */
  readonly recovered: readonly string[]
}

/** An object of the gateway that has changed. */
export interface GatewayChange {
  /** The gateway's type of the object. If the key lacks access, all of one kind fail together. */
  readonly kind: string
  readonly gatewayId: string
  /** When it changed last. */
  readonly changedAt: Date
  /** As it is now. Undefined if it is no news. */
  readonly read: () => Promise<GatewayNews | undefined>
}

/** The gateway does not let us read a place, as after its owner has disconnected it. */
export class NoAccess extends NamedError {}

/** News of payments after their end. `place` is one of the gateway's accounts. */
export interface GatewayFeed {
  /** False if all payments are in one account, whose place is empty. */
  readonly hasPlaces: boolean
  /** Everything that has changed since then, the oldest change first. It may return more. */
  readonly since: (place: string, since: Date) => AsyncIterable<GatewayChange>
  /** One dispute as it is now. Undefined if the gateway does not know it. */
  readonly findDispute: (place: string, gatewayId: string) => Promise<GatewayDispute | undefined>
  /** Undefined if it still holds the money. Absent if such an end is among the changes. */
  readonly findHoldEnd?: (payment: PaymentName) => Promise<GatewayHoldEnd | undefined>
  /** Absent if it has no news of payouts. */
  readonly partsOfPayout?: (place: string, gatewayId: string) => AsyncIterable<PayoutPart>
}
