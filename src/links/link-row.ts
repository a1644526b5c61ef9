// A payment link as a statement reads it.

import { columnsOf } from '../db/columns.ts'
import type { PaymentLink } from '../generated/client.ts'

/** Of a statement that calls the table `l`. */
export const {
  list: LINK_COLUMNS,
  read: readLink,
  insert: insertLink,
  update: updateLink,
} = columnsOf<PaymentLink>('PaymentLink', 'l', ['amount', 'totalSales'])
