// Charges or authorizes a payment, and waits for its outcome unless the caller prefers not to.

import { refusePageMethod } from '../../customers/refuse-page-method.ts'
import { acceptCharge, type NewCharge } from '../../payments/accept/accept-charge.ts'
import type { Static } from '../../resource/json-schema.ts'
import { centsOf, isFlagSet } from '../../resource/read-values.ts'
import type { World } from '../../world.ts'
import { callerOf, requestContextOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { newCharge, transaction } from '../schema/transaction.ts'
import { answerPayment } from './answer-payment.ts'
import type { RouteApp } from './route-app.ts'

export function chargeRoutes(app: RouteApp, world: World): void {
  app.post(
    '/charge',
    {
      config: {
        needsActiveTeam: true,
        refusals: [
          'split_funding_not_enabled',
          'not_found',
          'payment_link_inactive',
          'payment_link_deleted',
          'invoice_already_paid',
          'payment_under_way',
          'wrong_state',
          'no_live_gateway',
        ],
      },
      schema: {
        summary: 'Charge a payment method',
        operationId: 'createCharge',
        description:
          'Returns the transaction once the gateway has responded. A declined charge is 400 with the transaction as the body; a charge that takes longer than the wait is 200 and PENDING.',
        tags: ['Payments'],
        body: newCharge,
        response: { 200: ref(transaction), 202: ref(transaction), 400: ref(transaction) },
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      const charge = read(request.body)
      await refusePageMethod(world, callerOf(request), charge.paymentMethodId)
      const accepted = await acceptCharge(world, callerOf(request), context, charge)
      return answerPayment(world, reply, accepted)
    },
  )
}

function read(body: Static<typeof newCharge>): NewCharge {
  return {
    total: centsOf(body.total),
    currency: body.currency ?? 'USD',
    paymentMethodId: body.payment_method_id.toLowerCase(),
    isPreAuth: isFlagSet(body.pre_auth),
    channel: body.channel ?? undefined,
    invoiceId: body.invoice_id?.toLowerCase(),
    paymentLinkId: body.payment_link_id?.toLowerCase(),
    funding: body.funding?.map((share) => ({
      accountId: share.account_id,
      amount: centsOf(share.amount),
      memo: share.memo ?? undefined,
    })),
    meta: body.meta ?? {},
  }
}
