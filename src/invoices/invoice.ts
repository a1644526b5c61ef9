// An invoice: its fields, how it begins, and how it is found and locked.

import { randomBytes } from 'node:crypto'
import { Refusal } from '../core/errors.ts'
import {
  INVOICE_STATUSES,
  type InvoiceStatus,
  obstacleToDeletion,
  obstacleToPayment,
} from '../core/invoice.ts'
import { type Cents, toDecimal } from '../core/money.ts'
import { orNotFound } from '../core/or-not-found.ts'
import { columnsOf, type RowKey } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { Invoice } from '../generated/client.ts'
import { column } from '../resource/column-kinds.ts'
import { declareFields } from '../resource/declare-fields.ts'
import { Type } from '../resource/json-schema.ts'
import { firstVersion } from '../resource/row-versions.ts'
import { answerField } from '../resource/schemas.ts'
import type { World } from '../world.ts'

export interface InvoiceRow extends Omit<Invoice, 'status'> {
  readonly status: InvoiceStatus
}

export const INVOICE = declareFields<InvoiceRow, World>()({
  id: { shown: answerField.id },
  status: { shown: Type.Enum(INVOICE_STATUSES) },
  total: column.money('The amount to pay.'),
  total_paid: {
    shown: {
      ...answerField.amount,
      description:
        'What its payment brought, in major units. Refunds of the payment are not subtracted.',
    },
    show: toDecimal,
  },
  balance_due: {
    shown: {
      ...answerField.amount,
      description: 'What is left to pay, in major units: 0 for an invoice that is DELETED or VOID.',
    },
    from: (invoice) => toDecimal(balanceOf(invoice)),
  },
  payment_under_way: {
    shown: {
      ...answerField.flag,
      description:
        'Whether a payment of it is under way. Until that is decided no other can begin, and `balance_due` is still the whole balance.',
      examples: [false],
    },
    from: (invoice) => obstacleToDeletion(invoice) === 'payment_under_way',
  },
  currency: { shown: answerField.text },
  customer_id: { shown: answerField.id },
  payment_method_id: column.optionalId(
    'The customer’s payment method that pays it, unless a payment names another one.',
  ),
  schedule_id: { shown: answerField.idOrNull },
  url: {
    shown: Type.String({ format: 'uri', description: 'The page on which it can be paid.' }),
    from: (invoice, world) => billAddress(world, invoice),
  },
  meta: column.meta(),
  // Not the column due_at, which is the service's own work.
  due_at: { shown: answerField.timeOrNull, from: ({ payBy }) => payBy },
  sent_at: { shown: answerField.timeOrNull },
  viewed_at: { shown: answerField.timeOrNull },
  paid_at: { shown: answerField.timeOrNull },
  next_retry_at: {
    shown: {
      ...answerField.timeOrNull,
      description: 'When a failed automatic payment is retried.',
    },
    from: ({ retryAt }) => retryAt,
  },
  created_at: { shown: answerField.time },
  updated_at: { shown: answerField.time },
})

/** The amount that is left to pay: nothing, once the invoice is deleted. */
export function balanceOf(invoice: InvoiceRow): Cents {
  return obstacleToPayment(invoice) === 'wrong_state' ? 0n : invoice.total - invoice.totalPaid
}

/** An invoice as the API shows it, in answers and in the snapshots of events. */
export const invoiceView = (world: World, invoice: InvoiceRow) => INVOICE.view(invoice, world)

/** The columns for statements that call the table `v`. */
export const invoices = columnsOf<InvoiceRow>('Invoice', 'v', ['total', 'totalPaid'])
export const { list: INVOICE_COLUMNS, read: readInvoice } = invoices

/** Also finds deleted invoices; their status says so. */
export async function findInvoice(world: World, key: RowKey): Promise<InvoiceRow> {
  return orNotFound(await invoices.find(world.db.query, key))
}

/**
 * Locks an invoice before a change: no other commit decides anything about it until this one is
 * done. Also finds deleted ones.
 */
export async function holdInvoice(query: Query, key: RowKey): Promise<InvoiceRow> {
  return orNotFound(await invoices.hold(query, key, 'FOR NO KEY UPDATE'))
}

/** Commits about the same invoice wait for each other. */
export function turnOfInvoice({ accountId, id }: RowKey): string {
  return `invoice ${accountId} ${id}`
}

/** Throws if no payment of the invoice can begin, and so nothing of it can be changed any more. */
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
  ...firstVersion(at),
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
