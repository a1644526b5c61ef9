// The disputes and reversals of payments.

import { DISPUTE_STATUSES, REVERSAL_KINDS } from '../../core/dispute.ts'
import { DISPUTE, DISPUTES, disputeView, findDispute } from '../../payments/afterwards/dispute.ts'
import {
  findReversal,
  REVERSAL,
  REVERSALS,
  reversalView,
} from '../../payments/afterwards/reversal.ts'
import { tryDispute, tryReversal } from '../../payments/afterwards/try-in-sandbox.ts'
import { Type } from '../../resource/json-schema.ts'
import { centsOf, ifSent } from '../../resource/read-values.ts'
import { id, money, text } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { callerOf, pathId, pathKey } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { dateRange, listQuery, listSchema, statusFilter } from '../schema/list.ts'
import type { RouteApp } from './route-app.ts'
import { transactionParams } from './transaction.ts'

const transactionId = Type.Optional(id('Only those of this transaction.'))

const disputeQuery = listQuery(DISPUTES.sorts, {
  transaction_id: transactionId,
  status: statusFilter(DISPUTE_STATUSES),
  ...dateRange,
})

const reversalQuery = listQuery(REVERSALS.sorts, {
  transaction_id: transactionId,
  kind: Type.Optional(Type.Enum(REVERSAL_KINDS, { description: 'Only this kind.' })),
  ...dateRange,
})

const trialDispute = Type.Object(
  {
    status: Type.Optional(
      Type.Enum(DISPUTE_STATUSES, { description: 'needs_response when absent.' }),
    ),
    amount: Type.Optional(
      money('The disputed amount. When absent, as before, and at first the whole transaction.'),
    ),
  },
  { examples: [{ status: 'needs_response' }] },
)

const trialReversal = Type.Object(
  { reason: Type.Optional(text("The bank's word for it, such as no_account.")) },
  { examples: [{ reason: 'no_account' }] },
)

export const dispute = resourceSchema(
  'Dispute',
  DISPUTE.answer,
  'A payer contests a payment at their bank.',
)

export const reversal = resourceSchema(
  'Reversal',
  REVERSAL.answer,
  'Money of a successful transaction that moved back.',
)

const COMMON = { tags: ['Disputes'] }

export function disputeRoutes(app: RouteApp, world: World): void {
  lists(app, world)
  readings(app, world)
  trials(app, world)
}

function lists(app: RouteApp, world: World): void {
  app.get(
    '/dispute',
    {
      schema: {
        ...COMMON,
        summary: 'List disputes',
        operationId: 'listDisputes',
        description: 'Payments that payers contest at their banks.',
        querystring: disputeQuery,
        response: { 200: listSchema(dispute) },
      },
    },
    (request) => answerListPage(world, request, DISPUTES, request.query),
  )
  app.get(
    '/reversal',
    {
      schema: {
        ...COMMON,
        summary: 'List reversals',
        operationId: 'listReversals',
        description: 'Refunds that failed after they had succeeded, and returned bank debits.',
        querystring: reversalQuery,
        response: { 200: listSchema(reversal) },
      },
    },
    (request) => answerListPage(world, request, REVERSALS, request.query),
  )
}

function readings(app: RouteApp, world: World): void {
  app.get(
    '/dispute/:id',
    {
      schema: {
        ...COMMON,
        summary: 'Get a dispute',
        operationId: 'getDispute',
        description: 'Returns the dispute as the gateway last reported it.',
        params: Type.Object({ id: id('The dispute.') }),
        response: { 200: ref(dispute) },
      },
    },
    async (request) => disputeView(await findDispute(world, pathKey(request))),
  )
  app.get(
    '/reversal/:id',
    {
      schema: {
        ...COMMON,
        summary: 'Get a reversal',
        operationId: 'getReversal',
        description: 'Returns the reversal as the gateway reported it.',
        params: Type.Object({ id: id('The reversal.') }),
        response: { 200: ref(reversal) },
      },
    },
    async (request) => reversalView(await findReversal(world, pathKey(request))),
  )
}

const TRIAL = ['sandbox_only', 'wrong_state'] as const

function trials(app: RouteApp, world: World): void {
  app.post(
    '/sandbox/transaction/:id/dispute',
    {
      config: { refusals: TRIAL },
      schema: {
        ...COMMON,
        params: transactionParams,
        summary: 'Open or change a dispute in the sandbox',
        operationId: 'createSandboxDispute',
        description:
          'Opens or changes a dispute as the bank of a live payment does, so that you can test your endpoint. A transaction has one such dispute: a second request changes it.',
        body: trialDispute,
        response: { 200: ref(dispute) },
      },
    },
    async (request) => {
      const { amount, status = 'needs_response' } = request.body
      const asked = { transactionId: pathId(request), status, amount: ifSent(amount, centsOf) }
      return disputeView(await tryDispute(world, callerOf(request), request.id, asked))
    },
  )
  app.post(
    '/sandbox/transaction/:id/reversal',
    {
      config: { refusals: TRIAL },
      schema: {
        ...COMMON,
        params: transactionParams,
        summary: 'Reverse a refund or a bank debit in the sandbox',
        operationId: 'createSandboxReversal',
        description:
          'A refund fails after it had succeeded, or a charge of a bank account is returned. A transaction has one reversal: a second request returns it.',
        body: trialReversal,
        response: { 200: ref(reversal) },
      },
    },
    async (request) => {
      const asked = { transactionId: pathId(request), reason: request.body.reason }
      return reversalView(await tryReversal(world, callerOf(request), request.id, asked))
    },
  )
}
