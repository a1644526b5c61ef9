// Payments of an invoice: by a payment method, and by hand.

import { refusePageMethod } from '../../customers/refuse-page-method.ts'
import { payInvoice } from '../../payments/accept/accept-invoice-payment.ts'
import { payInvoiceByHand } from '../../payments/by-hand/pay-invoice-by-hand.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { centsOf } from '../../resource/read-values.ts'
import type { World } from '../../world.ts'
import { authenticate, requireActiveTeam } from '../authenticate.ts'
import { callerOf, pathId, requestContextOf } from '../requests.ts'
import {
  answers,
  BODY_ERRORS,
  chargeHeaders,
  INACTIVE_TEAM_ERRORS,
  idempotencyHeaders,
  ref,
  security,
} from '../schema/answers.ts'
import { handPaymentSchema, invoiceParams, invoicePaymentSchema } from '../schema/invoice.ts'
import { transaction } from '../schema/transaction.ts'
import { answerOnce } from './answer-once.ts'
import { answerPayment } from './answer-payment.ts'
import type { RouteApp } from './route-app.ts'

const PATH = '/invoice/:id/pay'
const TAGS = ['Invoices']

const REFUSALS = [
  ...BODY_ERRORS,
  ...INACTIVE_TEAM_ERRORS,
  'invalid_id',
  'unknown_field',
  'partial_payment_not_supported',
  'not_found',
  'idempotency_conflict',
  'invoice_already_paid',
  'payment_under_way',
  'wrong_state',
] as const

export function invoicePaymentRoutes(app: RouteApp, world: World): void {
  byGateway(app, world)
  byHand(app, world, 'cash', 'payInvoiceInCash')
  byHand(app, world, 'check', 'payInvoiceByCheck')
}

function byGateway(app: RouteApp, world: World): void {
  const answered = ref(transaction)
  app.post(
    PATH,
    {
      onRequest: [authenticate(world, 'payment'), requireActiveTeam],
      schema: {
        summary: 'Pay an invoice',
        operationId: 'payInvoice',
        description:
          'Charges the balance due, and returns the transaction as a charge does. An invoice has at most one payment under way, and one successful payment.',
        tags: TAGS,
        security,
        headers: chargeHeaders,
        params: invoiceParams,
        body: invoicePaymentSchema,
        response: answers({ 200: answered, 202: answered, 400: answered }, [
          ...REFUSALS,
          'no_live_gateway',
        ]),
      },
    },
    async (request, reply) => {
      const { body } = request
      const context = requestContextOf(request, body.idempotency_id)
      const paymentMethodId = body.payment_method_id?.toLowerCase()
      await refusePageMethod(world, callerOf(request), paymentMethodId)
      const accepted = await payInvoice(world, callerOf(request), context, {
        invoiceId: pathId(request),
        paymentMethodId,
        applyBalance: body.apply_balance === undefined ? undefined : centsOf(body.apply_balance),
        meta: body.meta,
      })
      return answerPayment(world, request, reply, accepted)
    },
  )
}

/** Such a payment needs no gateway and joins no batch. */
function byHand(app: RouteApp, world: World, method: 'cash' | 'check', operationId: string): void {
  app.post(
    `${PATH}/${method}`,
    {
      onRequest: [authenticate(world), requireActiveTeam],
      schema: {
        summary: `Record that an invoice was paid ${method === 'cash' ? 'in cash' : 'by check'}`,
        operationId,
        description:
          'Records the balance due as paid by hand, and returns the transaction: it is manual, and no gateway and no batch sees it.',
        tags: TAGS,
        security,
        headers: idempotencyHeaders,
        params: invoiceParams,
        body: handPaymentSchema,
        response: answers({ 200: ref(transaction) }, REFUSALS),
      },
    },
    async (request, reply) => {
      const { total, message = null, idempotency_id } = request.body
      const context = requestContextOf(request, idempotency_id)
      const accountContext = contextOfCaller(world, callerOf(request))
      const done = await payInvoiceByHand(world, accountContext, context, {
        invoiceId: pathId(request),
        method,
        message,
        total: total === undefined ? undefined : centsOf(total),
      })
      return answerOnce(reply, done)
    },
  )
}
