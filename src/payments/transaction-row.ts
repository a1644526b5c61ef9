// A transaction as statements read it: with its customer, its payment method, and what became of
// its payment link.

import { columnsOf } from '../db/columns.ts'
import type { Row } from '../db/gathered.ts'
import type { Customer, PaymentMethod, Transaction } from '../generated/client.ts'

export interface TransactionRow extends Transaction {
  readonly customer: Customer
  readonly paymentMethod: PaymentMethod
  readonly paymentLinkDeletedAt: Date | null
}

const transaction = columnsOf<Transaction>('Transaction', 't', [
  'total',
  'captured',
  'refunded',
  'reserved',
])
const customer = columnsOf<Customer>('Customer', 'c')
const paymentMethod = columnsOf<PaymentMethod>('PaymentMethod', 'm')

/** To select of a transaction `t` and TRANSACTION_JOINS. */
export const TRANSACTION_COLUMNS = [
  transaction.list,
  customer.list,
  paymentMethod.list,
  'l.deleted_at AS link_deleted_at',
].join(', ')

/** To select of a transaction `t` alone. */
export const OWN_COLUMNS = transaction.list
export const { read: readOwn, insert: insertOwn, update: updateOwn } = transaction

/** Of one that nothing has become of, by itself, for nobody in particular. */
export const NOTHING_YET = {
  message: null,
  captured: 0n,
  refunded: 0n,
  reserved: 0n,
  voidId: null,
  isVoided: false,
  children: 0,
  isManual: false,
  source: null,
  channel: null,
  invoiceId: null,
  invoiceTry: null,
  scheduleId: null,
  paymentLinkId: null,
  referenceId: null,
  businessDate: null,
  batchId: null,
  batchedAt: null,
  gatewayName: null,
  authId: null,
  lastFour: null,
  funding: null,
  meta: {},
  receiptTo: null,
  receiptEmailAt: null,
  receiptSmsAt: null,
  owed: null,
  dueAt: null,
  orderedAt: null,
  deadlineAt: null,
  parkedAt: null,
  attempt: 0,
  version: 0,
  outcomeSequence: null,
}

/** OFFSET 0 keeps each a look-up by its own key, in whatever order the planner would join them. */
export const TRANSACTION_JOINS = `
  CROSS JOIN LATERAL (
    SELECT * FROM customer WHERE account_id = t.account_id AND id = t.customer_id OFFSET 0
  ) c
  CROSS JOIN LATERAL (
    SELECT * FROM payment_method
    WHERE account_id = t.account_id AND id = t.payment_method_id OFFSET 0
  ) m
  LEFT JOIN LATERAL (
    SELECT deleted_at FROM payment_link
    WHERE account_id = t.account_id AND id = t.payment_link_id OFFSET 0
  ) l ON true`

export function readTransaction(row: Row): TransactionRow {
  return {
    ...transaction.read(row),
    customer: customer.read(row),
    paymentMethod: paymentMethod.read(row),
    paymentLinkDeletedAt: row.link_deleted_at,
  }
}
