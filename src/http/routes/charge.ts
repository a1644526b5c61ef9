// Charges or authorizes a payment, and waits for its outcome unless the caller prefers not to.

import { refusePageMethod } from '../../customers/refuse-page-method.ts'
import { acceptCharge, type NewCharge } from '../../payments/accept/accept-charge.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { centsOf, isFlagSet } from '../../resource/read-values.ts'
import {
  currency,
  flag,
  id,
  idempotencyId,
  linkId,
  meta,
  money,
  text,
} from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { callerOf, requestContextOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { answerPayment } from './answer-payment.ts'
import type { RouteApp } from './route-app.ts'
import { transaction } from './transaction.ts'

const share = Type.Object({
  account_id: text('The account that gets the share.'),
  amount: money('The share.'),
  memo: Type.Optional(text('The purpose of the share.')),
})

const newCharge = Type.Object(
  {
    total: money('The amount to charge.'),
    payment_method_id: id('The card or bank account to charge.'),
    meta: Type.Optional(meta),
    pre_auth: Type.Optional(flag('Only authorize; capture later.')),
    currency: Type.Optional(currency),
    channel: Type.Optional(text('The origin of the payment, such as card_present.')),
    invoice_id: Type.Optional(id('The invoice that it pays; `total` is its balance due.')),
    payment_link_id: Type.Optional(linkId('The payment link through which it came.')),
    funding: Type.Optional(
      Type.Array(share, {
        minItems: 1,
        maxItems: 100,
        description: 'Split Funding, in the sandbox only: shares that add up to the total.',
      }),
    ),
    idempotency_id: idempotencyId,
  },
  {
    examples: [{ total: 12.5, payment_method_id: '01941f29-7c00-7000-8000-000000000001' }],
  },
)

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
