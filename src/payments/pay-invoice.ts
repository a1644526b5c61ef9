// Pays what is due of an invoice, as the intake is asked to.

import type { Asking } from '../accounts/asking.ts'
import type { Caller } from '../accounts/find-caller.ts'
import { Refusal } from '../core/errors.ts'
import type { World } from '../world.ts'
import { type AcceptedPayment, acceptInvoicePayment } from './accept-invoice-payment.ts'

export function payInvoice(
  world: World,
  caller: Caller,
  asking: Asking,
  invoiceId: string,
  /** The invoice's own, where it is absent. */
  paymentMethodId: string | undefined,
): Promise<AcceptedPayment> {
  return acceptInvoicePayment(world, asking, {
    operation: 'pay_invoice',
    invoiceId,
    paymentMethodId,
    total: undefined,
    paymentLinkId: null,
    funding: null,
    request: { invoice_id: invoiceId },
    refusal: caller.mode === 'live' ? new Refusal('no_live_gateway') : undefined,
    unknown: new Refusal('not_found'),
  })
}
