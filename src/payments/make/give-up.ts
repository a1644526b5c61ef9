// Gives up a payment that must not be ordered any more, because its deadline has passed or its link
// was deleted. An earlier order may still be on its way. So only the gateway can end it: it makes
// sure that the order is never carried out, or says what became of it.

import type { World } from '../../world.ts'
import type { Taken } from '../take/take-payment.ts'
import { askGateway, type GatewayFinding } from './ask-gateway.ts'

/** Why the payment must not be ordered. Undefined if it may. `now` is in the account's time. */
export function obstacleTo(taken: Taken, now: Date): string | undefined {
  // A payment that was not made before its link was deleted is never made.
  if (taken.paymentLinkDeletedAt !== null) return 'Its payment link was deleted'
  return taken.deadlineAt <= now ? 'The gateway had not made it by its deadline' : undefined
}

export async function giveUp(
  world: World,
  taken: Taken,
  obstacle: string,
  now: Date,
  signal: AbortSignal,
): Promise<GatewayFinding> {
  const found = await askGateway(world, taken, 'give_up', now, signal, (gateway, order, limit) =>
    gateway.giveUp(order, limit),
  )
  return found.kind === 'never_made' ? { kind: 'given_up', message: obstacle } : found
}
