// A dispute and a reversal of a transaction, as rows.

import type { ReversalKind } from '../../src/core/dispute.ts'
import type { Prisma } from '../../src/generated/client.ts'
import type { World } from '../../src/world.ts'

export async function insertDispute(
  world: World,
  transactionId: string,
  more: Partial<Prisma.DisputeUncheckedCreateInput> = {},
): Promise<string> {
  const now = world.clock.now()
  const data = {
    ...(await commonOf(world, transactionId)),
    place: '',
    status: 'needs_response' as const,
    respondBy: new Date(now.getTime() + 864_000_000),
    openedAt: now,
    readAt: now,
    updatedAt: now,
    ...more,
  }
  return (await world.db.prisma.dispute.create({ data })).id
}

export async function insertReversal(
  world: World,
  transactionId: string,
  kind: ReversalKind = 'debit_returned',
): Promise<string> {
  const data = { ...(await commonOf(world, transactionId)), kind }
  return (await world.db.prisma.reversal.create({ data })).id
}

async function commonOf(world: World, transactionId: string) {
  const where = { id: transactionId }
  const { accountId, total, currency } = await world.db.prisma.transaction.findFirstOrThrow({
    where,
  })
  const id = world.newId()
  const gateway = { gatewayName: 'sandbox', gatewayId: `sbx_${id}`, reason: 'fraudulent' }
  const createdAt = world.clock.now()
  return { accountId, id, transactionId, amount: total, currency, createdAt, ...gateway }
}
