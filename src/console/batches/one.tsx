// One batch: its sums, when and how it closed, and its transactions.

import type { FastifyInstance } from 'fastify'
import { grouped } from '../../core/counts.ts'
import type { Cents } from '../../core/money.ts'
import { EXTRA_KINDS, type ExtraKind, type PayoutExtras } from '../../core/payout.ts'
import { dateText } from '../../core/whole-days.ts'
import type { RowKey } from '../../db/columns.ts'
import type { BatchPayout } from '../../generated/client.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { listInAccount } from '../../payments/anywhere/transactions-anywhere.ts'
import { exportTransactions } from '../../payments/lists/export-transactions.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { findBatch } from '../../settlement/batch.ts'
import { batchFilters } from '../../settlement/batch-filters.ts'
import type { OperatorsBatch } from '../../settlement/month-of-batches.ts'
import { netAfterFees } from '../../settlement/sums.ts'
import { answerCsv, marked } from '../../web/answer-csv.ts'
import { forReading, type World } from '../../world.ts'
import { actingOf, namedInAccount, type ObjectParams, type ObjectRoute } from '../account-of.ts'
import { spanText } from '../now/wording.ts'
import { ROWS_A_PAGE } from '../parts/found-rows.ts'
import type { ObjectPage } from '../parts/object-page.tsx'
import { numberedPage, Pager } from '../parts/pager.tsx'
import { CUSTOMER_COLUMN, PAYMENT_COLUMNS } from '../parts/payments.tsx'
import { RowTable } from '../parts/row-table.tsx'
import { Dash, dollarText, FactCard, type Facts, LocalAt, spaced, Value } from '../parts/shown.tsx'
import { BATCHES_PATH, batchPath, teamPath } from '../paths.ts'
import { operatorOf } from '../who.ts'
import { BatchState } from './list.tsx'

export const ONE_BATCH: ObjectPage<ObjectParams, Awaited<ReturnType<typeof batchAt>>> = {
  place: 'batches',
  styles: ['now.css'],
  find: batchAt,
  title: ({ batch }) => `${batch.teamName}, ${dateText(batch.row.businessDate)}`,
  async body({ world, found: { batch }, query }) {
    const { row, sums, mode } = batch
    const page = numberedPage(query, ROWS_A_PAGE)
    const span = { skip: page.skip, take: ROWS_A_PAGE }
    const [{ rows, total }, payouts] = await Promise.all([
      listInAccount(world, row.accountId, batchFilters(row), span),
      payoutsOf(world, row),
    ])
    const month = dateText(row.businessDate).slice(0, 7)
    const path = batchPath(row)
    return (
      <>
        <p>
          <a href={`${BATCHES_PATH}?month=${month}&mode=${mode}`}>All batches of the month</a>
        </p>
        <BatchSums row={row} sums={sums} />
        <FactCard of={factsOf(batch, payouts)} />
        <section class="part taken">
          <div class="row">
            <h2>{row.status === 'closed' ? 'Transactions' : 'Transactions so far'}</h2>
            <a href={`${path}/transactions.csv`} download>
              Download CSV
            </a>
          </div>
          <RowTable
            title="Transactions of the batch"
            columns={[...PAYMENT_COLUMNS, CUSTOMER_COLUMN]}
            rows={rows}
          />
          <Pager path={path} {...page.pagerOf(rows.length, total)} />
        </section>
      </>
    )
  },
}

/** The file of all transactions of one batch. */
export function batchFileRoute(own: FastifyInstance, world: World): void {
  own.get<ObjectRoute>('/batches/:account/:id/transactions.csv', async (request, reply) => {
    const { batch, accountContext } = await batchAt(world, request.params)
    const filters = batchFilters(batch.row)
    const listing = { filters, sort: 'created_at', order: 'desc' } as const
    const name = `batch-${dateText(batch.row.businessDate)}.csv`
    const pieces = exportTransactions(forReading(world), accountContext, listing)
    if (request.method === 'GET') {
      const detail = { account: batch.row.accountId }
      const entry = { action: 'batch downloaded', subject: batch.row.id, detail }
      await writeAuditEntry(world, operatorOf(request), entry)
    }
    // All operators share the export places of one imaginary account, and use no merchant's.
    return answerCsv(reply, world, { name, accountId: 'console', pieces: marked(pieces) })
  })
}

/** A batch is in few payouts. */
function payoutsOf({ db }: World, { accountId, id: batchId }: RowKey) {
  const orderBy = { arrivesAt: 'asc' } as const
  return db.prisma.batchPayout.findMany({ where: { accountId, batchId }, orderBy, take: 50 })
}

async function batchAt(world: World, params: ObjectParams) {
  const named = await namedInAccount(world, params, 'batch with transactions', findBatch)
  const { account, found } = named
  const { team, mode } = account
  const accountContext = contextOfCaller(world, actingOf(account))
  const batch = { ...found, teamId: team.id, teamName: team.name, mode, now: accountContext.now }
  return { batch, accountContext }
}

function factsOf(batch: OperatorsBatch, payouts: readonly BatchPayout[]): Facts {
  const { row, teamId, teamName, mode } = batch
  return {
    Team: <a href={teamPath(teamId)}>{teamName}</a>,
    Mode: mode,
    State: <BatchState of={batch} />,
    Cutoff: <LocalAt instant={row.cutoffAt} zone={row.timezone} />,
    Closed: <Closed row={row} />,
    Deposit: <Deposit row={row} payouts={payouts} />,
    Payouts: payouts.length === 0 ? <Dash /> : <Payouts of={payouts} />,
    Opened: row.createdAt,
    Id: <code>{row.id}</code>,
  }
}

function BatchSums({ row, sums: { count, sales, refunds } }: Pick<OperatorsBatch, 'row' | 'sums'>) {
  const afterFees = netAfterFees(row)
  const shown: Facts = {
    Sales: sales,
    Refunds: refunds,
    Net: sales - refunds,
    ...(afterFees === null ? {} : { Fees: row.fees, 'Net after fees': afterFees }),
    'Sales and refunds': grouped(count),
  }
  return (
    <dl class="tiles amounts">
      {Object.entries(shown).map(([name, value]) => (
        <div key={name} class="card tile">
          <dt>{name}</dt>
          <dd>
            <span class="figure number">
              <Value of={value} />
            </span>
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

interface DepositProps extends Pick<OperatorsBatch, 'row'> {
  readonly payouts: readonly BatchPayout[]
}

function Deposit({ row: { depositAt, depositedAt, status, timezone }, payouts }: DepositProps) {
  if (depositAt === null) {
    if (payouts.some((one) => one.status === 'failed')) {
      return <span class="word bad">not deposited: a payout has failed</span>
    }
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
      {of.map((one) => (
        <div key={one.gatewayId}>
          <code>{one.gatewayId}</code> with {grouped(one.count)} of its payments{' '}
          <span class={`word ${one.status === 'paid' ? 'good' : 'bad'}`}>
            {one.reason === null ? one.status : `${one.status}: ${spaced(one.reason)}`}
          </span>
          <PayoutAmounts of={one} />
        </div>
      ))}
    </>
  )
}

/** What a payout did with its amount. The money of a failed one is in a later one. */
const WHERE_TO: Readonly<Record<BatchPayout['status'], string>> = {
  paid: 'to the bank',
  failed: 'that did not reach the bank, and come with a later payout',
}

const EXTRA_WORDS: Readonly<Record<ExtraKind, string>> = {
  disputes: 'of disputes and returned debits, with their fees',
  fees: 'of fees charged by themselves',
  failed_refunds: 'of refunds that failed',
  adjustments: 'of adjustments',
}

/** The parts without a batch. The kinds are unknown if an earlier version read the payout. */
function inNoBatch(
  other: Cents,
  extras: PayoutExtras | null,
): readonly (readonly [Cents, string])[] {
  if (extras === null) {
    return [[other, 'in no batch (voided payments, disputes, fees charged by themselves)']]
  }
  const kinds = EXTRA_KINDS.map((kind) => [BigInt(extras[kind] ?? 0), EXTRA_WORDS[kind]] as const)
  const rest = kinds.reduce((left, [cents]) => left - cents, other)
  return [...kinds, [rest, 'in no batch (voided payments, and what other services made)']]
}

/** How the amount is made up; of a paid one it is that on the bank statement. */
function PayoutAmounts({ of }: { of: BatchPayout }) {
  const { status, amount, fees, payoutAmount, payoutOther, payoutExtras } = of
  if (amount === null || fees === null || payoutAmount === null || payoutOther === null) return null
  const net = amount - fees
  const parts = [
    [net, `of this batch (${dollarText(amount)} less ${dollarText(fees)} of fees)`],
    [payoutAmount - payoutOther - net, 'of other batches'],
    ...inNoBatch(payoutOther, payoutExtras as PayoutExtras | null),
  ] as const
  const shown = parts.filter(([cents], i) => i === 0 || cents !== 0n)
  return (
    <div class="quiet">
      {dollarText(payoutAmount)} {WHERE_TO[status]}:{' '}
      {shown.map(([cents, what]) => `${dollarText(cents)} ${what}`).join(', ')}
    </div>
  )
}
