// An operator has the gateway asked once more about a payment that it could not tell of at its
// deadline. What it still cannot tell is parked again.
//
// Who dies after the commit leaves a payment that is due, which the sweep finds.

import type { RowKey } from '../payments/transaction/transaction-row.ts'
import type { World } from '../world.ts'
import { notParked } from './decide-payment.ts'
import { writeDeed } from './deeds.ts'
import type { Operator } from './session.ts'

export async function askPaymentAgain(
  world: World,
  operator: Pick<Operator, 'name' | 'address'>,
  { accountId, id }: RowKey,
): Promise<void> {
  const dueAt = world.clock.now()
  const requestId = await world.db.prisma.$transaction(async (accountContext) => {
    const [row] = await accountContext.transaction.updateManyAndReturn({
      where: { accountId, id, status: 'PENDING', parkedAt: { not: null } },
      data: { parkedAt: null, dueAt },
      select: { requestId: true },
    })
    if (row === undefined) throw notParked(id)
    const detail = { account: accountId }
    await writeDeed(
      world,
      operator,
      { deed: 'gateway asked again', subject: id, detail },
      accountContext,
    )
    return row.requestId
  })
  world.queues.nudge('doubt', { accountId, id, requestId })
}
