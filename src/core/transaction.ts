// The life of a transaction, as far as the gateway decides it.
//
//                         ┌──────── never made, or turned away ────────┐
//                         ▼                                            │
//   accepted ──▶ PENDING, owes 'charge' ──taken──▶ PENDING, owes 'doubt' ──▶ SUCCESS   approved
//                or 'refund'                       (may have been asked)  ──▶ FAILED    declined
//                (surely not asked)                     │    ▲
//                         │                             └────┘ silent, undecided: asked later
//                         └──at the deadline, or barred──▶ FAILED
//
// A row is in doubt from the moment in which it is taken: whoever dies between asking and recording
// leaves it there, and what became of it is asked, never guessed. At the deadline the gateway is
// asked a last time: what it never made has FAILED, what it still cannot tell is parked, PENDING,
// for a person to decide.

export type TransactionType = 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund' | 'credit'
export type TransactionStatus = 'PENDING' | 'SUCCESS' | 'FAILED'

/** What a PENDING transaction owes. Also the name of the queue whose worker pays it. */
export type Owed = 'charge' | 'refund' | 'doubt'

/** What it owes before the gateway was asked. */
export function owedAtFirst(type: TransactionType): 'charge' | 'refund' {
  return type === 'void' || type === 'refund' ? 'refund' : 'charge'
}

/** Whether its success brings money: a pre_auth only holds it. */
export function bringsMoney(type: TransactionType): boolean {
  return type === 'charge' || type === 'capture'
}

/**
 * What was learned from the gateway, by asking for the payment or by asking after it. What is
 * barred was not asked for, and will not be.
 */
export type Finding =
  | 'approved'
  | 'declined'
  | 'turned_away'
  | 'never_made'
  | 'barred'
  | 'undecided'
  | 'silent'

export type Step =
  | { readonly to: 'final'; readonly status: 'SUCCESS' | 'FAILED' }
  | { readonly to: 'ordered again' }
  | { readonly to: 'asked later' }
  | { readonly to: 'parked' }

const SUCCESS: Step = { to: 'final', status: 'SUCCESS' }
const FAILED: Step = { to: 'final', status: 'FAILED' }
const ORDER_AGAIN: Step = { to: 'ordered again' }
const ASK_LATER: Step = { to: 'asked later' }
const PARKED: Step = { to: 'parked' }

const STEPS: Readonly<Record<Finding, { readonly inTime: Step; readonly atDeadline: Step }>> = {
  approved: { inTime: SUCCESS, atDeadline: SUCCESS },
  declined: { inTime: FAILED, atDeadline: FAILED },
  turned_away: { inTime: ORDER_AGAIN, atDeadline: FAILED },
  never_made: { inTime: ORDER_AGAIN, atDeadline: FAILED },
  barred: { inTime: FAILED, atDeadline: FAILED },
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
