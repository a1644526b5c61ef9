// The amount and the status of a payment in a list.

import type { FoundTransaction } from '../../payments/anywhere/transactions-anywhere.ts'
import { Amount, Below, StatusWord } from './shown.tsx'

/** Negative if it returns money, so that a list can be added up. */
export function PaymentAmount({ of: { type, total } }: { of: FoundTransaction }) {
  return <Amount cents={type === 'refund' || type === 'credit' ? -total : total} />
}

export function PaymentStatus({ of }: { of: FoundTransaction }) {
  return (
    <>
      <StatusWord status={of.status} />
      <Since row={of} />
    </>
  )
}

const REVERSED_WORDS = { refund_failed: 'refund failed', debit_returned: 'debit returned' }

/** Whether it needs attention, is disputed, or has been voided, refunded or reversed. */
function Since({ row }: { row: FoundTransaction }) {
  if (row.parkedAt !== null) return <span class="bad below">needs attention</span>
  if (row.isDisputed) return <span class="bad below">dispute open</span>
  if (row.reversed !== null) return <span class="bad below">{REVERSED_WORDS[row.reversed]}</span>
  if (row.isVoided) return <Below>voided</Below>
  if (row.refunded === 0n) return null
  const words = row.refunded === row.total ? 'refunded' : 'refunded in part'
  return <Below>{words}</Below>
}
