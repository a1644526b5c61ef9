// Lists an account's invoices. The indexes invoice_by_… and invoice_of_… have exactly these
// expressions. Deleted invoices have an index of their own and are listed only by their status.

import { isId } from '../core/id.ts'
import { customerColumns } from '../customers/customer.ts'
import { customerMatches } from '../customers/search.ts'
import type { RowKey } from '../db/columns.ts'
import { declareList, LISTED_ACCOUNT } from '../db/declared-list.ts'
import { allOf, containing, orderNumberTerms, type Put } from '../db/terms.ts'
import type { Customer } from '../generated/client.ts'
import type { World } from '../world.ts'
import { INVOICE_COLUMNS, type InvoiceRow, invoiceView, readInvoice } from './invoice.ts'

const DECLARED = {
  table: 'invoice',
  alias: 'v',
  filters: {
    // For DELETED, `always` already contains the condition of their index.
    status: (status: string, put: Put) =>
      status === 'DELETED' ? 'true' : `v.status = ${put(status)}`,
    customer_id: 'v.customer_id = $value',
    payment_method_id: 'v.payment_method_id = $value',
    schedule_id: 'v.schedule_id = $value',
  },
  always: ({ status }: { readonly status?: string | undefined }) =>
    `v.deleted_at IS ${status === 'DELETED' ? 'NOT NULL' : 'NULL'}`,
  sorts: {
    created_at: 'v.created_at',
    updated_at: 'v.updated_at',
    due_at: { nullable: 'v.pay_by' },
    total: 'v.total',
    status: 'v.status',
    paid_at: { nullable: 'v.paid_at' },
  },
  columns: INVOICE_COLUMNS,
} as const

export const INVOICES = declareList({
  ...DECLARED,
  filters: {
    ...DECLARED.filters,
    keywords: keywordTerms,
  },
  view: (row, world: World) => invoiceView(world, readInvoice(row)),
})

/**
 * An invoice has all keywords if its customer has them all. Otherwise one of them is its own
 * number, and few invoices have that. So the ids of those customers and invoices are read first,
 * and the invoices are found by these. With a list of customers for each keyword, PostgreSQL would
 * compare the invoices of the first list with each customer of the others. So it would for deleted
 * invoices, which have no index by customer: each of these is looked at by itself.
 */
function keywordTerms(
  keywords: readonly string[],
  put: Put,
  { status }: { readonly status?: unknown },
): string {
  const words = [...new Set(keywords)].map((keyword) => ({
    ofCustomer: customerMatches(put(containing(keyword))),
    ofItself: (row: string) => termOfItself(row, keyword, put),
  }))
  const hasAll = (row: string) =>
    allOf(
      words.map(
        ({ ofCustomer, ofItself }) => `(${ofItself(row)} OR (
          SELECT ${ofCustomer} FROM customer c
          WHERE c.account_id = ${row}.account_id AND c.id = ${row}.customer_id))`,
      ),
    )
  if (status === 'DELETED' || words.length === 0) return hasAll('v')
  return `(v.customer_id = ANY (ARRAY(
      SELECT c.id FROM customer c WHERE c.account_id = ${LISTED_ACCOUNT}
        AND ${allOf(words.map(({ ofCustomer }) => ofCustomer))}))
    OR v.id = ANY (ARRAY(
      SELECT n.id FROM invoice n WHERE n.account_id = ${LISTED_ACCOUNT}
        AND (${words.map(({ ofItself }) => ofItself('n')).join(' OR ')}) AND ${hasAll('n')})))`
}

function termOfItself(row: string, keyword: string, put: Put): string {
  const word = put(keyword)
  const ofId = isId(keyword) ? [`${row}.id = ${word}::uuid`] : []
  return `(${[...orderNumberTerms(row, word), ...ofId].join(' OR ')})`
}

export interface BilledInvoice extends InvoiceRow {
  readonly customer: Customer
}

/** The list for operators, each invoice with its customer. */
export const INVOICE_ROWS = declareList({
  ...DECLARED,
  columns: `${INVOICE_COLUMNS}, ${customerColumns.list}`,
  joins: 'JOIN customer c ON c.account_id = v.account_id AND c.id = v.customer_id',
  view: (row): BilledInvoice => ({ ...readInvoice(row), customer: customerColumns.read(row) }),
})

const FIND_BILLED = `
  SELECT ${INVOICE_ROWS.columns} FROM invoice v ${INVOICE_ROWS.joins}
  WHERE v.account_id = $1 AND v.id = $2`

/** Also finds deleted invoices; their status says so. */
export async function findBilledInvoice(
  { db }: World,
  { accountId, id }: RowKey,
): Promise<BilledInvoice | undefined> {
  const [row] = await db.query(FIND_BILLED, [accountId, id])
  return row && INVOICE_ROWS.view(row, undefined)
}
