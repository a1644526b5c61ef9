// What must be true when all is quiet, each as a question whose every row is a violation.
//
// `told` holds what callers were told, `ledger` what the gateways have carried out. Nothing here
// knows the service's code: only its tables.

import { CHECKS_OF_BATCHES, CHECKS_OF_CLOSINGS } from './audit-batches.ts'
import { CHECKS_OF_BOOKS } from './audit-books.ts'
import { CHECKS_OF_EVENTS } from './audit-events.ts'
import { CHECKS_OF_FOLLOW_UPS } from './audit-follow-ups.ts'
import { CHECKS_OF_INVOICES } from './audit-invoices.ts'
import type { Check } from './audit-sql.ts'

export const CHECKS: readonly Check[] = [
  ...CHECKS_OF_BOOKS,
  ...CHECKS_OF_EVENTS,
  ...CHECKS_OF_FOLLOW_UPS,
  ...CHECKS_OF_BATCHES,
  ...CHECKS_OF_INVOICES,
]

/** Where every batch was closed by the service itself. */
export const ALL_CHECKS: readonly Check[] = [...CHECKS, ...CHECKS_OF_CLOSINGS]
