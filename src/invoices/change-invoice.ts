// Changes the fields that no payment has made final yet: the total, the due date, the payment
// method and the metadata. The invoice is locked, so that a payment and a change at the same moment
// see each other: the payment charges the new total, or the change is refused.

import { isDeepStrictEqual } from 'node:util'
import type { RequestContext } from '../accounts/acting-account.ts'
import { wrongField } from '../core/errors.ts'
import { refuseChanged } from '../core/refuse-changed.ts'
import { holdNamedPayer } from '../customers/hold-payer.ts'
import type { Query } from '../db/database.ts'
import type { InCommit } from '../db/queries.ts'
import type { World } from '../world.ts'
import {
  holdInvoice,
  type INVOICE,
  type InvoiceRow,
  refuseUnpayable,
  turnOfInvoice,
} from './invoice.ts'
import { type DueTime, keepDueTime } from './read-due-time.ts'
import { type InvoiceChange, writeInvoice } from './write-invoices.ts'

/** Absent fields stay as they are; null empties a field. */
export type ChangedInvoice = ReturnType<typeof INVOICE.readChange> &
  Partial<DueTime> & {
    /** It cannot change, but the request may name it. */
    readonly customerId?: string
  }

/**
 * Returns the invoice as it is after the change. One that changes nothing writes no event.
 * `seenVersion`: the invoice as it was shown. If it has changed since, nothing is done.
 */
export function changeInvoice(
  world: World,
  context: RequestContext,
  id: string,
  { customerId, paymentMethodId, ...fields }: ChangedInvoice,
  seenVersion?: number,
  record?: InCommit<[changed: InvoiceRow]>,
): Promise<InvoiceRow> {
  const { accountId, requestId } = context
  const key = { accountId, id }
  return world.db.commit(turnOfInvoice(key), async (query) => {
    const held = await holdInvoice(query, key)
    refuseUnpayable(held)
    refuseChanged('invoice', held, seenVersion)
    refuseOtherCustomer(held, customerId)
    const sent = keepDueTime(held, fields)
    const change = { ...sent, ...(await methodOf(query, held, paymentMethodId)) }
    if (isDeepStrictEqual({ ...held, ...change }, held)) return held
    const at = world.accountNow(context)
    const changed = await writeInvoice(world, query, { held, change, requestId, at })
    await record?.(query, changed)
    return changed
  })
}

/** Payments that have failed name the customer, and so does the schedule. */
function refuseOtherCustomer(held: InvoiceRow, customerId: string | undefined): void {
  if (customerId === undefined || customerId === held.customerId) return
  throw wrongField('customer_id', 'cannot be changed: make another invoice')
}

/** Without a payment method no retry of an automatic payment is left. */
async function methodOf(
  query: Query,
  held: InvoiceRow,
  paymentMethodId: string | null | undefined,
): Promise<InvoiceChange> {
  if (paymentMethodId === undefined || paymentMethodId === held.paymentMethodId) return {}
  await holdNamedPayer(query, { ...held, paymentMethodId })
  return { paymentMethodId, ...(paymentMethodId === null ? { retryAt: null, dueAt: null } : {}) }
}
