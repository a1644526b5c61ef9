// Locks the customer and the payment method of a schedule or an invoice, so that neither is deleted
// while it is written. An active schedule also prevents their deletion later.

import { type Faults, Refusal, wrongField } from '../core/errors.ts'
import type { Query } from '../db/database.ts'
import type { Customer, PaymentMethod } from '../generated/client.ts'
import { customerColumns } from './customer.ts'
import { methodColumns } from './payment-method.ts'

interface Payer {
  readonly customer: Customer
  readonly paymentMethod: PaymentMethod | null
}

interface Named {
  readonly accountId: string
  readonly customerId: string
  readonly paymentMethodId: string | null
}

/** Locks the payer that a request names: deleted rows are unknown. */
export async function holdNamedPayer(query: Query, named: Named): Promise<Payer> {
  const { customer, paymentMethod } = await hold(query, named)
  const isUnknown = customer === undefined || customer.deletedAt !== null
  const isMethodUnknown =
    named.paymentMethodId !== null &&
    (paymentMethod === undefined || paymentMethod.deletedAt !== null)
  const unknown: Faults = {
    ...(isUnknown ? { customer_id: ['is unknown'] } : {}),
    ...(isMethodUnknown ? { payment_method_id: ['is unknown'] } : {}),
  }
  if (isUnknown || isMethodUnknown) throw new Refusal('not_found', { faults: unknown })
  refuseStranger(paymentMethod, named.customerId)
  return { customer, paymentMethod: paymentMethod ?? null }
}

/** Locks the payer of a schedule, and refuses deleted rows. */
export async function holdOwnPayer(query: Query, named: Named): Promise<Payer> {
  const { customer, paymentMethod } = await hold(query, named)
  const faults: Faults = {
    ...(customer?.deletedAt === null ? {} : { customer_id: ['is deleted'] }),
    ...(paymentMethod === undefined || paymentMethod.deletedAt === null
      ? {}
      : { payment_method_id: ['is deleted'] }),
  }
  if (customer === undefined || Object.keys(faults).length > 0) {
    throw new Refusal('invalid_request', { faults })
  }
  return { customer, paymentMethod: paymentMethod ?? null }
}

/**
 * A deletion locks the row FOR UPDATE and then looks for schedules. The customer is locked first,
 * as in every commit that locks both.
 */
async function hold(query: Query, { accountId, customerId, paymentMethodId }: Named) {
  const held = (id: string) => [query, { accountId, id }, 'FOR KEY SHARE'] as const
  return {
    customer: await customerColumns.hold(...held(customerId)),
    paymentMethod:
      paymentMethodId === null ? undefined : await methodColumns.hold(...held(paymentMethodId)),
  }
}

/** Cash and check have no customer, and no gateway charges them. */
function refuseStranger(method: PaymentMethod | undefined, customerId: string): void {
  if (method === undefined || method.customerId === customerId) return
  const fault =
    method.customerId === null ? 'must be a card or a bank account' : 'belongs to another customer'
  throw wrongField('payment_method_id', fault)
}
