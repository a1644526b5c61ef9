// Checks once all is quiet: each is a query whose every row is a violation.
//
// `journal` holds the answers to callers, `ledger` the orders that the gateways have carried out. The
// checks know the service's tables, and none of its code.

import { CHECKS_OF_BATCHES, CHECKS_OF_CLOSINGS } from './audit-batches.ts'
import { CHECKS_OF_EVENTS } from './audit-events.ts'
import { CHECKS_OF_FOLLOW_UPS } from './audit-follow-ups.ts'
import { CHECKS_OF_INVOICES } from './audit-invoices.ts'
import type { Check } from './audit-sql.ts'
import { CHECKS_OF_TRANSACTIONS } from './audit-transactions.ts'

export const CHECKS: readonly Check[] = [
  ...CHECKS_OF_TRANSACTIONS,
  ...CHECKS_OF_EVENTS,
  ...CHECKS_OF_FOLLOW_UPS,
  ...CHECKS_OF_BATCHES,
  ...CHECKS_OF_INVOICES,
]

/** For runs in which the service itself closed every batch. */
export const ALL_CHECKS: readonly Check[] = [...CHECKS, ...CHECKS_OF_CLOSINGS]
