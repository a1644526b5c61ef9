// An invoice: how it begins, is found and is locked, and how the API shows it.

import { randomBytes } from 'node:crypto'
import { Refusal } from '../core/errors.ts'
import { type InvoiceStatus, obstacleToPayment } from '../core/invoice.ts'
import { toDecimal } from '../core/money.ts'
import { columnsOf } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { Invoice } from '../generated/client.ts'
import type { World } from '../world.ts'

export interface InvoiceRow extends Omit<Invoice, 'status'> {
  readonly status: InvoiceStatus
}

/** For statements that call the table `v`. */
export const invoices = columnsOf<InvoiceRow>('Invoice', 'v', ['total', 'totalPaid'])
export const { list: INVOICE_COLUMNS, read: readInvoice } = invoices

const FIND = `SELECT ${INVOICE_COLUMNS} FROM invoice v WHERE v.account_id = $1 AND v.id = $2`

/** Also finds deleted invoices; their status says so. */
export async function findInvoice(
  world: World,
  accountId: string,
  id: string,
): Promise<InvoiceRow> {
  const [row] = await world.db.query(FIND, [accountId, id])
  if (row === undefined) throw new Refusal('not_found')
  return readInvoice(row)
}

type Key = Pick<InvoiceRow, 'accountId' | 'id'>

/**
 * What changes an invoice begins by locking it: no other commit decides anything of it until this
 * one is done. Finds deleted ones too.
 */
export function holdInvoice(query: Query, key: Key): Promise<InvoiceRow | undefined> {
  return invoices.hold(query, key, 'FOR NO KEY UPDATE')
}

/** Commits about the same invoice wait for each other. */
export function turnOfInvoice({ accountId, id }: Key): string {
  return `invoice ${accountId} ${id}`
}

/** Throws if no payment of it can begin: nothing of it is left to be changed or asked for. */
export function refuseUnpayable(invoice: InvoiceRow): void {
  const obstacle = obstacleToPayment(invoice)
  if (obstacle === undefined) return
  const message = `the invoice is ${invoice.status.toLowerCase()}`
  throw new Refusal(obstacle, obstacle === 'wrong_state' ? { message } : {})
}

/** The token alone opens the page, so all of it is random: no time and no counter. */
const TOKEN_BYTES = 16

const nothingYet = (world: World, at: Date) => ({
  id: world.newId(),
  totalPaid: 0n,
  token: randomBytes(TOKEN_BYTES).toString('hex'),
  sentAt: null,
  viewedAt: null,
  paidAt: null,
  paymentId: null,
  tries: 0,
  retryAt: null,
  dueAt: null,
  version: 1,
  createdAt: at,
  updatedAt: at,
  deletedAt: null,
})

type Beginning = Omit<InvoiceRow, keyof ReturnType<typeof nothingYet>> & Partial<InvoiceRow>

/** `at` is in the account's own time. */
export function newInvoiceRow(world: World, at: Date, beginning: Beginning): InvoiceRow {
  return Object.assign(nothingYet(world, at), beginning)
}

/** The page on which it is paid. */
export function billAddress(world: World, { token }: Pick<InvoiceRow, 'token'>): string {
  return `${world.publicAddress()}/bill/${token}`
}

/** An invoice as the API shows it, in answers and in the snapshots of events. */
export function invoiceView(world: World, v: InvoiceRow) {
  return {
    id: v.id,
    status: v.status,
    total: toDecimal(v.total),
    total_paid: toDecimal(v.totalPaid),
    balance_due: toDecimal(v.total - v.totalPaid),
    currency: v.currency,
    customer_id: v.customerId,
    payment_method_id: v.paymentMethodId,
    schedule_id: v.scheduleId,
    url: billAddress(world, v),
    meta: v.meta,
    due_at: v.payBy,
    sent_at: v.sentAt,
    viewed_at: v.viewedAt,
    paid_at: v.paidAt,
    next_retry_at: v.retryAt,
    created_at: v.createdAt,
    updated_at: v.updatedAt,
  }
}
