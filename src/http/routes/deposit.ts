// Deposits at the addresses that existing clients use: each is a closed batch, shown as the money
// that arrives.

import { Refusal, wrongField } from '../../core/errors.ts'
import { orNotFound } from '../../core/or-not-found.ts'
import type { Page } from '../../db/declared-list.ts'
import {
  exportTransactions,
  type TransactionFile,
} from '../../payments/lists/export-transactions.ts'
import { listTransactions } from '../../payments/lists/list-transactions.ts'
import { TRANSACTION_SORTS, type TransactionSort } from '../../payments/lists/listing.ts'
import { type AccountContext, contextOfCaller } from '../../payments/transaction/account-context.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { id } from '../../resource/schemas.ts'
import type { BatchRow } from '../../settlement/batch.ts'
import { batchFilters } from '../../settlement/batch-filters.ts'
import { DEPOSIT, DEPOSIT_TRANSACTION } from '../../settlement/deposit.ts'
import {
  DEPOSITS,
  type DepositSort,
  exportDeposits,
  findDeposit,
} from '../../settlement/list-deposits.ts'
import { forReading, type World } from '../../world.ts'
import { answerFile } from '../answer-file.ts'
import { readingWorld } from '../limit-reading.ts'
import { answerListPage, askedPage, dateRangeSpan, envelope } from '../list-pages.ts'
import { callerOf } from '../requests.ts'
import { resourceSchema } from '../schema/answers.ts'
import { dateRangeOf, exportAs, IGNORED, listOrFileOf, listQuery } from '../schema/list.ts'
import type { RouteApp } from './route-app.ts'

/** The cutoff decides, not the closing, which may be late. */
const cutoffRange = dateRangeOf(
  'The cutoff of its batch is at this instant or later.',
  'The cutoff of its batch is at this instant or earlier; a date includes that whole day.',
)

const depositQuery = listQuery(DEPOSITS.sorts, {
  ...cutoffRange,
  export: exportAs('deposit'),
  user_id: IGNORED.user_id,
})

const depositDetailQuery = listQuery(TRANSACTION_SORTS, {
  batch_id: Type.Optional(id('The deposit, which is required in one of its three spellings.')),
  batchId: Type.Optional(id('The same as batch_id.')),
  id: Type.Optional(id('The same as batch_id.')),
  ...cutoffRange,
  export: exportAs('transaction'),
  user_id: IGNORED.user_id,
})

export const deposit = resourceSchema('Deposit', DEPOSIT.answer)

export const depositTransaction = resourceSchema('DepositTransaction', DEPOSIT_TRANSACTION.answer)

const TAGS = ['Batches']

export function depositRoutes(app: RouteApp, world: World): void {
  app.get(
    '/query/deposit',
    {
      schema: {
        summary: 'List deposits',
        operationId: 'listDeposits',
        description:
          'The closed batches whose money has arrived, or arrives at an instant that is known.',
        tags: TAGS,
        querystring: depositQuery,
        response: { 200: listOrFileOf(deposit) },
      },
    },
    (request, reply) => {
      const { query } = request
      if (query.export !== 'csv') return answerListPage(world, request, DEPOSITS, query)
      const { accountId } = callerOf(request)
      const pieces = exportDeposits(
        forReading(world),
        accountId,
        askedPage<DepositSort>(query),
        dateRangeSpan(query),
      )
      return answerFile(reply, world, { name: 'deposits.csv', pieces })
    },
  )

  app.get(
    '/query/depositDetail',
    {
      config: { refusals: ['not_found'] },
      schema: {
        summary: 'List the transactions of a deposit',
        operationId: 'listDepositTransactions',
        description:
          'The charges, captures and refunds of one deposit. With a span of time too, the list is empty if the cutoff of its batch is outside that span.',
        tags: TAGS,
        querystring: depositDetailQuery,
        response: { 200: listOrFileOf(depositTransaction) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const accountContext = contextOfCaller(world, callerOf(request))
      const { accountId } = accountContext
      const found = orNotFound(await findDeposit(world, { accountId, id: depositIdOf(query) }))
      const page = askedPage<TransactionSort>(query)
      const isAsked = isWithin(found, dateRangeSpan(query))
      if (query.export === 'csv') {
        if (!isAsked) throw new Refusal('not_found', { message: 'its cutoff is at another time' })
        const listing = { ...page, filters: batchFilters(found) }
        const pieces = exportTransactions(forReading(world), accountContext, listing, DETAIL_FILE)
        return answerFile(reply, world, { name: 'deposit.csv', pieces })
      }
      const reading = readingWorld(world, request)
      const shown = isAsked ? await contentsOf(reading, accountContext, found, page) : NOTHING_FOUND
      return envelope(request, page, shown)
    },
  )
}

type Detail = Static<typeof depositDetailQuery>

function depositIdOf({ batch_id, batchId, id }: Detail): string {
  const [sent, ...others] = [batch_id, batchId, id].flatMap((one) => one?.toLowerCase() ?? [])
  const fault = sent === undefined ? 'is required' : 'was sent twice, and differs'
  if (sent === undefined || others.some((other) => other !== sent)) {
    throw wrongField('batch_id', fault)
  }
  return sent
}

const NOTHING_FOUND = { total: 0, rows: [] }

function isWithin(
  { cutoffAt }: BatchRow,
  { from, before }: ReturnType<typeof dateRangeSpan>,
): boolean {
  return (from === undefined || cutoffAt >= from) && (before === undefined || cutoffAt < before)
}

async function contentsOf(
  world: World,
  accountContext: AccountContext,
  batch: BatchRow,
  page: Page<TransactionSort>,
) {
  const filters = batchFilters(batch)
  const { total, rows } = await listTransactions(world, accountContext, page, filters)
  return { total, rows: rows.map((row) => DEPOSIT_TRANSACTION.view(row)) }
}

const DETAIL_FILE: TransactionFile = {
  head: DEPOSIT_TRANSACTION.names,
  lineOf(view) {
    const shown = DEPOSIT_TRANSACTION.view(view)
    const cents = { total: wholeCents(shown.total), net: wholeCents(shown.net) }
    return DEPOSIT_TRANSACTION.names.map((field) => ({ ...shown, ...cents })[field])
  },
}

/** As an amount, a file shows it with two decimals. */
function wholeCents(amount: number): bigint {
  return BigInt(Math.round(amount * 100))
}
