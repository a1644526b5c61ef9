// What prevents the deletion of a customer or a payment method: an active schedule, and of a
// payment method an invoice that is to be paid with it again. The caller has locked the row FOR
// UPDATE, and a commit that creates or resumes a schedule locks it too. So no schedule can appear
// in between.

import { Refusal } from '../core/errors.ts'
import type { Query } from '../db/database.ts'

const OF_CUSTOMER = `
  SELECT id FROM schedule WHERE account_id = $1 AND customer_id = $2 AND status = 'active' LIMIT 1`

const OF_METHOD = `
  SELECT id FROM schedule
  WHERE account_id = $1 AND payment_method_id = $2 AND status = 'active' LIMIT 1`

const TO_BE_RETRIED = `
  SELECT id FROM invoice
  WHERE account_id = $1 AND payment_method_id = $2 AND deleted_at IS NULL AND retry_at IS NOT NULL
  LIMIT 1`

interface Held {
  readonly accountId: string
  readonly id: string
}

export function refuseBilledCustomer(query: Query, held: Held): Promise<void> {
  return refuseUsed(query, OF_CUSTOMER, held)
}

export async function refusePayingMethod(query: Query, held: Held): Promise<void> {
  await refuseUsed(query, OF_METHOD, held)
  const [invoice] = await query(TO_BE_RETRIED, [held.accountId, held.id])
  if (invoice === undefined) return
  const why = 'is to be paid with it again: give it another payment method, or pay or delete it'
  throw new Refusal('in_use', { message: `the invoice ${invoice.id} ${why}` })
}

async function refuseUsed(query: Query, text: string, { accountId, id }: Held): Promise<void> {
  const [schedule] = await query(text, [accountId, id])
  if (schedule === undefined) return
  throw new Refusal('in_use', { message: `the scheduled invoice ${schedule.id} is active` })
}
