// One transaction: read it, record it by hand, change it.

import { Refusal } from '../../core/errors.ts'
import { orNotFound } from '../../core/or-not-found.ts'
import {
  changeTransaction,
  type TransactionChange,
} from '../../payments/by-hand/change-transaction.ts'
import {
  type NewTransaction,
  recordTransaction,
} from '../../payments/by-hand/record-transaction.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { findTransaction } from '../../payments/transaction/find-transaction.ts'
import { relatedTo, viewsOf } from '../../payments/transaction/transaction-view.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { centsOf, ifSent, onlySent } from '../../resource/read-values.ts'
import { id } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { callerOf, pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { withRemoved } from '../schema/removal.ts'
import {
  changedTransaction,
  fundedShares,
  newTransaction,
  transaction,
} from '../schema/transaction.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

const params = Type.Object({ id: id('The transaction.') })

const common = { tags: ['Payments'] }

/** In the order of the document. */
export function transactionRoutes(app: RouteApp, world: World): void {
  oneTransactionRoute(app, world)
  handRecordedRoutes(app, world)
  belongingRoutes(app, world)
}

function oneTransactionRoute(app: RouteApp, world: World): void {
  app.get(
    '/transaction/:id',
    {
      config: { needsActiveTeam: true, readsByKey: true },
      schema: {
        ...common,
        summary: 'Get a transaction',
        operationId: 'getTransaction',
        description:
          'Returns the transaction with its customer, its payment method, and its voids, refunds and captures.',
        params,
        response: { 200: ref(transaction) },
      },
    },
    async (request, reply) => {
      const accountContext = contextOfCaller(world, callerOf(request))
      const row = orNotFound(await world.db.ask(findTransaction, pathKey(request)))
      if (row.children > 0) await reply.turnToRead()
      const [view] = await viewsOf(world, accountContext, [row])
      return view
    },
  )
}

function handRecordedRoutes(app: RouteApp, world: World): void {
  app.post(
    '/transaction',
    {
      config: { needsActiveTeam: true, refusals: ['not_found'] },
      schema: {
        ...common,
        summary: 'Record a transaction by hand',
        operationId: 'recordTransaction',
        description: 'For cash and checks: no gateway is involved, and no batch.',
        body: newTransaction,
        response: { 200: ref(transaction) },
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      const input = readNew(request.body)
      return answerOnce(reply, await recordTransaction(world, callerOf(request), context, input))
    },
  )

  app.put(
    '/transaction/:id',
    {
      config: { needsActiveTeam: true, refusals: ['transaction_immutable'] },
      schema: {
        ...common,
        summary: 'Change a transaction that was recorded by hand',
        operationId: 'updateTransaction',
        description: 'Absent fields keep their value; `meta` is replaced as a whole.',
        params,
        body: changedTransaction,
        response: { 200: ref(transaction) },
      },
    },
    async (request) => {
      const change = readChange(request.body)
      const context = requestContextOf(request)
      return changeTransaction(world, callerOf(request), context, pathId(request), change)
    },
  )
}

/** What belongs to a transaction: its children, and the shares of its funding. */
function belongingRoutes(app: RouteApp, world: World): void {
  app.get(
    '/transaction/:id/related',
    {
      config: { needsActiveTeam: true },
      schema: {
        ...common,
        summary: 'List the children of a transaction',
        operationId: 'listRelatedTransactions',
        description: 'Its voids, refunds and captures, the oldest first.',
        params,
        response: { 200: Type.Array(ref(transaction)) },
      },
    },
    async (request) => {
      const accountContext = contextOfCaller(world, callerOf(request))
      const row = orNotFound(await world.db.ask(findTransaction, pathKey(request)))
      return relatedTo(world, accountContext, row)
    },
  )

  app.get(
    '/transaction/:id/funding',
    {
      config: { needsActiveTeam: true, refusals: ['split_funding_not_enabled'] },
      schema: {
        ...common,
        summary: 'Get the funding instructions of a transaction',
        operationId: 'getTransactionFunding',
        description: 'Split Funding: the shares that were sent with the charge, or an empty array.',
        params,
        response: { 200: fundedShares },
      },
    },
    async (request) => {
      const { splitFundingEnabled } = callerOf(request).team
      if (!splitFundingEnabled) throw new Refusal('split_funding_not_enabled')
      const { funding } = orNotFound(await world.db.ask(findTransaction, pathKey(request)))
      return funding ?? []
    },
  )
}

function readNew(body: Static<typeof newTransaction>): NewTransaction {
  return {
    type: body.type,
    method: body.method,
    total: centsOf(body.total),
    customerId: body.customer_id.toLowerCase(),
    source: body.source ?? null,
    message: body.message ?? null,
    meta: body.meta ?? {},
  }
}

function readChange(body: Static<typeof changedTransaction>): TransactionChange {
  const { total, customer_id: customerId, source, message, meta } = withRemoved(body)
  return onlySent({
    total: ifSent(total, centsOf),
    customerId: customerId?.toLowerCase(),
    source,
    message,
    meta,
  })
}
