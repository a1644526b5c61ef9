import { payInvoice } from '../../payments/accept/accept-invoice-payment.ts'
import { centsOf } from '../../resource/read-values.ts'
import type { World } from '../../world.ts'
import { authenticate, requireTeamInGoodStanding } from '../authenticate.ts'
import { callerOf, requestContextOf } from '../requests.ts'
import { answers, BODY_ERRORS, GOOD_STANDING_ERRORS, security } from '../schema/answers.ts'
import { chargeHeaders } from '../schema/headers.ts'
import { invoiceParams, invoicePaymentSchema } from '../schema/invoice.ts'
import { ref } from '../schema/ref.ts'
import { transaction } from '../schema/transaction.ts'
import { answerPayment } from './answer-payment.ts'
import type { RouteApp } from './route-app.ts'

export function invoicePaymentRoutes(app: RouteApp, world: World): void {
  const answered = ref(transaction)
  app.post(
    '/invoice/:id/pay',
    {
      onRequest: [authenticate(world, 'payment'), requireTeamInGoodStanding],
      schema: {
        summary: 'Pay an invoice',
        description:
          'Charges the balance due, and returns the transaction as a charge does. An invoice has at most one payment under way, and one successful payment.',
        tags: ['Invoices'],
        security,
        headers: chargeHeaders,
        params: invoiceParams,
        body: invoicePaymentSchema,
        response: answers({ 200: answered, 202: answered, 400: answered }, [
          ...BODY_ERRORS,
          ...GOOD_STANDING_ERRORS,
          'invalid_id',
          'unknown_field',
          'partial_payment_not_supported',
          'not_found',
          'idempotency_conflict',
          'invoice_already_paid',
          'payment_under_way',
          'wrong_state',
          'no_live_gateway',
        ]),
      },
    },
    async (request, reply) => {
      const { body, params } = request
      const context = requestContextOf(request, body.idempotency_id)
      const accepted = await payInvoice(world, callerOf(request), context, {
        invoiceId: params.id.toLowerCase(),
        paymentMethodId: body.payment_method_id?.toLowerCase(),
        applyBalance: body.apply_balance === undefined ? undefined : centsOf(body.apply_balance),
        meta: body.meta,
      })
      return answerPayment(world, request, reply, accepted)
    },
  )
}
