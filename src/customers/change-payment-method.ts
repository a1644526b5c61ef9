// Changes the fields of the request, and leaves the others as they are. Fields that belong to the
// gateway's token never change: another number is another payment method.

import type { RequestContext } from '../accounts/acting-account.ts'
import { type Faults, Refusal } from '../core/errors.ts'
import { expiryFault } from '../core/expiry.ts'
import { orNotFound } from '../core/or-not-found.ts'
import type { PaymentMethod } from '../generated/client.ts'
import { changedRow } from '../resource/row-versions.ts'
import type { World } from '../world.ts'
import { customers } from './customer.ts'
import { findOwnPaymentMethod } from './find-payment-method.ts'
import {
  CANNOT_CHANGE,
  endDefault,
  type PaymentMethodInput,
  paymentMethods,
} from './payment-method.ts'
import { isForOnePayment } from './refuse-page-method.ts'

/** Absent fields stay as they are; null empties a field. */
export interface PaymentMethodChange {
  readonly fields: Partial<PaymentMethodInput> & { readonly isDefault?: boolean }
  /** Fields that cannot change. The request may repeat their current values. */
  readonly fixed: Readonly<Partial<Record<'customer_id' | 'method', string>>>
}

export async function changePaymentMethod(
  world: World,
  context: RequestContext,
  id: string,
  { fields, fixed }: PaymentMethodChange,
): Promise<PaymentMethod> {
  const { accountId } = context
  const { customerId } = await findOwnPaymentMethod(world, { accountId, id })
  return world.db.commit(`customer ${accountId} ${customerId}`, async (query) => {
    orNotFound(await customers.hold(query, { accountId, id: customerId }))
    const row = orNotFound(await paymentMethods.hold(query, { accountId, id }))
    const now = world.accountNow(context)
    refuse({
      ...faultOf('customer_id', differs(fixed.customer_id, customerId)),
      ...faultOf('method', differs(fixed.method, row.method)),
      ...faultOf('card_exp', cardExpFault(row, fields.cardExp, now)),
      ...faultOf('is_default', defaultFault(world, row, fields.isDefault)),
    })
    const next = changedRow(row, fields, now)
    if (next === undefined) return row
    if (next.isDefault && !row.isDefault) await endDefault(world, query, context, customerId, now)
    await paymentMethods.update(world, query, context, next)
    return next
  })
}

/** The expiry of an expired card may be repeated, so that other fields can change. */
function cardExpFault(row: PaymentMethod, cardExp: string | null | undefined, now: Date) {
  if (cardExp === undefined || cardExp === row.cardExp) return undefined
  return row.method === 'card' ? expiryFault(cardExp ?? undefined, now) : 'is for cards only'
}

/** Automatic payments take the default, and the payer of a page agreed to none. */
function defaultFault(world: World, row: PaymentMethod, isDefault: boolean | undefined) {
  if (isDefault !== true || row.isDefault || !isForOnePayment(world, row)) return undefined
  return 'must be false: it was given on a payment page for one payment only'
}

function differs(sent: string | undefined, is: string): string | undefined {
  return sent === undefined || sent === is ? undefined : CANNOT_CHANGE
}

function faultOf(field: string, fault: string | undefined): Faults {
  return fault === undefined ? {} : { [field]: [fault] }
}

function refuse(faults: Faults): void {
  if (Object.keys(faults).length > 0) throw new Refusal('invalid_request', { faults })
}
