// Lists the receipts of a transaction with their states.

import { orNotFound } from '../core/or-not-found.ts'
import type { RowKey } from '../db/columns.ts'
import { type DeliveryView, deliveryView } from '../deliveries/delivery-view.ts'
import { findTransaction } from '../payments/transaction/find-transaction.ts'
import type { World } from '../world.ts'

/** A transaction sends 210 a day at most. An answer with all of three months took a second. */
const MOST_RECEIPTS = 1_000

/** The newest, the oldest of them first. */
export async function listReceipts(
  world: World,
  { accountId, id }: RowKey,
): Promise<readonly DeliveryView[]> {
  orNotFound(await world.db.ask(findTransaction, { accountId, id }))
  const rows = await world.db.prisma.delivery.findMany({
    where: { accountId, subjectId: id, subject: 'transaction' },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MOST_RECEIPTS,
  })
  return rows.reverse().map(deliveryView)
}
