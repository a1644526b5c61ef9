// An account's own cash and check: the payment methods of transactions recorded by hand. No request
// creates them; they are created when they are first needed.

import type { RequestContext } from '../accounts/acting-account.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { PaymentMethod } from '../generated/client.ts'
import { firstVersion } from '../resource/row-versions.ts'
import type { World } from '../world.ts'
import { methodColumns, PAYMENT_METHOD, paymentMethodView } from './payment-method.ts'

type BuiltIn = 'cash' | 'check'

const NAMES: Readonly<Record<BuiltIn, string>> = { cash: 'Cash', check: 'Check' }

/** If ten requests need it first at once, one creates it and all use it. */
export async function builtInPaymentMethod(
  world: World,
  context: RequestContext,
  method: BuiltIn,
): Promise<PaymentMethod> {
  const { accountId } = context
  const where = { accountId, method, customerId: null }
  const known = await world.db.prisma.paymentMethod.findFirst({ where })
  if (known !== null) return known
  const row = newRow(world, context, method)
  const change = changeOf('create_payment_method', row, paymentMethodView(row), context)
  const isMade = await world.db.commit(`${method} ${accountId}`, async (query) => {
    const made = await methodColumns.insertNew(query, row)
    if (made.has(row.id)) await insertEvent(world, query, change)
    return made.has(row.id)
  })
  return isMade ? row : world.db.prisma.paymentMethod.findFirstOrThrow({ where })
}

function newRow(world: World, context: RequestContext, method: BuiltIn): PaymentMethod {
  const now = world.accountNow(context)
  return {
    ...PAYMENT_METHOD.newColumns({ personName: NAMES[method] }),
    accountId: context.accountId,
    id: world.newId(),
    customerId: null,
    method,
    gatewayName: null,
    gatewayToken: null,
    lastFour: null,
    cardType: null,
    isDefault: false,
    ...firstVersion(now),
    forgetDueAt: null,
  }
}
