// Records that an invoice was paid in cash or by check. The payment and the invoice are one commit,
// in which the invoice is locked: no other payment of it can begin meanwhile.

import type { ActingAccount, RequestContext } from '../../accounts/acting-account.ts'
import { holdReadyClock } from '../../accounts/hold-clock.ts'
import { paid } from '../../core/invoice.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import { orNotFound } from '../../core/or-not-found.ts'
import { builtInPaymentMethod } from '../../customers/built-in-payment-method.ts'
import { customerColumns } from '../../customers/customer.ts'
import type { Query } from '../../db/database.ts'
import type { Customer } from '../../generated/client.ts'
import { answeredBefore, type Done, once } from '../../idempotency/once.ts'
import { holdInvoice, type InvoiceRow } from '../../invoices/invoice.ts'
import { writeInvoices } from '../../invoices/write-invoices.ts'
import type { World } from '../../world.ts'
import { refuseByInvoice } from '../accept/accept-invoice-payment.ts'
import { contextOfCaller } from '../transaction/account-context.ts'
import { writeByHand } from './write-by-hand.ts'

interface PaidByHand {
  readonly invoiceId: string
  readonly method: 'cash' | 'check'
  /** For example, the number of the check. */
  readonly message: string | null
  /** The amount that the caller expects to be due; undefined accepts any amount. */
  readonly total?: Cents | undefined
}

const OPERATION = 'pay_invoice_by_hand'

/** Pays all that is due. */
export async function payInvoiceByHand(
  world: World,
  caller: ActingAccount,
  context: RequestContext,
  input: PaidByHand,
): Promise<Done> {
  const { invoiceId, method, message, total } = input
  const expected = total === undefined ? {} : { total: toDecimal(total) }
  const request = { invoice_id: invoiceId, method, message, ...expected }
  const before = await answeredBefore(world, context, { operation: OPERATION, request })
  if (before !== undefined) return before
  const paymentMethod = await builtInPaymentMethod(world, context, method)
  const id = world.newId()
  const { accountId } = context
  const claim = { operation: OPERATION, request, resourceId: id, locks: invoiceId }
  return once(world, context, claim, async (query) => {
    const timed = contextOfCaller(world, await holdReadyClock(query, caller))
    const invoice = await holdInvoice(query, { accountId, id: invoiceId })
    refuseByInvoice(invoice, OPERATION, total)
    const view = await writeByHand(world, query, timed, context, {
      id,
      type: 'charge',
      currency: invoice.currency,
      total: invoice.total - invoice.totalPaid,
      message,
      invoiceId,
      scheduleId: invoice.scheduleId,
      meta: invoice.meta,
      customer: await customerOf(query, invoice),
      paymentMethod,
    })
    const at = timed.now
    const change = { ...paid(invoice, at), paymentId: id, dueAt: null }
    const { requestId } = context
    await writeInvoices(world, query, [{ held: invoice, change, requestId, at }])
    return view
  })
}

async function customerOf(query: Query, { accountId, customerId }: InvoiceRow): Promise<Customer> {
  const key = { accountId, id: customerId }
  return orNotFound(await customerColumns.hold(query, key, 'FOR KEY SHARE'))
}
