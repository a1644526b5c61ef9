// A transaction as the database returns it, with its customer, its payment method, and the state of
// its payment link.

import { customerColumns } from '../../customers/customer.ts'
import { methodColumns } from '../../customers/payment-method.ts'
import { columnsOf } from '../../db/columns.ts'
import type { Row } from '../../db/gathered.ts'
import type { Customer, PaymentMethod, Transaction } from '../../generated/client.ts'

/** A transaction with its batch, which it has once the batch is frozen. */
export interface BatchedTransaction extends Transaction {
  readonly batchId: string | null
  readonly batchedAt: Date | null
}

export interface TransactionRow extends BatchedTransaction {
  readonly paymentLinkDeletedAt: Date | null
  readonly customer: Customer
  readonly paymentMethod: PaymentMethod
}

const transaction = columnsOf<Transaction>('Transaction', 't', [
  'total',
  'captured',
  'refunded',
  'reserved',
])
/** The columns of a transaction `t` alone. */
export const OWN_COLUMNS = transaction.list
export const {
  read: readOwn,
  insert: insertOwn,
  insertNew: insertNewOwn,
  update: updateOwn,
} = transaction

/** The columns of a transaction `t` with BATCH_JOIN. It has its batch once that is frozen. */
export const BATCHED_COLUMNS = `${OWN_COLUMNS}, batch.closed_at AS batched_at,
  CASE WHEN batch.closed_at IS NOT NULL THEN batch.id END AS batch_id`

/** The columns of a transaction `t` with TRANSACTION_JOINS. */
export const TRANSACTION_COLUMNS = `${BATCHED_COLUMNS}, l.deleted_at AS link_deleted_at,
  ${customerColumns.list}, ${methodColumns.list}`

/** The defaults of the columns: a new transaction without any outcome. */
const nothingYet = () => ({
  message: null,
  declineCode: null,
  retryAdvice: null,
  gatewayCode: null,
  captured: 0n,
  refunded: 0n,
  reserved: 0n,
  holdEndedAt: null,
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
  idempotencyId: null,
  businessDate: null,
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
})

type Beginning = Omit<Transaction, keyof ReturnType<typeof nothingYet>> & Partial<Transaction>

/** Assigned, because building an object of this size from two spreads is ten times as slow. */
export function transactionWith(beginning: Beginning): Transaction {
  return Object.assign(nothingYet(), beginning)
}

/**
 * A transaction is in the batch of its business date, unless it is voided or a void of it is
 * pending. OFFSET 0 keeps the look-up by the batch's key.
 */
export const BATCH_JOIN = batchJoin('OFFSET 0')

/** The batch cannot be frozen before the commit. */
export const HELD_BATCH_JOIN = batchJoin('FOR KEY SHARE')

function batchJoin(end: 'OFFSET 0' | 'FOR KEY SHARE'): string {
  return `
  LEFT JOIN LATERAL (
    SELECT id, closed_at FROM batch
    WHERE account_id = t.account_id AND business_date = t.business_date AND t.void_id IS NULL
    ${end}
  ) batch ON true`
}

/** Each is a look-up by its key, whichever order the planner would choose. */
export const OWNER_JOINS = `
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

export const TRANSACTION_JOINS = `${BATCH_JOIN} ${OWNER_JOINS}`

export function readBatched(row: Row): BatchedTransaction {
  return Object.assign(transaction.read(row), { batchId: row.batch_id, batchedAt: row.batched_at })
}

export function readTransaction(row: Row): TransactionRow {
  return Object.assign(readBatched(row), {
    paymentLinkDeletedAt: row.link_deleted_at,
    customer: customerColumns.read(row),
    paymentMethod: methodColumns.read(row),
  })
}
