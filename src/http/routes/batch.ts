// Lists batches, and shows one with its transactions.

import { orNotFound } from '../../core/or-not-found.ts'
import { dateText } from '../../core/whole-days.ts'
import { exportTransactions } from '../../payments/lists/export-transactions.ts'
import { listTransactions } from '../../payments/lists/list-transactions.ts'
import { TRANSACTION_SORTS, type TransactionSort } from '../../payments/lists/listing.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { id } from '../../resource/schemas.ts'
import { BATCH, BATCH_STATUSES, batchView, findBatch } from '../../settlement/batch.ts'
import { batchFilters } from '../../settlement/batch-filters.ts'
import {
  BATCH_SORTS,
  type BatchFilters,
  type BatchSort,
  exportBatches,
  listBatches,
} from '../../settlement/list-batches.ts'
import { forReading, type World } from '../../world.ts'
import { answerFile } from '../answer-file.ts'
import { readingWorld } from '../limit-reading.ts'
import { askedPage, dateRangeSpan, envelope } from '../list-pages.ts'
import { callerOf, pathKey } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { dateRangeOf, exportAs, listOrFileOf, listQuery, statusFilter } from '../schema/list.ts'
import type { RouteApp } from './route-app.ts'
import { transaction } from './transaction.ts'

const batchQuery = listQuery(BATCH_SORTS, {
  ...dateRangeOf(
    'With this business date or a later one; an instant counts as its date in UTC.',
    'With this business date or an earlier one.',
  ),
  status: statusFilter(BATCH_STATUSES),
  export: exportAs('batch'),
})

const batchTransactionQuery = listQuery(TRANSACTION_SORTS, {
  export: exportAs(
    'transaction',
    'The `total` of a refund is positive: the net of the batch is that of sales less that of refunds.',
  ),
})

export const batch = resourceSchema(
  'Batch',
  BATCH.answer,
  'The sums of an unclosed batch are those that it would close with now.',
)

const params = Type.Object({ id: id('The batch.') })
const COMMON = { tags: ['Batches'], params }

export function batchRoutes(app: RouteApp, world: World): void {
  app.get(
    '/batch',
    {
      schema: {
        summary: 'List batches',
        operationId: 'listBatches',
        description: 'There is one batch for each business day that has transactions.',
        tags: COMMON.tags,
        querystring: batchQuery,
        response: { 200: listOrFileOf(batch) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const { accountId } = callerOf(request)
      const page = askedPage<BatchSort>(query)
      const filters = filtersOf(query)
      if (query.export === 'csv') {
        const pieces = exportBatches(forReading(world), accountId, page, filters)
        return answerFile(reply, world, { name: 'batches.csv', pieces })
      }
      const reading = readingWorld(world, request)
      return envelope(request, page, await listBatches(reading, accountId, page, filters))
    },
  )

  app.get(
    '/batch/:id',
    {
      schema: {
        ...COMMON,
        summary: 'Get a batch',
        operationId: 'getBatch',
        description:
          'The sums of a closed batch never change; those of an open one grow with its transactions.',
        response: { 200: ref(batch) },
      },
    },
    async (request) => {
      const { row, sums } = orNotFound(await findBatch(world, pathKey(request)))
      return batchView(row, sums)
    },
  )

  app.get(
    '/batch/:id/transaction',
    {
      schema: {
        ...COMMON,
        summary: 'List the transactions of a batch',
        operationId: 'listBatchTransactions',
        description:
          'The transactions of a closed batch. For an open batch, those that it would close with now.',
        querystring: batchTransactionQuery,
        response: { 200: listOrFileOf(transaction) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const accountContext = contextOfCaller(world, callerOf(request))
      const { row } = orNotFound(await findBatch(world, pathKey(request)))
      const page = askedPage<TransactionSort>(query)
      const filters = batchFilters(row)
      if (query.export === 'csv') {
        const listing = { ...page, filters }
        const pieces = exportTransactions(forReading(world), accountContext, listing)
        const name = `batch-${dateText(row.businessDate)}.csv`
        return answerFile(reply, world, { name, pieces })
      }
      const reading = readingWorld(world, request)
      const shown = await listTransactions(reading, accountContext, page, filters)
      return envelope(request, page, shown)
    },
  )
}

/** An instant stands for its date in UTC. */
function filtersOf(query: Static<typeof batchQuery>): BatchFilters {
  const { from, before } = dateRangeSpan(query)
  return {
    status: query.status,
    first: from && dateText(from),
    last: before && dateText(new Date(before.getTime() - 1)),
  }
}
