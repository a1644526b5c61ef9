// The addresses of the console's pages.

import type { RowKey } from '../db/columns.ts'

export const AUDIT_PATH = '/admin/audit'
export const BATCHES_PATH = '/admin/batches'
export const CUSTOMERS_PATH = '/admin/customers'
export const DELIVERIES_PATH = '/admin/deliveries'
export const DISPUTES_PATH = '/admin/disputes'
export const ENDPOINTS_PATH = '/admin/endpoints'
const EVENTS_PATH = '/admin/events'
export const INVOICES_PATH = '/admin/invoices'
export const LINKS_PATH = '/admin/links'
export const ME_PATH = '/admin/me'
export const OPERATORS_PATH = '/admin/operators'
const OUTBOX_PATH = '/admin/outbox'
export const PARKED_PATH = '/admin/parked'
export const REQUESTS_PATH = '/admin/requests'
export const SCHEDULES_PATH = '/admin/schedules'
export const TEAMS_PATH = '/admin/teams'
export const TRANSACTIONS_PATH = '/admin/transactions'
export const WORKERS_PATH = '/admin/workers'

export const batchPath = pageIn(BATCHES_PATH)
export const customerPath = pageIn(CUSTOMERS_PATH)
export const deliveryPath = pageIn(DELIVERIES_PATH)
export const endpointPath = pageIn(ENDPOINTS_PATH)
export const eventPath = pageIn(EVENTS_PATH)
export const invoicePath = pageIn(INVOICES_PATH)
export const linkPath = pageIn(LINKS_PATH)
export const messagePath = pageIn(OUTBOX_PATH)
export const schedulePath = pageIn(SCHEDULES_PATH)
export const transactionPath = pageIn(TRANSACTIONS_PATH)

export const SEARCH_PATH = '/admin/search'

/** The page of an object of an account, by the name of its table. */
export const OBJECT_PATHS = {
  batch: batchPath,
  customer: customerPath,
  delivery: deliveryPath,
  event: eventPath,
  invoice: invoicePath,
  'payment link': linkPath,
  schedule: schedulePath,
  transaction: transactionPath,
  webhook: endpointPath,
} as const

export function teamPath(teamId: string): string {
  return `${TEAMS_PATH}/${teamId}`
}

export function keyPath(teamId: string, keyId: string): string {
  return `${teamPath(teamId)}/keys/${keyId}`
}

export function operatorPath(id: string): string {
  return `${OPERATORS_PATH}/${id}`
}

/** The page of Bull Board. */
export function queuePath(name: string): string {
  return `/admin/queues/queue/${name}`
}

function pageIn(list: string) {
  return ({ accountId, id }: RowKey) => `${list}/${accountId}/${id}`
}
