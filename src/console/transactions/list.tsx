// The list of transactions: its filters and columns.

import { MODES } from '../../accounts/key.ts'
import type { FoundTransaction } from '../../payments/anywhere/list-anywhere.ts'
import { OWNER_COLUMNS } from '../parts/list-file.tsx'
import { type ListPage, TEAM_FILTER } from '../parts/list-page.tsx'
import { Amount, At, Id, personName, StatusWord, TeamAndMode } from '../parts/shown.tsx'
import { METHODS, search, TRANSACTION_STATUSES, TRANSACTIONS_PATH, TYPES } from './search.ts'

/** The fields that the search word matches. */
const FINDS =
  'Ids of transactions, customers, invoices, schedules and batches; idempotency keys; ' +
  'the gateway’s references.'

export const TRANSACTION_LIST: ListPage<FoundTransaction> = {
  title: 'Transactions',
  place: 'transactions',
  filters: [
    {
      kind: 'text',
      isWide: true,
      name: 'q',
      type: 'search',
      label: 'Search',
      placeholder: 'A customer’s name or e-mail, a whole id, a key',
      hint: FINDS,
    },
    TEAM_FILTER,
    { kind: 'choice', name: 'mode', label: 'Mode', choices: MODES },
    { kind: 'choice', name: 'status', label: 'Status', choices: TRANSACTION_STATUSES },
    { kind: 'choice', name: 'type', label: 'Type', choices: TYPES },
    { kind: 'choice', name: 'method', label: 'Method', choices: METHODS },
    { kind: 'text', name: 'amount', label: 'Amount', inputMode: 'decimal', placeholder: '12.50' },
    { kind: 'text', name: 'last_four', label: 'Last four', inputMode: 'numeric', longest: 4 },
    { kind: 'date', name: 'from', label: 'From (UTC)' },
    { kind: 'date', name: 'to', label: 'To (UTC)' },
  ],
  rowsTitle: 'Transactions',
  columns: [
    { head: 'When (UTC)', sort: 'created_at', cell: (row) => <At instant={row.createdAt} /> },
    { head: 'Customer', isMain: true, cell: (row) => <Payer row={row} /> },
    { head: 'Amount', sort: 'total', class: 'amount', cell: (row) => <Amount cents={row.total} /> },
    {
      head: 'Status',
      sort: 'status',
      cell: (row) => (
        <>
          <StatusWord status={row.status} />
          <Since row={row} />
        </>
      ),
    },
    {
      head: 'Transaction',
      cell: (row) => (
        <>
          <Id id={row.id} to={`${TRANSACTIONS_PATH}/${row.accountId}/${row.id}`} />
          <span class="quiet below">{row.type}</span>
        </>
      ),
    },
    {
      head: 'Team',
      cell: (row) => (
        <TeamAndMode team={row.teamName} mode={row.mode} to={`/admin/teams/${row.teamId}`} />
      ),
    },
  ],
  keyOf: ({ id }) => id,
  accountOf: ({ accountId }) => accountId,
  whenEmpty: 'There are no payments yet.',
  file: [
    ['id', (row) => row.id],
    ['created_at', (row) => row.createdAt],
    ...OWNER_COLUMNS,
    ['type', (row) => row.type],
    ['method', (row) => row.method],
    ['last_four', (row) => row.lastFour],
    ['total', (row) => row.total],
    ['total_refunded', (row) => row.refunded],
    ['currency', (row) => row.currency],
    ['status', (row) => row.status],
    ['is_voided', (row) => row.isVoided],
    ['message', (row) => row.message],
    ['customer_id', (row) => row.customerId],
    ['customer', (row) => personName(row.customer)],
    ['customer_email', (row) => row.customer.email],
  ],
  find: search,
}

function Payer({ row: { customer, method, lastFour } }: { row: FoundTransaction }) {
  return (
    <>
      {personName(customer)}
      <span class="quiet below">
        by {method} {lastFour === null ? null : <span class="number">··{lastFour}</span>}
      </span>
    </>
  )
}

/** The disputes and reversals after its success. */
function Since({ row }: { row: FoundTransaction }) {
  if (row.parkedAt !== null) return <span class="bad below">needs attention</span>
  if (row.isVoided) return <span class="quiet below">voided</span>
  if (row.refunded === 0n) return null
  const words = row.refunded === row.total ? 'refunded' : 'refunded in part'
  return <span class="quiet below">{words}</span>
}
