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
import { CHILD_TRANSACTION, TRANSACTION } from '../../payments/transaction/transaction-fields.ts'
import { relatedTo, viewsOf } from '../../payments/transaction/transaction-view.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { centsOf, ifSent, onlySent } from '../../resource/read-values.ts'
import {
  answerField,
  currency,
  id,
  idempotencyId,
  meta,
  money,
  note,
  text,
} from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { callerOf, pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { removal, withRemoved } from '../schema/removal.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

/** The form in answers: a share without a purpose has null. */
const fundedShare = Type.Object({
  account_id: answerField.text,
  amount: answerField.amount,
  memo: answerField.textOrNull,
})

/** A column of JSON, whose type the database does not know. */
const fundedShares = Type.Unsafe<unknown>(Type.Array(fundedShare))

export const childTransaction = resourceSchema(
  'ChildTransaction',
  CHILD_TRANSACTION.answer,
  'Customer and payment method are those of its parent.',
)

export const transaction = resourceSchema('Transaction', TRANSACTION.answer)

const kept = {
  source: Type.Optional(text('Where the money came from, in your words.')),
  meta: Type.Optional(meta),
  message: Type.Optional(note('A note about it.')),
}

/** Transactions that a merchant records by hand: cash and checks, which no gateway sees. */
const newTransaction = Type.Object(
  {
    total: money('The amount that was paid.'),
    type: Type.Enum(['charge', 'refund', 'credit']),
    method: Type.Enum(['cash', 'check']),
    customer_id: id('The customer who paid or was paid.'),
    currency: Type.Optional(currency),
    ...kept,
    idempotency_id: idempotencyId,
  },
  {
    examples: [
      {
        total: 12.5,
        type: 'charge',
        method: 'cash',
        customer_id: '01941f29-7c00-7000-8000-000000000001',
      },
    ],
  },
)

const changedTransaction = Type.Object(
  {
    total: Type.Optional(money('The amount that was paid.')),
    customer_id: Type.Optional(id('The customer who paid or was paid.')),
    currency: Type.Optional(currency),
    ...kept,
    remove: removal(['source', 'message']),
  },
  { examples: [{ message: 'paid at the counter' }] },
)

export const transactionParams = Type.Object({ id: id('The transaction.') })

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
        params: transactionParams,
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
        params: transactionParams,
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
        params: transactionParams,
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
        params: transactionParams,
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
