// An account's own cash and check: the payment methods of what is recorded by hand. Nobody makes
// them; they are there when they are first needed.

import type { Asking } from '../accounts/asking.ts'
import { retryLostRace } from '../db/retry-lost-race.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { NO_DETAILS } from './new-payment-method.ts'
import { paymentMethodWrites } from './payment-method-writes.ts'

type BuiltIn = 'cash' | 'check'

const NAMES: Readonly<Record<BuiltIn, string>> = { cash: 'Cash', check: 'Check' }

/** Of ten who need it first, one makes it and all have it. */
export function builtInPaymentMethod(
  world: World,
  asking: Asking,
  method: BuiltIn,
): Promise<PaymentMethod> {
  const { accountId } = asking
  return retryLostRace(world.db, { accountId, id: method }, async () => {
    const where = { accountId, method, customerId: null }
    const known = await world.db.prisma.paymentMethod.findFirst({ where })
    return known ?? make(world, asking, method)
  })
}

async function make(world: World, asking: Asking, method: BuiltIn): Promise<PaymentMethod> {
  const now = world.accountNow(asking)
  const row: PaymentMethod = {
    ...NO_DETAILS,
    accountId: asking.accountId,
    id: world.newId(),
    customerId: null,
    method,
    gatewayName: null,
    gatewayToken: null,
    personName: NAMES[method],
    lastFour: null,
    cardType: null,
    isDefault: false,
    meta: {},
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  await world.db.prisma.$transaction(paymentMethodWrites(world, asking, row))
  return row
}
