// Pays what is due of an invoice, as the intake is asked to.

import type { Caller } from '../accounts/find-caller.ts'
import type { RequestContext } from '../accounts/request-context.ts'
import { Refusal } from '../core/errors.ts'
import { type Cents, toDecimal } from '../core/money.ts'
import type { AcceptedRequest } from '../idempotency/find-claim.ts'
import type { World } from '../world.ts'
import { acceptInvoicePayment } from './accept-invoice-payment.ts'

interface PayInvoice {
  readonly invoiceId: string
  /** The invoice's own, where it is absent. */
  readonly paymentMethodId: string | undefined
  /** What the caller believes is due. */
  readonly applyBalance: Cents | undefined
  /** The invoice's own, where it is absent. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

export function payInvoice(
  world: World,
  caller: Caller,
  context: RequestContext,
  { invoiceId, paymentMethodId, applyBalance, meta }: PayInvoice,
): Promise<AcceptedRequest> {
  return acceptInvoicePayment(world, context, {
    operation: 'pay_invoice',
    invoiceId,
    paymentMethodId,
    total: applyBalance,
    ...(meta === undefined ? {} : { meta }),
    paymentLinkId: null,
    funding: null,
    request: {
      invoice_id: invoiceId,
      ...(applyBalance === undefined ? {} : { apply_balance: toDecimal(applyBalance) }),
      ...(meta === undefined ? {} : { meta }),
    },
    refusal: world.gateways.refusalOf(caller),
    unknown: new Refusal('not_found'),
  })
}
