import type { PaymentMethod, Transaction } from '../generated/client.ts'
import type { InvoiceRow } from '../invoices/invoice-row.ts'
import type { World } from '../world.ts'
import { workTimes } from './accept-payment.ts'
import { transactionWith } from './transaction-row.ts'

/**
 * The payment, due to be charged, of what is left to pay of an invoice. `at` is in the account's
 * own time; `own` is what the payment does not have of its invoice.
 */
export function newInvoicePayment(
  world: World,
  invoice: InvoiceRow,
  { id: paymentMethodId, method, gatewayName, lastFour }: PaymentMethod,
  at: Date,
  own: Pick<Transaction, 'id'> & Partial<Transaction>,
): Transaction {
  const { accountId, currency, channel, customerId, scheduleId, meta, requestId } = invoice
  return transactionWith({
    accountId,
    type: 'charge',
    method,
    status: 'PENDING',
    currency,
    total: invoice.total - invoice.totalPaid,
    channel,
    customerId,
    paymentMethodId,
    invoiceId: invoice.id,
    scheduleId,
    gatewayName,
    lastFour,
    meta,
    requestId,
    owed: 'charge',
    ...workTimes(world, at),
    createdAt: at,
    updatedAt: at,
    ...own,
  })
}
