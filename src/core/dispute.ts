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
export function isClosedDispute(status: DisputeStatus): boolean {
  return status === 'won' || status === 'lost' || status === 'warning_closed'
}

export const REVERSAL_KINDS = ['refund_failed', 'debit_returned'] as const

export type ReversalKind = (typeof REVERSAL_KINDS)[number]
