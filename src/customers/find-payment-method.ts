import { Refusal } from '../core/errors.ts'
import { orNotFound, undeleted } from '../core/or-not-found.ts'
import type { RowKey } from '../db/columns.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { methodColumns } from './payment-method.ts'

/** Unknown and deleted payment methods, and those of another account, are not found. */
export async function findPaymentMethod(world: World, key: RowKey): Promise<PaymentMethod> {
  return orNotFound(undeleted(await methodColumns.find(world.db.query, key)))
}

/** A payment method to change or delete. The account's own cash and check cannot change. */
export async function findOwnPaymentMethod(
  world: World,
  key: RowKey,
): Promise<PaymentMethod & { readonly customerId: string }> {
  const { customerId, ...found } = await findPaymentMethod(world, key)
  if (customerId !== null) return { ...found, customerId }
  const message = `${found.method} is built in: transactions recorded by hand need it`
  throw new Refusal('in_use', { message })
}
