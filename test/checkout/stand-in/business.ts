// A business at Checkout.com: its cards, its payments and their actions, in memory.

import { randomBytes } from 'node:crypto'
import type { StripeClock } from '../../stripe/stand-in/clock.ts'
import type { CheckoutCard } from './cards.ts'
import type { StandInDispute } from './disputes.ts'

export interface CheckoutSettings {
  /** How long a capture, a void or a refund is accepted without being decided or listed. */
  readonly actionsTakeMs: number
  /** How long a decided action is in the balances only. The documentation is silent. */
  readonly listedAfterMs: number
  /** How long an execution takes, while its idempotency key is in use. */
  readonly executionMs: number
  /** Whether a key that one endpoint has used is free at another. The documentation is silent. */
  readonly hasKeysPerEndpoint: boolean
}

export const CHECKOUT_DEFAULTS: CheckoutSettings = {
  actionsTakeMs: 5,
  listedAfterMs: 0,
  executionMs: 1,
  hasKeysPerEndpoint: false,
}

export type ActionType = 'Authorization' | 'Capture' | 'Card Verification' | 'Refund' | 'Void'

export interface StandInAction {
  readonly id: string
  readonly type: ActionType
  readonly amount: number
  readonly reference: string | undefined
  readonly metadata: Readonly<Record<string, string>>
  readonly response_code: string
  readonly response_summary: string
  /** Undefined until it is decided. */
  approved: boolean | undefined
  processed_on: string | undefined
  isListed: boolean
}

export interface StandInPayment {
  readonly id: string
  readonly requested_on: string
  readonly amount: number
  readonly currency: string
  readonly reference: string | undefined
  readonly metadata: Readonly<Record<string, string>>
  readonly card: CheckoutCard
  readonly sourceId: string
  status: string
  /** The actions, the oldest first, with those that are not decided yet. */
  readonly actions: StandInAction[]
}

export interface CheckoutEvent {
  readonly id: string
  readonly type: string
  readonly created_on: string
  readonly data: object
}

export interface Business {
  readonly clock: StripeClock
  readonly settings: CheckoutSettings
  readonly cardOfToken: Map<string, CheckoutCard>
  readonly cardOfSource: Map<string, CheckoutCard>
  readonly payments: Map<string, StandInPayment>
  readonly disputes: Map<string, StandInDispute>
  /** The next action of such a type is accepted first, and refused later. */
  readonly failing: Set<ActionType>
  readonly take: (event: CheckoutEvent) => void
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

export function newCheckoutId(prefix: string): string {
  return `${prefix}_${[...randomBytes(26)].map((byte) => ALPHABET[byte % 32]).join('')}`
}

const EVENTS: Readonly<Record<ActionType, readonly [string, string]>> = {
  Authorization: ['payment_approved', 'payment_declined'],
  'Card Verification': ['card_verified', 'card_verification_declined'],
  Capture: ['payment_captured', 'payment_capture_declined'],
  Void: ['payment_voided', 'payment_void_declined'],
  Refund: ['payment_refunded', 'payment_refund_declined'],
}

/** Sends an event about a decided action. */
export function announce(
  { clock, take }: Business,
  payment: StandInPayment,
  action: StandInAction,
): void {
  const [good, bad] = EVENTS[action.type]
  const { amount, metadata, processed_on, reference, response_code, response_summary } = action
  const data = { amount, metadata, processed_on, reference, response_code, response_summary }
  take({
    id: newCheckoutId('evt'),
    type: action.approved === true ? good : bad,
    created_on: clock.now().toISOString(),
    data: { id: payment.id, action_id: action.id, currency: payment.currency, ...data },
  })
}
