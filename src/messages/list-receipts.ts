// Lists the receipts of a transaction with their states.

import { Refusal } from '../core/errors.ts'
import { type DeliveryView, deliveryView } from '../deliveries/delivery-view.ts'
import { findTransaction } from '../payments/transaction/find-transaction.ts'
import type { World } from '../world.ts'

/** The oldest first. */
export async function listReceipts(
  world: World,
  accountId: string,
  transactionId: string,
): Promise<readonly DeliveryView[]> {
  const transaction = await world.db.ask(findTransaction, { accountId, id: transactionId })
  if (transaction === undefined) throw new Refusal('not_found')
  const rows = await world.db.prisma.delivery.findMany({
    where: { accountId, subjectId: transactionId, subject: 'transaction' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map(deliveryView)
}
