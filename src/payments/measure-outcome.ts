// Counts what became of a payment, and how long it took from its acceptance: its id holds that
// instant. Called once its outcome is recorded, by whoever recorded it.

import { msOfId } from '../core/id-at.ts'
import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { GatewayFinding } from './found.ts'
import type { Taken } from './take-payment.ts'

export function measureOutcome(
  { clock, metrics }: Pick<World, 'clock' | 'metrics'>,
  { id, type }: Pick<Taken, 'id' | 'type'>,
  found: GatewayFinding,
): void {
  metrics.payments.inc({ type, outcome: outcomeOf(found.kind) })
  // The clock of the process that accepted it may be a little ahead of ours.
  const ms = Math.max(0, clock.now().getTime() - msOfId(id))
  metrics.paymentDurations.observe({ type }, ms / SECOND)
}

/** What ended without a word of the gateway is not its decline: somebody should look why. */
function outcomeOf(kind: GatewayFinding['kind']): 'approved' | 'declined' | 'not_made' {
  switch (kind) {
    case 'approved':
    case 'declined':
      return kind
    case 'undecided':
    case 'turned_away':
    case 'never_made':
    case 'silent':
    case 'given_up':
      return 'not_made'
  }
}
