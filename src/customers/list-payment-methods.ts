// Payment methods: a page of an account's, or all of a customer's. The account's own cash and check
// are in neither.

import type { Page, Paged } from '../db/page.ts'
import type { PaymentMethod, Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findCustomer } from './find-customer.ts'
import { paymentMethodView } from './payment-method-view.ts'

export const PAYMENT_METHOD_SORTS = { created_at: 'createdAt', updated_at: 'updatedAt' } as const

export interface PaymentMethodQuery {
  readonly page: Page<keyof typeof PAYMENT_METHOD_SORTS>
  readonly customerId: string | undefined
  readonly method: 'card' | 'bank' | undefined
}

export async function listPaymentMethods(
  world: World,
  accountId: string,
  { page, customerId, method }: PaymentMethodQuery,
): Promise<Paged<ReturnType<typeof paymentMethodView>>> {
  const where: Prisma.PaymentMethodWhereInput = {
    accountId,
    deletedAt: null,
    customerId: customerId ?? { not: null },
    ...(method === undefined ? {} : { method }),
  }
  const [total, rows] = await Promise.all([
    world.db.prisma.paymentMethod.count({ where }),
    world.db.prisma.paymentMethod.findMany({
      where,
      orderBy: [{ [PAYMENT_METHOD_SORTS[page.sort]]: page.order }, { id: page.order }],
      skip: page.skip,
      take: page.take,
    }),
  ])
  return { total, rows: rows.map(paymentMethodView) }
}

/** The newest first. */
export async function paymentMethodsOf(
  world: World,
  accountId: string,
  customerId: string,
): Promise<readonly PaymentMethod[]> {
  await findCustomer(world, accountId, customerId)
  return world.db.prisma.paymentMethod.findMany({
    where: { accountId, customerId, deletedAt: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
}
