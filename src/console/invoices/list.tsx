// The list of invoices: its filters, its columns, and how its rows are found.

import { isId } from '../../core/id.ts'
import type { InvoiceStatus } from '../../core/invoice.ts'
import { dateText } from '../../core/whole-days.ts'
import type { RowOwner } from '../../db/newest-anywhere.ts'
import { type BilledInvoice, INVOICE_ROWS } from '../../invoices/list-invoices.ts'
import { CustomerLink } from '../customers/list.tsx'
import { DATE_FILTERS, type ListPage } from '../parts/list-page.tsx'
import { newestOf, OWNED_COLUMNS, TEAM_COLUMN, TEAM_FILTER } from '../parts/rows-of-teams.tsx'
import { Dash, Id, personName, StatusWord } from '../parts/shown.tsx'
import { INVOICES_PATH, invoicePath } from '../paths.ts'
import { choiceOf, queriedSpan } from '../query.ts'

export const NEW_INVOICE_PATH = `${INVOICES_PATH}/new`

/** None becomes VOID or is paid in part yet. */
const STATES: readonly InvoiceStatus[] = ['DRAFT', 'SENT', 'VIEWED', 'ATTEMPTED', 'PAID', 'DELETED']

const STATE_WORDS: Readonly<Record<string, string>> = {
  DRAFT: 'draft',
  SENT: 'sent',
  VIEWED: 'viewed',
  ATTEMPTED: 'payment failed',
  PAID: 'paid',
  DELETED: 'deleted',
}

type FoundInvoice = BilledInvoice & RowOwner

export const INVOICE_LIST: ListPage<FoundInvoice> = {
  title: 'Invoices',
  place: 'invoices',
  toCreate: { path: NEW_INVOICE_PATH, words: 'New invoice' },
  filters: [
    {
      kind: 'choice',
      name: 'status',
      label: 'State',
      any: 'Any but deleted',
      choices: Object.entries(STATE_WORDS),
    },
    TEAM_FILTER,
    { kind: 'text', name: 'customer', label: 'Customer', placeholder: 'A whole id' },
    ...DATE_FILTERS,
  ],
  columns: [
    {
      head: 'Invoice, created (UTC)',
      sort: 'created_at',
      cell: (row) => <Id id={row.id} to={invoicePath(row)} />,
      below: (row) => row.createdAt,
    },
    { head: 'Customer', isMain: true, cell: (row) => <CustomerLink of={row.customer} /> },
    { head: 'Total', class: 'amount', cell: (row) => row.total },
    { head: 'State', cell: (row) => <InvoiceStateWord status={row.status} /> },
    { head: 'Due (UTC)', cell: (row) => <Due of={row} /> },
    TEAM_COLUMN,
  ],
  isInAccountTime: true,
  whenEmpty: 'There are no invoices yet.',
  file: [
    ...OWNED_COLUMNS,
    'customer_id',
    ['customer', (row) => personName(row.customer)],
    'total',
    'total_paid',
    'currency',
    'status',
    ['due_at', (row) => row.payBy],
    'paid_at',
  ],
  find: newestOf(INVOICE_ROWS, (query) => {
    const { customer } = query
    const isKnown = customer === undefined || isId(customer)
    return {
      asked: { status: choiceOf(query, 'status', STATES), customer_id: customer },
      created: queriedSpan(query),
      faults: isKnown ? {} : { customer: 'Enter the whole id of a customer.' },
    }
  }),
}

export function invoiceStateWords(status: string): string {
  return STATE_WORDS[status] ?? status.replaceAll('_', ' ').toLowerCase()
}

export function InvoiceStateWord({ status }: { status: string }) {
  return <StatusWord status={status} words={invoiceStateWords(status)} />
}

/** A date is enough, since most are due at a midnight. */
function Due({ of: { payBy } }: { of: BilledInvoice }) {
  if (payBy === null) return <Dash />
  return (
    <time class="number" dateTime={payBy.toISOString()}>
      {dateText(payBy)}
    </time>
  )
}
