// Payments of an invoice: by a payment method, and by hand.

import { refusePageMethod } from '../../customers/refuse-page-method.ts'
import { payInvoice } from '../../payments/accept/accept-invoice-payment.ts'
import { payInvoiceByHand } from '../../payments/by-hand/pay-invoice-by-hand.ts'
import { Type } from '../../resource/json-schema.ts'
import { centsOf, ifSent } from '../../resource/read-values.ts'
import { EXAMPLE_ID, id, idempotencyId, meta, money, note } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { callerOf, pathId, requestContextOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { answerOnce } from './answer-once.ts'
import { answerPayment } from './answer-payment.ts'
import { invoiceParams } from './invoice.ts'
import type { RouteApp } from './route-app.ts'
import { transaction } from './transaction.ts'

const invoicePaymentSchema = Type.Object(
  {
    payment_method_id: Type.Optional(
      id('A payment method of its customer; that of the invoice when absent.'),
    ),
    apply_balance: Type.Optional(
      money(
        'The balance due as you know it. An invoice must be paid in full, so another amount is refused.',
      ),
    ),
    meta: Type.Optional(meta),
    idempotency_id: idempotencyId,
  },
  {
    additionalProperties: false,
    examples: [{ payment_method_id: EXAMPLE_ID }],
  },
)

const handPaymentSchema = Type.Object(
  {
    total: Type.Optional(
      money(
        'The amount that was paid. An invoice must be paid in full, so an amount other than the balance due is refused.',
      ),
    ),
    message: Type.Optional(note('A note about it, such as the number of the check.')),
    idempotency_id: idempotencyId,
  },
  { additionalProperties: false, examples: [{ message: 'No. 4711' }] },
)

const PATH = '/invoice/:id/pay'
const TAGS = ['Invoices']

const REFUSALS = [
  'partial_payment_not_supported',
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
      config: { needsActiveTeam: true, refusals: [...REFUSALS, 'no_live_gateway'] },
      schema: {
        summary: 'Pay an invoice',
        operationId: 'payInvoice',
        description:
          'Charges the balance due, and returns the transaction as a charge does. An invoice has at most one payment under way, and one successful payment.',
        tags: TAGS,
        params: invoiceParams,
        body: invoicePaymentSchema,
        response: { 200: answered, 202: answered, 400: answered },
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
        applyBalance: ifSent(body.apply_balance, centsOf),
        meta: body.meta,
      })
      return answerPayment(world, reply, accepted)
    },
  )
}

/** Such a payment needs no gateway and joins no batch. */
function byHand(app: RouteApp, world: World, method: 'cash' | 'check', operationId: string): void {
  app.post(
    `${PATH}/${method}`,
    {
      config: { needsActiveTeam: true, refusals: REFUSALS },
      schema: {
        summary: `Record that an invoice was paid ${method === 'cash' ? 'in cash' : 'by check'}`,
        operationId,
        description:
          'Records the balance due as paid by hand, and returns the transaction: it is manual, and no gateway and no batch sees it.',
        tags: TAGS,
        params: invoiceParams,
        body: handPaymentSchema,
        response: { 200: ref(transaction) },
      },
    },
    async (request, reply) => {
      const { total, message = null, idempotency_id } = request.body
      const context = requestContextOf(request, idempotency_id)
      const done = await payInvoiceByHand(world, callerOf(request), context, {
        invoiceId: pathId(request),
        method,
        message,
        total: ifSent(total, centsOf),
      })
      return answerOnce(reply, done)
    },
  )
}
