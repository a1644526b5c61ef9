// The life of a transaction, as far as the gateway decides it.
//
//                         ┌──────── never made, or turned away ────────┐
//                         ▼                                            │
//   accepted ──▶ PENDING, owes 'charge' ──taken──▶ PENDING, owes 'doubt' ──▶ SUCCESS   approved
//                or 'refund'                       (may have been asked)  ──▶ FAILED    declined
//                (surely not asked)                     │    ▲                          or given up
//                         │                             └────┘ silent, undecided: asked later
//                         └──at the deadline, or barred──▶ FAILED, where it was never ordered
//
// A row is in doubt from the moment in which it is taken: a worker that dies between asking and
// recording leaves it there, and what became of it is asked, never guessed. An order of ours may
// still be on its way to the gateway, so a row that was ordered is FAILED only by the gateway's
// word: it declines, or it makes sure that the order can never be carried out any more (given up).
// At the deadline it is asked for that; what it still cannot tell is parked, PENDING, for a person
// to decide.

export type TransactionType = 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund' | 'credit'
export type TransactionStatus = 'PENDING' | 'SUCCESS' | 'FAILED'

/** What a PENDING transaction owes. Also the name of the queue whose worker pays it. */
export type PendingWork = 'charge' | 'refund' | 'doubt'

/** What it owes before the gateway was asked. */
export function owedAtFirst(type: TransactionType): 'charge' | 'refund' {
  return type === 'void' || type === 'refund' ? 'refund' : 'charge'
}

/** Whether its success brings money: a pre_auth only holds it. */
export function bringsMoney(type: TransactionType): boolean {
  return type === 'charge' || type === 'capture'
}

/**
 * What was learned from the gateway, by asking for the payment or by asking after it. What is given
 * up was never ordered, or the gateway made sure that it will never be carried out.
 */
type FindingKind =
  | 'approved'
  | 'declined'
  | 'turned_away'
  | 'never_made'
  | 'given_up'
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

/** Only the gateway's word makes a payment final; the deadline alone never does. */
const STEPS: Readonly<Record<FindingKind, { readonly inTime: Step; readonly atDeadline: Step }>> = {
  approved: { inTime: SUCCESS, atDeadline: SUCCESS },
  declined: { inTime: FAILED, atDeadline: FAILED },
  given_up: { inTime: FAILED, atDeadline: FAILED },
  turned_away: { inTime: ORDER_AGAIN, atDeadline: ORDER_AGAIN },
  never_made: { inTime: ORDER_AGAIN, atDeadline: ORDER_AGAIN },
  undecided: { inTime: ASK_LATER, atDeadline: PARKED },
  silent: { inTime: ASK_LATER, atDeadline: PARKED },
}

export function nextStep(finding: FindingKind, isAtDeadline: boolean): Step {
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
