// What a change of a payment method writes: the row and its event, to be committed together.

import type { Asking } from '../accounts/asking.ts'
import { eventWrite } from '../events/event-write.ts'
import type { PaymentMethod, Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import { paymentMethodView } from './payment-method-view.ts'

type Writes = Prisma.PrismaPromise<unknown>[]

/** A new one. */
export function paymentMethodWrites(world: World, asking: Asking, row: PaymentMethod): Writes {
  const meta = row.meta as Prisma.InputJsonObject
  return [
    world.db.prisma.paymentMethod.create({ data: { ...row, meta } }),
    paymentMethodEvent(world, asking, 'create_payment_method', row),
  ]
}

/** The next version of one; nothing of this is written where its last is not the one before. */
export function paymentMethodChange(world: World, asking: Asking, next: PaymentMethod): Writes {
  const { accountId, id, version, ...rest } = next
  const meta = next.meta as Prisma.InputJsonObject
  return [
    world.db.prisma.paymentMethod.update({
      where: { accountId_id: { accountId, id }, version: version - 1 },
      data: { ...rest, version, meta },
    }),
    paymentMethodEvent(world, asking, 'update_payment_method', next),
  ]
}

function paymentMethodEvent(
  world: World,
  asking: Asking,
  type: `${'create' | 'update'}_payment_method`,
  row: PaymentMethod,
): Prisma.PrismaPromise<unknown> {
  return eventWrite(world, {
    accountId: row.accountId,
    type,
    resourceId: row.id,
    sequence: row.version,
    view: paymentMethodView(row),
    requestId: asking.requestId,
    at: row.updatedAt,
  })
}
