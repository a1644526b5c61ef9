// Missed runs of a schedule are made together, perhaps dozens, and each has an automatic payment.
// The first one of them tries the payment method. The others wait for its outcome, and once one is
// declined, those after it are not tried: their invoices wait for the retries that the account
// plans. The same holds for their retries, which fall due together as well.
//
// A sandbox clock moves past the deadlines of payments that wait, so its account tries each.

import { isMissed } from '../../core/missed-runs.ts'
import { after, HOUR } from '../../core/time-units.ts'
import type { World } from '../../world.ts'
import type { Taken } from '../take/take-payment.ts'
import type { GatewayFinding } from './ask-gateway.ts'

/** Payments that began longer before say nothing about this one. */
const TOGETHER_MS = HOUR

const EARLIER = `
  SELECT status, auth_id, decline_code, retry_advice FROM transaction
  WHERE account_id = $1 AND schedule_id = $2 AND payment_method_id = $3
    AND invoice_try IS NOT NULL AND created_at >= $4 AND (created_at, id) < ($5, $6)
    AND (status <> 'FAILED' OR retry_advice IN ('later', 'never'))
  ORDER BY status = 'FAILED' DESC, status = 'SUCCESS' DESC, created_at, id LIMIT 1`

const WAITS: GatewayFinding = {
  kind: 'turned_away',
  message: 'It waits for an earlier payment of its schedule',
}

/** The finding about a payment that must not be ordered now. Undefined if it may be. */
export async function behindFirst(world: World, taken: Taken): Promise<GatewayFinding | undefined> {
  if (!isOfMissedRun(taken)) return undefined
  const { accountId, createdAt, id, paymentMethodId, scheduleId } = taken
  const since = after(createdAt, -TOGETHER_MS)
  const own = [accountId, scheduleId, paymentMethodId, since, createdAt, id]
  const [first] = await world.db.query(EARLIER, own)
  if (first?.status === 'PENDING') {
    // A bank debit that is under way takes days.
    return first.auth_id === null ? WAITS : undefined
  }
  if (first?.status !== 'FAILED') return undefined
  return {
    kind: 'declined',
    gatewayId: null,
    message: 'Not tried: another payment of its schedule was declined just before',
    decline: { code: first.decline_code, retry: first.retry_advice, gatewayCode: null },
  }
}

function isOfMissedRun({ account, invoice, invoiceTry }: Taken): boolean {
  if (invoiceTry === null || account.clockAt !== null) return false
  if (invoice === undefined || invoice.payBy === null) return false
  return isMissed(invoice.payBy, invoice.createdAt)
}
