// A live payment of a schedule is not sent if another one of the schedule, with the same payment
// method, was declined minutes ago: after days without workers, or of an inactive team, a schedule
// makes all the runs that it has missed, and each try of a declined card counts with its network.
// The payment is declined as that one was, so its invoice is retried by the same advice.

import type { DeclineCode, RetryAdvice } from '../../core/decline.ts'
import { after, DAY, MINUTE } from '../../core/time-units.ts'
import type { World } from '../../world.ts'
import type { Taken } from '../take/take-payment.ts'
import type { GatewayFinding } from './ask-gateway.ts'

/** Longer than the payments of one round wait for each other, shorter than from run to run. */
const SAME_ROUND_MS = 10 * MINUTE

/** Advice that is against all further tries comes first. */
const DECLINED = `
  SELECT decline_code, retry_advice FROM transaction
  WHERE account_id = $1 AND schedule_id = $2 AND payment_method_id = $3 AND total = $4
    AND created_at >= $5 AND updated_at >= $6
    AND status = 'FAILED' AND invoice_try IS NOT NULL AND decline_code IS NOT NULL
  ORDER BY retry_advice = 'never' DESC, updated_at DESC LIMIT 1`

/** Undefined if the payment is to be sent. It was never ordered. */
export async function declinedRun(world: World, taken: Taken): Promise<GatewayFinding | undefined> {
  const { account, accountId, scheduleId, invoiceTry, paymentMethodId, total, attempt } = taken
  const isFirstTake = attempt === 1 && scheduleId !== null && invoiceTry !== null
  if (account.mode !== 'live' || !isFirstTake) return undefined
  const now = world.accountNow(account)
  const [found] = await world.db.query(DECLINED, [
    ...[accountId, scheduleId, paymentMethodId, total],
    ...[after(now, -DAY), after(now, -SAME_ROUND_MS)],
  ])
  if (found === undefined) return undefined
  const code = found.decline_code as DeclineCode
  const retry = found.retry_advice as RetryAdvice
  return {
    kind: 'declined',
    gatewayId: null,
    message: 'Not sent: another payment of its schedule was declined minutes before',
    decline: { code, retry, gatewayCode: null },
  }
}
