// The pages of batches: a month, of one team or of all, and each batch with its transactions.

import type { FastifyInstance } from 'fastify'
import type { Mode } from '../../accounts/key.ts'
import { nextDay } from '../../core/month.ts'
import { dateText } from '../../core/whole-days.ts'
import type { RowKey } from '../../db/columns.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { listInAccount } from '../../payments/anywhere/list-anywhere.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { findBatch } from '../../settlement/batch.ts'
import { batchFilters, exportBatchTransactions } from '../../settlement/list-batch-transactions.ts'
import {
  type DayOfBatches,
  daysOfBatches,
  listBatchesOfDays,
  type OperatorsBatch,
} from '../../settlement/month-of-batches.ts'
import { answerCsv, marked } from '../../web/answer-csv.ts'
import type { World } from '../../world.ts'
import { actingOf, namedInAccount, type ObjectParams, type ObjectRoute } from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { BatchPage } from '../batches/batch.tsx'
import { MonthPage } from '../batches/month.tsx'
import { type MonthRequest, readMonthRequest } from '../batches/month-request.ts'
import { addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import { ROWS_A_PAGE } from '../parts/found-rows.ts'
import { addListFile, type ListFile } from '../parts/list-file.tsx'
import { numberedPage } from '../parts/pager.tsx'
import { type QueryParams, queryOf } from '../query.ts'
import { operatorOf } from '../who.ts'

const STYLES = ['charts.css', 'now.css'] as const

/** On the page of a month. */
const BATCHES_A_PAGE = 25

export function batchPages(own: FastifyInstance, world: World): void {
  own.get('/batches', async (request, reply) => {
    const query = queryOf(request)
    const asked = await readMonthRequest(world, query)
    return answerConsole(
      reply,
      { title: 'Batches', place: 'batches', scripts: ['charts.js', 'batches.js'], styles: STYLES },
      <MonthPage {...(await monthOf(world, query, asked))} />,
    )
  })
  addListFile(own, world, BATCH_FILE)
  addDetailPage(own, world, ONE_BATCH)
  own.get<ObjectRoute>('/batches/:account/:id/transactions.csv', async (request, reply) => {
    const { batch, accountContext } = await find(world, request.params)
    const order = { sort: 'created_at', order: 'desc' } as const
    const name = `batch-${dateText(batch.row.businessDate)}.csv`
    const pieces = exportBatchTransactions(world, accountContext, batch.row, order)
    reply.header('cache-control', 'no-store')
    if (request.method === 'GET') {
      const detail = { account: batch.row.accountId }
      const entry = { action: 'batch downloaded', subject: batch.row.id, detail }
      await writeAuditEntry(world, operatorOf(request), entry)
    }
    // All operators share the export places of one imaginary account, and use no merchant's.
    return answerCsv(reply, world, { name, accountId: 'console', pieces: marked(pieces) })
  })
}

const ONE_BATCH: DetailPage<ObjectParams, Awaited<ReturnType<typeof find>>> = {
  place: 'batches',
  styles: ['now.css'],
  find,
  title: ({ batch }) => `${batch.teamName}, ${dateText(batch.row.businessDate)}`,
  async body({ world, found: { batch }, query }) {
    const [found, payouts] = await Promise.all([
      transactionsOf(world, batch.row, query),
      payoutsOf(world, batch.row),
    ])
    return <BatchPage batch={batch} payouts={payouts} {...found} />
  },
}

/** As few are read at once as a page shows, since open batches are added up. */
const BATCH_FILE: ListFile<OperatorsBatch> = {
  place: 'batches',
  columns: [
    ['id', ({ row }) => row.id],
    ['business_date', ({ row }) => dateText(row.businessDate)],
    ['account_id', ({ row }) => row.accountId],
    ['team', ({ teamName }) => teamName],
    ['mode', ({ mode }) => mode],
    ['status', ({ row }) => row.status],
    ['count', ({ sums }) => sums.count],
    ['sales', ({ sums }) => sums.sales],
    ['refunds', ({ sums }) => sums.refunds],
    ['net', ({ sums }) => sums.sales - sums.refunds],
    ['cutoff_at', ({ row }) => row.cutoffAt],
    ['timezone', ({ row }) => row.timezone],
    ['closed_at', ({ row }) => row.closedAt],
  ],
  keyOf: ({ row }) => row.id,
  async find(world, query) {
    const asked = await readMonthRequest(world, query)
    const mode = asked.mode ?? modeOf(await daysOfBatches(world, asked.wanted))
    const { batches, pager } = await batchesOf(world, query, asked, mode)
    const { fault, ignored } = asked
    const faults = [...(fault === undefined ? [] : [fault]), ...ignored]
    return { ...pager, rows: batches, faults: Object.fromEntries(faults.entries()) }
  },
  rowsARead: BATCHES_A_PAGE,
}

/** A batch is in few payouts. */
function payoutsOf({ db }: World, { accountId, id: batchId }: RowKey) {
  const orderBy = { arrivesAt: 'asc' } as const
  return db.prisma.batchPayout.findMany({ where: { accountId, batchId }, orderBy, take: 50 })
}

async function monthOf(world: World, query: QueryParams, asked: MonthRequest) {
  const days = await daysOfBatches(world, asked.wanted)
  const mode = asked.mode ?? modeOf(days)
  return { query, asked, mode, days, ...(await batchesOf(world, query, asked, mode)) }
}

async function batchesOf(world: World, query: QueryParams, asked: MonthRequest, mode: Mode) {
  const { day, wanted } = asked
  const page = numberedPage({ ...query, mode }, BATCHES_A_PAGE)
  const span = day === undefined ? wanted : { ...wanted, first: day, next: nextDay(day) }
  const of = { mode, most: BATCHES_A_PAGE, skip: page.skip }
  const { rows: batches, pager } = page.show(await listBatchesOfDays(world, span, of))
  return { batches, pager }
}

/** Live mode, if the month has any live batches. */
function modeOf(days: readonly DayOfBatches[]): Mode {
  const isLive = days.some(({ mode }) => mode === 'live')
  return isLive || days.length === 0 ? 'live' : 'sandbox'
}

async function transactionsOf(
  world: World,
  row: Parameters<typeof batchFilters>[0],
  query: QueryParams,
) {
  const page = numberedPage(query, ROWS_A_PAGE)
  const span = { skip: page.skip, take: ROWS_A_PAGE }
  const { rows, total } = await listInAccount(world, row.accountId, batchFilters(row), span)
  return { transactions: rows, pager: page.pagerOf(rows.length, total) }
}

async function find(world: World, params: ObjectParams) {
  const named = await namedInAccount(world, params, 'batch with transactions', findBatch)
  const { account, found } = named
  const { team, mode } = account
  const accountContext = contextOfCaller(world, actingOf(account))
  const batch = { ...found, teamId: team.id, teamName: team.name, mode, now: accountContext.now }
  return { batch, accountContext }
}
