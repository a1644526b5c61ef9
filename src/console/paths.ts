// The addresses of the console's lists, and of the pages of one row.

import type { RowKey } from '../db/columns.ts'

export const BATCHES_PATH = '/admin/batches'
export const CUSTOMERS_PATH = '/admin/customers'
export const DELIVERIES_PATH = '/admin/deliveries'
export const ENDPOINTS_PATH = '/admin/endpoints'
export const EVENTS_PATH = '/admin/events'
export const INVOICES_PATH = '/admin/invoices'
export const LINKS_PATH = '/admin/links'
export const OUTBOX_PATH = '/admin/outbox'
export const SCHEDULES_PATH = '/admin/schedules'
export const TEAMS_PATH = '/admin/teams'
export const TRANSACTIONS_PATH = '/admin/transactions'

export const batchPath = pageIn(BATCHES_PATH)
export const customerPath = pageIn(CUSTOMERS_PATH)
export const deliveryPath = pageIn(DELIVERIES_PATH)
export const endpointPath = pageIn(ENDPOINTS_PATH)
export const eventPath = pageIn(EVENTS_PATH)
export const invoicePath = pageIn(INVOICES_PATH)
export const linkPath = pageIn(LINKS_PATH)
export const schedulePath = pageIn(SCHEDULES_PATH)
export const transactionPath = pageIn(TRANSACTIONS_PATH)

export function teamPath(teamId: string): string {
  return `${TEAMS_PATH}/${teamId}`
}

function pageIn(list: string) {
  return ({ accountId, id }: RowKey) => `${list}/${accountId}/${id}`
}
