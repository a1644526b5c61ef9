// A payment link as statements read and write it, and as the API shows it.

import { toDecimal } from '../core/money.ts'
import { columnsOf } from '../db/columns.ts'
import { resourceOf } from '../events/resource.ts'
import type { PaymentLink } from '../generated/client.ts'
import type { World } from '../world.ts'

const columns = columnsOf<PaymentLink>('PaymentLink', 'l', ['amount', 'totalSales'])

/** For statements that call the table `l`. */
export const { list: LINK_COLUMNS, read: readLink } = columns

export const links = resourceOf(columns, 'payment_link', (link, world) => linkView(world, link))

/** A payment link as the API shows it, in answers and in the snapshots of events. */
export function linkView(world: World, l: PaymentLink) {
  const url = pageAddress(world, l.id)
  return {
    id: l.id,
    common_name: l.commonName,
    amount: l.amount === null ? null : toDecimal(l.amount),
    active: l.active,
    link_meta: l.linkMeta,
    meta: l.meta,
    url,
    qr_code_url: `${url}/qr.svg`,
    total_sales: toDecimal(l.totalSales),
    total_transactions: l.totalTransactions,
    created_at: l.createdAt,
    updated_at: l.updatedAt,
  }
}

/** The page that a payer opens. */
export function pageAddress(world: World, id: string): string {
  return `${world.publicAddress()}/pay/${id}`
}
