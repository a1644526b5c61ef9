// Disputes and reversals of payments, in words that are the same for every gateway.

export const DISPUTE_STATUSES = [
  'warning',
  'warning_closed',
  'needs_response',
  'under_review',
  'won',
  'lost',
] as const

export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** A closed dispute has nothing to answer any more. */
export const CLOSED_DISPUTES = ['won', 'lost', 'warning_closed'] as const

export function isClosedDispute(status: DisputeStatus): boolean {
  return CLOSED_DISPUTES.some((closed) => closed === status)
}

export const REVERSAL_KINDS = ['refund_failed', 'debit_returned'] as const

export type ReversalKind = (typeof REVERSAL_KINDS)[number]
