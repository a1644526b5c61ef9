// The newest payments of an object, on its page.

import type { OwnedPayments } from '../../payments/anywhere/owned.ts'
import type { FoundTransaction } from '../../payments/anywhere/transactions-anywhere.ts'
import { TRANSACTIONS_PATH, transactionPath } from '../paths.ts'
import { pathWith } from '../query.ts'
import { type Column, TablePart } from './row-table.tsx'
import { Amount, Below, Id, personName, StatusWord } from './shown.tsx'

/** The most rows of a table that is a part of a page. */
export const MOST_ON_A_PAGE = 10

interface PaymentsProps {
  readonly payments: OwnedPayments
  /** The id of the object. The search finds all of its payments by it. */
  readonly id: string
  /** `this customer` */
  readonly what: string
  readonly withCustomer?: boolean
}

export function Payments({ payments, id, what, withCustomer = false }: PaymentsProps) {
  const { rows, hasMore } = payments
  return (
    <TablePart
      id="payments"
      title="Payments"
      columns={withCustomer ? [...PAYMENT_COLUMNS, CUSTOMER_COLUMN] : PAYMENT_COLUMNS}
      rows={rows}
      whenEmpty="There are no payments yet."
    >
      {hasMore ? (
        <p>
          <a href={pathWith(TRANSACTIONS_PATH, {}, { q: id })}>All payments of {what}</a>
        </p>
      ) : null}
    </TablePart>
  )
}

export const PAYMENT_COLUMNS: readonly Column<FoundTransaction>[] = [
  { head: 'When (UTC)', cell: (row) => row.createdAt },
  {
    head: 'Transaction',
    isMain: true,
    cell: ({ accountId, id }) => <Id id={id} to={transactionPath({ accountId, id })} />,
  },
  { head: 'Type', cell: (row) => row.type },
  { head: 'Amount', class: 'amount', cell: (row) => <PaymentAmount of={row} /> },
  { head: 'Status', cell: (row) => <PaymentStatus of={row} /> },
  { head: 'Method', cell: means },
]

/** `card ··1111` */
export function means({ method, lastFour }: FoundTransaction) {
  return (
    <>
      {method} {lastFour === null ? null : <span class="number">··{lastFour}</span>}
    </>
  )
}

export const CUSTOMER_COLUMN: Column<FoundTransaction> = {
  head: 'Customer',
  class: 'says',
  cell: (row) => personName(row.customer),
}

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
