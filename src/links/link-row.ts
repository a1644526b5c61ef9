// A payment link as a statement reads it, and its writes.

import { columnsOf } from '../db/columns.ts'
import { resourceOf } from '../events/resource.ts'
import type { PaymentLink } from '../generated/client.ts'
import { linkView } from './link-view.ts'

const columns = columnsOf<PaymentLink>('PaymentLink', 'l', ['amount', 'totalSales'])

/** Of a statement that calls the table `l`. */
export const { list: LINK_COLUMNS, read: readLink } = columns

export const links = resourceOf(columns, 'payment_link', (link, world) => linkView(world, link))
