// One batch: its sums, when and how it closed, and its transactions.

import { grouped } from '../../core/counts.ts'
import { dateText } from '../../core/whole-days.ts'
import type { BatchPayout } from '../../generated/client.ts'
import type { FoundTransaction } from '../../payments/anywhere/list-anywhere.ts'
import type { OperatorsBatch } from '../../settlement/month-of-batches.ts'
import { spanText } from '../now/wording.ts'
import { type PagePart, Pager } from '../parts/pager.tsx'
import { PaymentAmount } from '../parts/payment-status.tsx'
import { type Column, RowTable } from '../parts/row-table.tsx'
import {
  Amount,
  At,
  Dash,
  FactCard,
  Id,
  LocalAt,
  LongText,
  personName,
  StatusWord,
  spaced,
} from '../parts/shown.tsx'
import { BATCHES_PATH, batchPath, teamPath, transactionPath } from '../paths.ts'
import { BatchState } from './list.tsx'

interface BatchPageProps {
  readonly batch: OperatorsBatch
  readonly payouts: readonly BatchPayout[]
  readonly transactions: readonly FoundTransaction[]
  readonly pager: PagePart
}

export function BatchPage({ batch, payouts, transactions, pager }: BatchPageProps) {
  const { row, sums, teamId, teamName, mode } = batch
  const month = dateText(row.businessDate).slice(0, 7)
  const path = batchPath(row)
  return (
    <>
      <p>
        <a href={`${BATCHES_PATH}?month=${month}&mode=${mode}`}>All batches of the month</a>
      </p>
      <BatchSums sums={sums} />
      <FactCard
        of={{
          Team: <a href={teamPath(teamId)}>{teamName}</a>,
          Mode: mode,
          State: <BatchState of={batch} />,
          Cutoff: <LocalAt instant={row.cutoffAt} zone={row.timezone} />,
          Closed: <Closed row={row} />,
          Deposit: <Deposit row={row} />,
          Payouts: payouts.length === 0 ? <Dash /> : <Payouts of={payouts} />,
          Opened: <At instant={row.createdAt} />,
          Id: <code>{row.id}</code>,
        }}
      />
      <section class="part taken">
        <div class="row">
          <h2>{row.status === 'closed' ? 'Transactions' : 'Transactions so far'}</h2>
          <a href={`${path}/transactions.csv`} download>
            Download CSV
          </a>
        </div>
        <RowTable
          title="Transactions of the batch"
          columns={TRANSACTION_COLUMNS}
          rows={transactions}
        />
        <Pager path={path} {...pager} />
      </section>
    </>
  )
}

function BatchSums({ sums: { count, sales, refunds } }: Pick<OperatorsBatch, 'sums'>) {
  const shown = [
    ['Sales', <Amount key="sales" cents={sales} />],
    ['Refunds', <Amount key="refunds" cents={refunds} />],
    ['Net', <Amount key="net" cents={sales - refunds} />],
    ['Sales and refunds', <span key="count">{grouped(count)}</span>],
  ] as const
  return (
    <dl class="tiles amounts">
      {shown.map(([name, value]) => (
        <div key={name} class="card tile">
          <dt>{name}</dt>
          <dd>
            <span class="figure number">{value}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Closed({ row }: Pick<OperatorsBatch, 'row'>) {
  const { status, closedAt, cutoffAt, timezone } = row
  if (status !== 'closed' || closedAt === null) return <span class="quiet">not yet</span>
  const ms = Math.max(0, closedAt.getTime() - cutoffAt.getTime())
  return (
    <>
      <LocalAt instant={closedAt} zone={timezone} />{' '}
      <span class="quiet">{ms === 0 ? 'on time' : `${spanText(ms)} after its cutoff`}</span>
    </>
  )
}

function Deposit({
  row: { depositAt, depositedAt, status, timezone },
}: Pick<OperatorsBatch, 'row'>) {
  if (depositAt === null) {
    return <span class="quiet">{status === 'closed' ? 'not deposited yet' : 'after closing'}</span>
  }
  return (
    <>
      <LocalAt instant={depositAt} zone={timezone} />{' '}
      <span class={`word ${depositedAt === null ? 'wait' : 'good'}`}>
        {depositedAt === null ? 'expected' : 'arrived'}
      </span>
    </>
  )
}

/** The parts of the batch in the gateway's payouts. */
function Payouts({ of }: { of: readonly BatchPayout[] }) {
  return (
    <>
      {of.map(({ gatewayId, status, count, reason }) => (
        <div key={gatewayId}>
          <code>{gatewayId}</code> with {grouped(count)} of its payments{' '}
          <span class={`word ${status === 'paid' ? 'good' : 'bad'}`}>
            {reason === null ? status : `${status}: ${spaced(reason)}`}
          </span>
        </div>
      ))}
    </>
  )
}

const TRANSACTION_COLUMNS: readonly Column<FoundTransaction>[] = [
  { head: 'When (UTC)', cell: (row) => <At instant={row.createdAt} /> },
  {
    head: 'Transaction',
    isMain: true,
    cell: ({ accountId, id }) => <Id id={id} to={transactionPath({ accountId, id })} />,
  },
  { head: 'Type', cell: (row) => row.type },
  { head: 'Amount', class: 'amount', cell: (row) => <PaymentAmount of={row} /> },
  { head: 'Status', cell: (row) => <StatusWord status={row.status} /> },
  { head: 'Customer', cell: (row) => <LongText text={personName(row.customer)} /> },
]
