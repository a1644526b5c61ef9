// The operations that are possible on a transaction: void, refund, capture. The flags of every
// answer and every operation use these rules. The row decides, not the clock.
//
//   pre_auth ──captured──▶ capture ┐
//     │                            ├──▶ voided                    until its batch is frozen
//     │                  charge ───┘──▶ refunded, part by part    after that
//     └──▶ voided, while nothing of it was captured

import type { ErrorCode } from './errors.ts'
import { toDecimal } from './money.ts'
import { NOT_SUCCEEDED, type TransactionStatus, type TransactionType } from './transaction.ts'

/** Facts of a row and its account. All amounts are cents. */
export interface FollowUpFacts {
  readonly type: TransactionType
  readonly status: TransactionStatus
  readonly isManual: boolean
  readonly isVoided: boolean
  readonly isVoidUnderWay: boolean
  readonly isBatched: boolean
  readonly total: bigint
  readonly captured: bigint
  readonly refunded: bigint
  /** Amount of refunds under way; for a pre_auth, of captures under way. */
  readonly reserved: bigint
  /** True if the gateway has released the rest of a hold. */
  readonly isHoldEnded: boolean
  readonly isLinkDeleted: boolean
  /** True until the midnight after the batch, when the sandbox begins to refund. */
  readonly isBeforeSandboxMidnight: boolean
  readonly lacksTokenization: boolean
  /** Its captures, voids and refunds so far, failed ones included. */
  readonly children: number
}

/**
 * Each answer and event shows all children, so their cost grows with the square of their number.
 */
export const MOST_CHILDREN = 100

/** Captures that failed must not keep the payer's money held, so a void has room beyond them. */
const MOST_WITH_VOIDS = 2 * MOST_CHILDREN

export type FollowUpType = 'void' | 'refund' | 'capture'

export interface FollowUpInput {
  readonly operation: FollowUpType | 'void_or_refund'
  /** Absent for all, or for the rest. */
  readonly total?: bigint | undefined
  /** The caller's name for the field, used in its fault; `total` when absent. */
  readonly totalField?: 'amount' | 'total'
  readonly previouslyRefunded?: bigint | undefined
}

/** Why an operation is refused. Without a reason the code's own message says it. */
interface Obstacle {
  readonly code: ErrorCode
  readonly reason?: string
}

export type FollowUpDecision =
  | { readonly kind: 'granted'; readonly type: FollowUpType; readonly amount: bigint }
  | ({ readonly kind: 'refused' } & Obstacle)

export function decide(t: FollowUpFacts, input: FollowUpInput): FollowUpDecision {
  switch (input.operation) {
    case 'void':
      return decideVoid(t, input)
    case 'refund':
      return decideRefund(t, input)
    case 'void_or_refund':
      return t.isBatched ? decideRefund(t, input) : decideVoid(t, input)
    case 'capture':
      return decideCapture(t, input)
  }
}

export function flagsOf(t: FollowUpFacts): {
  readonly isVoidable: boolean
  readonly isRefundable: boolean
} {
  return {
    isVoidable: obstacleToVoid(t) === undefined,
    isRefundable: obstacleToRefund(t) === undefined,
  }
}

function decideVoid(t: FollowUpFacts, input: FollowUpInput): FollowUpDecision {
  const { total = t.total, previouslyRefunded = 0n } = input
  const obstacle = obstacleToVoid(t)
  if (obstacle !== undefined) return refused(obstacle)
  // Nothing is refunded before the batch, so a caller who knows of a refund means another payment.
  if (previouslyRefunded !== 0n) return refused({ code: 'refund_mismatch' })
  if (total !== t.total) return refused({ code: 'partial_void_not_supported' })
  return { kind: 'granted', type: 'void', amount: t.total }
}

function decideRefund(t: FollowUpFacts, input: FollowUpInput): FollowUpDecision {
  const obstacle = obstacleToRefund(t)
  if (obstacle !== undefined) return refused(obstacle)
  // Refunds under way count too, because a second click does not know of the first.
  const soFar = t.refunded + t.reserved
  if (input.previouslyRefunded !== undefined && input.previouslyRefunded !== soFar) {
    return refused({ code: 'refund_mismatch' })
  }
  return decideAmount(t, 'refund', input.total, t.captured - soFar, 'refund_exceeds_remaining')
}

function decideCapture(t: FollowUpFacts, input: FollowUpInput): FollowUpDecision {
  const obstacle = obstacleToCapture(t)
  if (obstacle !== undefined) return refused(obstacle)
  const left = t.total - t.captured - t.reserved
  return decideAmount(t, 'capture', input.total, left, 'capture_exceeds_remaining')
}

function decideAmount(
  t: FollowUpFacts,
  type: FollowUpType,
  requested: bigint | undefined,
  left: bigint,
  exceeds: ErrorCode,
): FollowUpDecision {
  const amount = requested ?? left
  if (amount > t.total) return refused({ code: 'invalid_request' })
  if (left === 0n) return refused({ code: exceeds })
  if (amount > left) {
    const reason = `that is more than the ${toDecimal(left).toFixed(2)} that is left to ${type}`
    return refused({ code: exceeds, reason })
  }
  return { kind: 'granted', type, amount }
}

function obstacleToVoid(t: FollowUpFacts): Obstacle | undefined {
  const obstacle = obstacleToAll(t, VOIDED_TYPES, 'voided')
  if (obstacle !== undefined) return obstacle
  if (t.isBatched) return { code: 'already_batched' }
  if (t.children >= MOST_WITH_VOIDS) return TOO_MANY_CHILDREN
  if (t.type !== 'pre_auth') return undefined
  if (t.captured > 0n) return wrongState(hasCaptures(t))
  if (t.isHoldEnded) return HOLD_ENDED
  return t.reserved > 0n ? CAPTURE_UNDER_WAY : undefined
}

/** A hold that was captured in full, or has ended, has no rest. */
function hasCaptures({ captured, isHoldEnded, total }: FollowUpFacts): string {
  const rest = isHoldEnded || captured >= total ? '' : '; the rest of its hold lapses by itself'
  const captures = 'captures, which can be voided, or refunded once they are batched'
  return `the transaction has ${captures}${rest}`
}

function obstacleToRefund(t: FollowUpFacts): Obstacle | undefined {
  const obstacle = obstacleToAll(t, REFUNDED_TYPES, 'refunded')
  if (obstacle !== undefined) return obstacle
  if (!t.isBatched) return { code: 'not_batched_yet' }
  if (t.isBeforeSandboxMidnight) return { code: 'not_refundable_yet' }
  if (t.lacksTokenization) return { code: 'settlement_tokenization_required' }
  const left = t.captured - t.refunded - t.reserved
  if (left <= 0n) return { code: 'refund_exceeds_remaining' }
  return t.children >= MOST_CHILDREN ? TOO_MANY_CHILDREN : undefined
}

function obstacleToCapture(t: FollowUpFacts): Obstacle | undefined {
  const obstacle = obstacleToAll(t, CAPTURED_TYPES, 'captured')
  if (obstacle !== undefined) return obstacle
  if (t.isHoldEnded) return HOLD_ENDED
  return t.children >= MOST_CHILDREN ? TOO_MANY_CHILDREN : undefined
}

const VOIDED_TYPES: readonly TransactionType[] = ['charge', 'capture', 'pre_auth']
const REFUNDED_TYPES: readonly TransactionType[] = ['charge', 'capture']
const CAPTURED_TYPES: readonly TransactionType[] = ['pre_auth']

const HOLD_ENDED = wrongState('the hold of the transaction has ended')
const TOO_MANY_CHILDREN = wrongState(
  'the transaction has as many captures, voids and refunds as one may have',
)
const VOID_UNDER_WAY = wrongState('a void of the transaction is under way')
const CAPTURE_UNDER_WAY = wrongState('a capture of the transaction is under way')

function obstacleToAll(
  t: FollowUpFacts,
  types: readonly TransactionType[],
  participle: string,
): Obstacle | undefined {
  if (t.isLinkDeleted) return { code: 'payment_link_deleted' }
  if (t.isManual) return wrongState('the transaction was recorded by hand')
  if (!types.includes(t.type)) {
    const instead = t.type === 'pre_auth' ? ': its captures can' : ''
    return wrongState(`a ${t.type} cannot be ${participle}${instead}`)
  }
  if (t.status !== 'SUCCESS') return wrongState(NOT_SUCCEEDED[t.status])
  if (t.isVoided) return { code: 'already_voided' }
  return t.isVoidUnderWay ? VOID_UNDER_WAY : undefined
}

function wrongState(reason: string): Obstacle {
  return { code: 'wrong_state', reason }
}

function refused(obstacle: Obstacle): FollowUpDecision {
  return { kind: 'refused', ...obstacle }
}
