// The result of an action on one row. A throw is not a verdict: it means that this attempt failed
// and another may succeed. Work that was already done is `done`, because jobs may run twice.

import type { PendingWork, TransactionStatus } from './transaction.ts'

export type Verdict =
  | { readonly kind: 'done'; readonly answer?: Answered }
  | { readonly kind: 'cancel'; readonly reason: string }
  | { readonly kind: 'snooze'; readonly until: Date; readonly work?: PendingWork }

/**
 * The answer to the caller that waits for a payment. `body` is JSON: the transaction, or, for a
 * capture, a void or a refund, its parent with its children.
 */
export interface Answered {
  /** The status of the payment that was requested. */
  readonly status: TransactionStatus
  readonly body: string
}

export const done: Verdict = { kind: 'done' }

/** No retry can succeed; the reason is for the log. */
export function cancel(reason: string): Verdict {
  return { kind: 'cancel', reason }
}

/**
 * The row is due again at that instant, and its own due time says so; the runner only nudges a
 * worker then. Without `work`, the same work is due.
 */
export function snooze(until: Date, work?: PendingWork): Verdict {
  return work === undefined ? { kind: 'snooze', until } : { kind: 'snooze', until, work }
}
