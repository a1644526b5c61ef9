// The list of transactions: its filters and columns.

import { Fragment } from 'preact'
import { MODES } from '../../accounts/key.ts'
import { METHODS, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../core/transaction.ts'
import type { FoundTransaction } from '../../payments/anywhere/transactions-anywhere.ts'
import type { FoundRows } from '../parts/found-rows.ts'
import { DATE_FILTERS, type ListPage, searchFilter } from '../parts/list-page.tsx'
import { means, PaymentAmount, PaymentStatus } from '../parts/payments.tsx'
import { OWNED_COLUMNS, TEAM_COLUMN, TEAM_FILTER } from '../parts/rows-of-teams.tsx'
import { dollarText, Id, LongLink, personName } from '../parts/shown.tsx'
import { typedAmount } from '../parts/typed.ts'
import {
  CUSTOMERS_PATH,
  TEAMS_PATH,
  TRANSACTIONS_PATH,
  teamPath,
  transactionPath,
} from '../paths.ts'
import { FIRST_PAGE, pathWith, type QueryParams } from '../query.ts'
import { search } from './search.ts'

/** The fields that the search word matches. */
const FINDS =
  'Ids of transactions, customers, invoices, schedules and batches; idempotency keys; ' +
  'the gateway’s references; order numbers (reference or poNumber of the metadata).'

export const TRANSACTION_LIST: ListPage<FoundTransaction> = {
  title: 'Transactions',
  place: 'transactions',
  filters: [
    searchFilter('A customer’s name or e-mail, a whole id, an order number', FINDS),
    TEAM_FILTER,
    { kind: 'choice', name: 'mode', label: 'Mode', choices: MODES },
    { kind: 'choice', name: 'status', label: 'Status', choices: TRANSACTION_STATUSES },
    { kind: 'choice', name: 'type', label: 'Type', choices: TRANSACTION_TYPES },
    { kind: 'choice', name: 'method', label: 'Method', choices: METHODS },
    { kind: 'text', name: 'amount', label: 'Amount', inputMode: 'decimal', placeholder: '12.50' },
    { kind: 'text', name: 'last_four', label: 'Last four', inputMode: 'numeric', longest: 4 },
    ...DATE_FILTERS,
  ],
  columns: [
    { head: 'When (UTC)', sort: 'created_at', cell: (row) => row.createdAt },
    {
      head: 'Customer',
      isMain: true,
      cell: (row) => personName(row.customer),
      below: (row) => <>by {means(row)}</>,
    },
    { head: 'Amount', sort: 'total', class: 'amount', cell: (row) => <PaymentAmount of={row} /> },
    { head: 'Status', sort: 'status', cell: (row) => <PaymentStatus of={row} /> },
    {
      head: 'Transaction',
      cell: (row) => <Id id={row.id} to={transactionPath(row)} />,
      below: (row) => row.type,
    },
    {
      ...TEAM_COLUMN,
      cell: (row) => <LongLink to={teamPath(row.teamId)} text={row.teamName} />,
    },
  ],
  isInAccountTime: true,
  whenEmpty: 'There are no payments yet.',
  file: [
    ...OWNED_COLUMNS,
    'type',
    'method',
    'last_four',
    'total',
    ['total_refunded', (row) => row.refunded],
    'currency',
    'status',
    'is_voided',
    'message',
    'reference_id',
    'batch_id',
    'invoice_id',
    'payment_link_id',
    ['gateway', (row) => row.gatewayName],
    'customer_id',
    ['customer', (row) => personName(row.customer)],
    ['customer_email', (row) => row.customer.email],
  ],
  above: ({ query, found }) => <MeantFields query={query} found={found} />,
  find: search,
}

interface MeantProps {
  readonly query: QueryParams
  readonly found: FoundRows<FoundTransaction>
}

/** The search looks through names and ids. Amounts and last four digits have fields of their own. */
function MeantFields({ query, found: { rows, faults } }: MeantProps) {
  const { q, ...others } = query
  if (q === undefined || faults !== undefined) return null
  const cents = typedAmount(q)
  const amount = cents === undefined ? undefined : `payments of ${dollarText(cents)}`
  const digits = LAST_FOUR.test(q) ? `cards and accounts that end in ${q}` : undefined
  // What was found of an amount or of four digits may be a part of a telephone number.
  if (rows.length > 0 && (amount ?? digits) === undefined) return null
  const withField = (name: string) =>
    pathWith(TRANSACTIONS_PATH, others, { [name]: q, ...FIRST_PAGE })
  const places = [
    [pathWith(CUSTOMERS_PATH, {}, { q, team: others.team }), `customers with “${q}”`],
    [pathWith(TEAMS_PATH, {}, { q }), 'teams with that name'],
    [withField('amount'), amount],
    [withField('last_four'), digits],
  ] as const
  const meant = places.filter(([, words]) => words !== undefined)
  return (
    <p class="note">
      Only payments were searched, by names and ids. Look for{' '}
      {meant.map(([path, words], i) => (
        <Fragment key={path}>
          {i === 0 ? '' : i === meant.length - 1 ? ', or for ' : ', for '}
          <a href={path}>{words}</a>
        </Fragment>
      ))}
      .
    </p>
  )
}

const LAST_FOUR = /^\d{4}$/
