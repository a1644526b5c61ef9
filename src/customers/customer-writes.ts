// What a change of a customer writes: the row and its event, to be committed together.

import type { Asking } from '../accounts/asking.ts'
import { eventWrite } from '../events/event-write.ts'
import type { Customer, Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import { customerView } from './customer-view.ts'

type Writes = Prisma.PrismaPromise<unknown>[]

/** A new one. */
export function customerWrites(world: World, asking: Asking, row: Customer): Writes {
  const meta = row.meta as Prisma.InputJsonObject
  return [
    world.db.prisma.customer.create({ data: { ...row, meta } }),
    customerEvent(world, asking, 'create_customer', row),
  ]
}

/** The next version of one; nothing of this is written where its last is not the one before. */
export function customerChange(world: World, asking: Asking, next: Customer): Writes {
  const { accountId, id, version, ...rest } = next
  const meta = next.meta as Prisma.InputJsonObject
  return [
    world.db.prisma.customer.update({
      where: { accountId_id: { accountId, id }, version: version - 1 },
      data: { ...rest, version, meta },
    }),
    customerEvent(world, asking, 'update_customer', next),
  ]
}

/**
 * Keeps a customer from being deleted until the commit is done; nothing of it is written where he
 * is deleted already. Whoever holds payment methods of his as well holds him first, so that no two
 * wait for each other.
 */
export function heldCustomer(
  world: World,
  { accountId, id }: Pick<Customer, 'accountId' | 'id'>,
): Prisma.PrismaPromise<unknown> {
  return world.db.prisma.customer.update({
    where: { accountId_id: { accountId, id }, deletedAt: null },
    data: { deletedAt: null },
    select: { id: true },
  })
}

function customerEvent(
  world: World,
  asking: Asking,
  type: 'create_customer' | 'update_customer',
  row: Customer,
): Prisma.PrismaPromise<unknown> {
  return eventWrite(world, {
    accountId: row.accountId,
    type,
    resourceId: row.id,
    sequence: row.version,
    view: customerView(row),
    requestId: asking.requestId,
    at: row.updatedAt,
  })
}
