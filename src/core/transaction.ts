// How the gateway decides a transaction. `owed` names the pending work of the row.
//
//                         ┌──────── never made, or turned away ────────┐
//                         ▼                                            │
//   accepted ──▶ PENDING, owed 'charge' ─taken─▶ PENDING, owed 'doubt' ──▶ SUCCESS   approved
//                or 'refund'                      (may have been asked) ──▶ FAILED    declined
//                (surely not asked)                    │    ▲                         or given up
//                         │                            └────┘ silent, undecided: asked later
//                         └──at the deadline, or barred──▶ FAILED, because it was never ordered
//
// A row is in doubt from the moment it is taken. If a worker dies between asking and recording, the
// row stays in doubt, and the service asks the gateway about it instead of guessing. An order may
// still be on its way to the gateway, so a row that may have been ordered is FAILED only if the
// gateway declines it, or confirms that it will never carry it out (given up). At the deadline the
// service asks for that. If the gateway still does not know, the row is parked, PENDING, until
// a person decides.

export const TRANSACTION_TYPES = [
  'charge',
  'pre_auth',
  'capture',
  'void',
  'refund',
  'credit',
] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

export const TRANSACTION_STATUSES = ['PENDING', 'SUCCESS', 'FAILED'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** Why a transaction that has not succeeded cannot be followed up, as its caller reads it. */
export const NOT_SUCCEEDED = {
  PENDING: 'the transaction is PENDING; wait for its outcome',
  FAILED: 'the transaction is FAILED; it moved no money',
} as const

/** How a payer pays. Cash and checks are recorded by hand. */
export const METHODS = ['card', 'bank', 'cash', 'check'] as const

/** The pending work of a PENDING transaction. Also the name of the queue whose worker does it. */
export type PendingWork = 'charge' | 'refund' | 'doubt'

/** The pending work before the gateway was asked. */
export type FirstWork = Exclude<PendingWork, 'doubt'>

/** `charge` brings or holds money, `refund` returns or releases it. */
export function firstWork(type: TransactionType): FirstWork {
  return type === 'void' || type === 'refund' ? 'refund' : 'charge'
}

/** True if its success brings money; a pre_auth only holds it. */
export function bringsMoney(type: TransactionType): boolean {
  return type === 'charge' || type === 'capture'
}

/**
 * The meaning of the gateway's answer to a payment, or to the question about one. `given_up`
 * means that it was never ordered, or that the gateway confirmed it will never carry it out.
 */
type FindingKind =
  | 'approved'
  | 'declined'
  | 'turned_away'
  | 'never_made'
  | 'given_up'
  | 'undecided'
  | 'silent'
  | 'not_asked'

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

/** Only the gateway's answer makes a payment final, never the deadline alone. */
const STEPS: Readonly<Record<FindingKind, { readonly inTime: Step; readonly atDeadline: Step }>> = {
  approved: { inTime: SUCCESS, atDeadline: SUCCESS },
  declined: { inTime: FAILED, atDeadline: FAILED },
  given_up: { inTime: FAILED, atDeadline: FAILED },
  turned_away: { inTime: ORDER_AGAIN, atDeadline: ORDER_AGAIN },
  never_made: { inTime: ORDER_AGAIN, atDeadline: ORDER_AGAIN },
  undecided: { inTime: ASK_LATER, atDeadline: PARKED },
  silent: { inTime: ASK_LATER, atDeadline: PARKED },
  // At the deadline the gateway is asked a last time, however long that takes.
  not_asked: { inTime: ASK_LATER, atDeadline: ASK_LATER },
}

export function nextStep(finding: FindingKind, isLastQuestion: boolean): Step {
  return isLastQuestion ? STEPS[finding].atDeadline : STEPS[finding].inTime
}
