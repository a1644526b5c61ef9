// Deletes a payment method that no active schedule needs. The row stays for the transactions that
// were made of it.

import type { RequestContext } from '../accounts/acting-account.ts'
import { Refusal } from '../core/errors.ts'
import type { Query } from '../db/database.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findOwnPaymentMethod } from './find-payment-method.ts'
import { paymentMethods } from './payment-method.ts'

/** Answers the payment method as it was last. */
export async function deletePaymentMethod(
  world: World,
  context: RequestContext,
  id: string,
): Promise<PaymentMethod> {
  const { accountId } = context
  await findOwnPaymentMethod(world, accountId, id)
  return world.db.commit(`${accountId} ${id}`, async (query) => {
    // A commit that makes a schedule which is paid with it holds it too, and waits for this one.
    const row = await paymentMethods.hold(query, { accountId, id }, 'FOR UPDATE')
    if (row === undefined) throw new Refusal('not_found')
    await refusePayingMethod(query, row)
    const deletedAt = world.accountNow(context)
    await paymentMethods.delete(world, query, context, {
      ...row,
      version: row.version + 1,
      deletedAt,
    })
    return row
  })
}

const OF_CUSTOMER = `
  SELECT id FROM schedule WHERE account_id = $1 AND customer_id = $2 AND status = 'active' LIMIT 1`

const OF_METHOD = `
  SELECT id FROM schedule
  WHERE account_id = $1 AND payment_method_id = $2 AND status = 'active' LIMIT 1`

interface Held {
  readonly accountId: string
  readonly id: string
}

/**
 * An active schedule needs whom it bills and what pays: neither is deleted under it. Whoever asks
 * holds the row FOR UPDATE, and whoever makes or resumes a schedule holds it too: so none comes in
 * between.
 */
export function refuseBilledCustomer(query: Query, held: Held): Promise<void> {
  return refuseUsed(query, OF_CUSTOMER, held)
}

function refusePayingMethod(query: Query, held: Held): Promise<void> {
  return refuseUsed(query, OF_METHOD, held)
}

async function refuseUsed(query: Query, text: string, { accountId, id }: Held): Promise<void> {
  const [schedule] = await query(text, [accountId, id])
  if (schedule === undefined) return
  throw new Refusal('in_use', { message: `the scheduled invoice ${schedule.id} is active` })
}
