// Lists transactions, by the filters that the query names.

import type { Cents } from '../../core/money.ts'
import { METHODS, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../core/transaction.ts'
import { exportTransactions } from '../../payments/lists/export-transactions.ts'
import { listTransactions } from '../../payments/lists/list-transactions.ts'
import {
  OWNERS,
  TRANSACTION_SORTS,
  type TransactionFilters,
  type TransactionSort,
} from '../../payments/lists/listing.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { centsOf, ifSent, isFlagSet } from '../../resource/read-values.ts'
import { id, linkId, money, queryFlag, text } from '../../resource/schemas.ts'
import { forReading, type World } from '../../world.ts'
import { answerFile } from '../answer-file.ts'
import { readingWorld } from '../limit-reading.ts'
import { askedPage, dateRangeSpan, envelope } from '../list-pages.ts'
import { callerOf } from '../requests.ts'
import {
  dateRange,
  exportAs,
  IGNORED,
  keywordsFilter,
  listOrFileOf,
  listQuery,
  statusFilter,
} from '../schema/list.ts'
import type { RouteApp } from './route-app.ts'
import { transaction } from './transaction.ts'

const KEYWORD =
  "Must be found: in the customer's name, company, e-mail address, phone number or reference, in the message or source of one that failed or was recorded by hand, or as a whole: the last four digits, the id, auth_id, idempotency_id, meta.reference or meta.poNumber."

const transactionQuery = listQuery(TRANSACTION_SORTS, {
  type: Type.Optional(
    Type.Enum([...TRANSACTION_TYPES, 'pre auth'], {
      description: 'Only this type; `pre auth` is the same as pre_auth.',
    }),
  ),
  status: statusFilter(TRANSACTION_STATUSES),
  method: Type.Optional(Type.Enum(METHODS, { description: 'Only this method.' })),
  success: Type.Optional(queryFlag('The outcome; neither value matches a PENDING transaction.')),
  is_manual: Type.Optional(queryFlag('Whether it was recorded by hand.')),
  pre_auth: Type.Optional(queryFlag('Authorizations, or other payments.')),
  customer_id: Type.Optional(id('The customer.')),
  payment_method_id: Type.Optional(id('The payment method.')),
  invoice_id: Type.Optional(id('The invoice that it pays.')),
  schedule_id: Type.Optional(id('The schedule that made it.')),
  payment_link_id: Type.Optional(linkId('The payment link.')),
  batch_id: Type.Optional(id('The batch, once it is closed; refunds in it are listed too.')),
  total: Type.Optional(money('Exactly this total.')),
  minTotal: Type.Optional(money('At least this total.')),
  maxTotal: Type.Optional(money('At most this total.')),
  last_four: Type.Optional(text('The last digits of the card or the account.')),
  keywords: keywordsFilter(KEYWORD),
  ...dateRange,
  export: exportAs(
    'transaction',
    'To add up what was received, use `all=1`: captures have lines of their own, and `pre_auth` lines bring nothing.',
  ),
  all: Type.Optional(
    queryFlag(
      'Captures, voids and refunds too; a filter on these types or on batch_id implies it.',
    ),
  ),
  allTransactionsTopLevel: Type.Optional(queryFlag('The same as all.')),
  ...IGNORED,
})

type Query = Static<typeof transactionQuery>

const CHILD_TYPES: readonly unknown[] = ['void', 'refund', 'capture']

export function transactionListRoutes(app: RouteApp, world: World): void {
  app.get(
    '/transaction',
    {
      config: { needsActiveTeam: true },
      schema: {
        summary: 'List transactions',
        operationId: 'listTransactions',
        description:
          'Captures, voids and refunds are shown with their parents; `all=1` lists them too. A file that is sorted by `updated_at` has a transaction twice if it changes while the file is read.',
        tags: ['Payments'],
        querystring: transactionQuery,
        response: { 200: listOrFileOf(transaction) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const accountContext = contextOfCaller(world, callerOf(request))
      const page = askedPage<TransactionSort>(query)
      const filters = filtersOf(query)
      if (query.export === 'csv') {
        const { sort, order } = page
        const listing = { filters, sort, order }
        const pieces = exportTransactions(forReading(world), accountContext, listing)
        return answerFile(reply, world, { name: 'transactions.csv', pieces })
      }
      const reading = readingWorld(world, request)
      return envelope(request, page, await listTransactions(reading, accountContext, page, filters))
    },
  )
}

function filtersOf(query: Query): TransactionFilters {
  const owners = OWNERS.flatMap((owner) => {
    const named = query[owner]?.toLowerCase()
    return named === undefined ? [] : [[owner, named] as const]
  })
  const type = query.type === 'pre auth' ? 'pre_auth' : query.type
  return {
    type,
    status: query.status,
    success: ifSent(query.success, isFlagSet),
    method: query.method,
    isManual: ifSent(query.is_manual, isFlagSet),
    isPreAuth: ifSent(query.pre_auth, isFlagSet),
    withChildren:
      isFlagSet(query.all) ||
      isFlagSet(query.allTransactionsTopLevel) ||
      CHILD_TYPES.includes(type) ||
      query.batch_id !== undefined,
    owners: Object.fromEntries(owners),
    least: strictest([query.total, query.minTotal], (one, other) => one > other),
    most: strictest([query.total, query.maxTotal], (one, other) => one < other),
    lastFour: query.last_four,
    keywords: [...new Set(query.keywords)],
    created: dateRangeSpan(query),
  }
}

function strictest(
  sent: readonly (number | string | undefined)[],
  isStricter: (one: Cents, other: Cents) => boolean,
): Cents | undefined {
  const bounds = sent.flatMap((one) => (one === undefined ? [] : [centsOf(one)]))
  return bounds.reduce<Cents | undefined>(
    (strict, one) => (strict === undefined || isStricter(one, strict) ? one : strict),
    undefined,
  )
}
