// Lists an account's invoices. The indexes invoice_by_… and invoice_of_… have exactly these
// expressions. Deleted invoices have an index of their own and are listed only by their status.

import { declareList } from '../db/declared-list.ts'
import type { World } from '../world.ts'
import { INVOICE_COLUMNS, invoiceView, readInvoice } from './invoice.ts'

export const INVOICES = declareList({
  table: 'invoice',
  alias: 'v',
  filters: {
    // For DELETED, `always` already contains the condition of their index.
    status: (status: string, put) => (status === 'DELETED' ? 'true' : `v.status = ${put(status)}`),
    customer_id: 'v.customer_id = $value',
    schedule_id: 'v.schedule_id = $value',
  },
  always: ({ status }) => `v.deleted_at IS ${status === 'DELETED' ? 'NOT NULL' : 'NULL'}`,
  sorts: {
    created_at: 'v.created_at',
    updated_at: 'v.updated_at',
    due_at: { nullable: 'v.pay_by' },
    total: 'v.total',
    status: 'v.status',
    paid_at: { nullable: 'v.paid_at' },
  },
  columns: INVOICE_COLUMNS,
  view: (row, world: World) => invoiceView(world, readInvoice(row)),
})
