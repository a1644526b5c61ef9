// The list of invoices: its filters, its columns, and how its rows are found.

import { isId } from '../../core/id.ts'
import type { InvoiceStatus } from '../../core/invoice.ts'
import { type RowOwner, readNewest } from '../../db/newest-anywhere.ts'
import type { Invoice } from '../../generated/client.ts'
import { type BilledInvoice, INVOICE_ROWS } from '../../invoices/list-invoices.ts'
import type { World } from '../../world.ts'
import { CustomerLink } from '../customers/list.tsx'
import { cursorOf, type FoundRows, newestFirstOf } from '../parts/found-rows.ts'
import { OWNER_COLUMNS } from '../parts/list-file.tsx'
import { type ListPage, TEAM_FILTER } from '../parts/list-page.tsx'
import { Amount, Dash, IdAndTime, personName, StatusWord, TeamAndMode } from '../parts/shown.tsx'
import { BY_TIME, sortingOf } from '../parts/sorting.ts'
import { accountsAsked, choiceOf, type QueryParams } from '../query.ts'

export const INVOICES_PATH = '/admin/invoices'
export const NEW_INVOICE_PATH = `${INVOICES_PATH}/new`

const INVOICES_A_PAGE = 50

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
      choices: STATES.map((status) => [status, invoiceStateWords(status)] as const),
    },
    TEAM_FILTER,
    { kind: 'text', name: 'customer', label: 'Customer', placeholder: 'A whole id' },
  ],
  rowsTitle: 'Invoices',
  columns: [
    {
      head: 'Invoice, created (UTC)',
      sort: 'created_at',
      cell: (row) => <IdAndTime id={row.id} to={invoicePath(row)} at={row.createdAt} />,
    },
    { head: 'Customer', isMain: true, cell: (row) => <CustomerLink of={row.customer} /> },
    { head: 'Total', class: 'amount', cell: (row) => <Amount cents={row.total} /> },
    { head: 'State', cell: (row) => <InvoiceState status={row.status} /> },
    { head: 'Due (UTC)', cell: (row) => <Due of={row} /> },
    { head: 'Team', cell: (row) => <TeamAndMode team={row.teamName} mode={row.mode} /> },
  ],
  keyOf: ({ id }) => id,
  accountOf: ({ accountId }) => accountId,
  whenEmpty: 'There are no invoices yet.',
  file: [
    ['id', (row) => row.id],
    ['created_at', (row) => row.createdAt],
    ...OWNER_COLUMNS,
    ['customer_id', (row) => row.customerId],
    ['customer', (row) => personName(row.customer)],
    ['total', (row) => row.total],
    ['total_paid', (row) => row.totalPaid],
    ['currency', (row) => row.currency],
    ['status', (row) => row.status],
    ['due_at', (row) => row.payBy],
    ['paid_at', (row) => row.paidAt],
  ],
  find,
}

export function invoicePath({ accountId, id }: Pick<Invoice, 'accountId' | 'id'>): string {
  return `${INVOICES_PATH}/${accountId}/${id}`
}

export function invoiceStateWords(status: string): string {
  return STATE_WORDS[status] ?? status.replaceAll('_', ' ').toLowerCase()
}

export function InvoiceState({ status }: { status: string }) {
  return <StatusWord status={status} words={invoiceStateWords(status)} />
}

/** A date is enough, since most are due at a midnight. */
function Due({ of: { payBy } }: { of: BilledInvoice }) {
  if (payBy === null) return <Dash />
  return (
    <time class="number" dateTime={payBy.toISOString()}>
      {payBy.toISOString().slice(0, 10)}
    </time>
  )
}

async function find(
  world: World,
  query: QueryParams,
  rows = INVOICES_A_PAGE,
): Promise<FoundRows<FoundInvoice>> {
  const { accounts, fault } = await accountsAsked(world, query)
  const { customer } = query
  const faults = {
    ...(fault === undefined ? {} : { team: fault }),
    ...(customer === undefined || isId(customer)
      ? {}
      : { customer: 'Enter the whole id of a customer.' }),
  }
  if (Object.keys(faults).length > 0) return { rows: [], shown: '', faults }
  const filter = {
    accountIds: accounts?.map(({ id }) => id),
    before: cursorOf(query),
    most: rows + 1,
    direction: sortingOf(query, BY_TIME).direction,
  }
  const asked = { status: choiceOf(query, 'status', STATES), customer_id: customer }
  const read = await readNewest(world, INVOICE_ROWS, filter, asked)
  return { ...newestFirstOf(INVOICES_PATH, query, read, rows), sorts: BY_TIME }
}
