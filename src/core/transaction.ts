// The life of a transaction, as far as the gateway decides it.
//
//                         ┌──────── never made, or turned away ────────┐
//                         ▼                                            │
//   accepted ──▶ PENDING, owes 'charge' ──taken──▶ PENDING, owes 'doubt' ──▶ SUCCESS   approved
//                (surely not asked)                (may have been asked)  ──▶ FAILED    declined
//                         │                             │    ▲
//                         │                             └────┘ silent, undecided: asked later
//                         └──at the deadline──▶ FAILED
//
// A row is in doubt from the moment in which it is taken: whoever dies between asking and recording
// leaves it there, and what became of it is asked, never guessed. At the deadline the gateway is
// asked a last time: what it never made has FAILED, what it still cannot tell is parked, PENDING,
// for a person to decide.

export type TransactionType = 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund' | 'credit'
export type TransactionStatus = 'PENDING' | 'SUCCESS' | 'FAILED'

/** What a PENDING transaction owes. Also the name of the queue whose worker pays it. */
export type Owed = 'charge' | 'doubt'

/** What was learned from the gateway, by asking for the payment or by asking after it. */
export type Finding =
  | 'approved'
  | 'declined'
  | 'turned_away'
  | 'never_made'
  | 'undecided'
  | 'silent'

export type Step =
  | { readonly to: 'final'; readonly status: 'SUCCESS' | 'FAILED' }
  | { readonly to: 'owed'; readonly owed: Owed }
  | { readonly to: 'parked' }

const SUCCESS: Step = { to: 'final', status: 'SUCCESS' }
const FAILED: Step = { to: 'final', status: 'FAILED' }
const CHARGE_AGAIN: Step = { to: 'owed', owed: 'charge' }
const ASK_LATER: Step = { to: 'owed', owed: 'doubt' }
const PARKED: Step = { to: 'parked' }

const STEPS: Readonly<Record<Finding, { readonly inTime: Step; readonly atDeadline: Step }>> = {
  approved: { inTime: SUCCESS, atDeadline: SUCCESS },
  declined: { inTime: FAILED, atDeadline: FAILED },
  turned_away: { inTime: CHARGE_AGAIN, atDeadline: FAILED },
  never_made: { inTime: CHARGE_AGAIN, atDeadline: FAILED },
  undecided: { inTime: ASK_LATER, atDeadline: PARKED },
  silent: { inTime: ASK_LATER, atDeadline: PARKED },
}

export function nextStep(finding: Finding, isAtDeadline: boolean): Step {
  return isAtDeadline ? STEPS[finding].atDeadline : STEPS[finding].inTime
}

/** null while nobody knows. */
export function isSuccess(status: TransactionStatus): boolean | null {
  switch (status) {
    case 'PENDING':
      return null
    case 'SUCCESS':
      return true
    case 'FAILED':
      return false
  }
}

export interface Standing {
  readonly type: TransactionType
  readonly status: TransactionStatus
  readonly isManual: boolean
  readonly isVoided: boolean
  readonly isBatched: boolean
  /** Cents captured and neither refunded nor reserved for a refund under way. */
  readonly left: bigint
}

/** What may still be done to a transaction: the row decides, not the clock. */
export function flagsOf(t: Standing): {
  readonly isVoidable: boolean
  readonly isRefundable: boolean
} {
  const isOpen = t.status === 'SUCCESS' && !t.isManual && !t.isVoided
  const holdsMoney = t.type === 'charge' || t.type === 'capture'
  return {
    isVoidable: isOpen && !t.isBatched && (holdsMoney || t.type === 'pre_auth'),
    isRefundable: isOpen && t.isBatched && holdsMoney && t.left > 0n,
  }
}
