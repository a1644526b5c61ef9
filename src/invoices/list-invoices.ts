// A page of an account's invoices. Its conditions and orders are those of the indexes
// invoice_by_… and invoice_of_….

import type { InvoiceStatus } from '../core/invoice.ts'
import { askPage, type Page, type Paged } from '../db/page.ts'
import type { World } from '../world.ts'
import { INVOICE_COLUMNS, readInvoice } from './invoice-row.ts'
import { invoiceView } from './invoice-view.ts'

export const INVOICE_SORTS = {
  created_at: 'v.created_at',
  updated_at: 'v.updated_at',
  due_at: 'v.pay_by',
  total: 'v.total',
  status: 'v.status',
  paid_at: 'v.paid_at',
} as const

export type InvoiceSort = keyof typeof INVOICE_SORTS

/** Undefined is any; those that are deleted are found by their status alone. */
export interface InvoiceQuery {
  readonly page: Page<InvoiceSort>
  readonly status: InvoiceStatus | undefined
  readonly customerId: string | undefined
  readonly scheduleId: string | undefined
}

export function listInvoices(
  world: World,
  accountId: string,
  query: InvoiceQuery,
): Promise<Paged<ReturnType<typeof invoiceView>>> {
  const statements = listStatements(accountId, query)
  return askPage(world.db.query, statements, (row) => invoiceView(world, readInvoice(row)))
}

export function listStatements(accountId: string, query: InvoiceQuery) {
  const values: unknown[] = [accountId]
  const value = (one: unknown) => `$${values.push(one)}`
  const conditions = ['v.account_id = $1', ...termsOf(query, value)]
  const from = `FROM invoice v WHERE ${conditions.join(' AND ')}`
  const { sort, order, skip, take } = query.page
  return {
    values,
    count: `SELECT count(*) AS total ${from}`,
    // Numbers of ours, so that both statements take the same values.
    page: `SELECT ${INVOICE_COLUMNS} ${from} ORDER BY ${orderOf(sort, order)} LIMIT ${take} OFFSET ${skip}`,
  }
}

function termsOf(query: InvoiceQuery, value: (one: unknown) => string): readonly string[] {
  const { customerId, scheduleId } = query
  return [
    ...statusTerms(query, value),
    ...(customerId === undefined ? [] : [`v.customer_id = ${value(customerId)}`]),
    ...(scheduleId === undefined ? [] : [`v.schedule_id = ${value(scheduleId)}`]),
  ]
}

/** Those that are deleted have an index of their own, and all others are without them. */
function statusTerms({ status }: InvoiceQuery, value: (one: unknown) => string): readonly string[] {
  if (status === 'DELETED') return ['v.deleted_at IS NOT NULL']
  const isListed = 'v.deleted_at IS NULL'
  return status === undefined ? [isListed] : [isListed, `v.status = ${value(status)}`]
}

/** Nulls last, either way. */
function orderOf(sort: InvoiceSort, order: 'asc' | 'desc'): string {
  const nulls = sort === 'due_at' || sort === 'paid_at' ? ' NULLS LAST' : ''
  return `${INVOICE_SORTS[sort]} ${order}${nulls}, v.id ${order}`
}
