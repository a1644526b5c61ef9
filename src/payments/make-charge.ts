// The job `charge`: makes a charge at the gateway, once.
//
//   take    the row is in doubt from here on
//             died here: the lease ends, the sweep doubts it, it was never made: charged now
//   ask     with the row's id as the key
//             died here: the same, but the gateway made it: its outcome is recorded
//   record  the outcome, its event, and the answer to repeats

import { done, type Verdict } from '../core/verdict.ts'
import type { Order } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { gatewayNamed, orSilence } from './ask-gateway.ts'
import type { RowKey } from './row-key.ts'
import { type Found, settleFinding } from './settle-finding.ts'
import { type Taken, take } from './take-payment.ts'

const NEVER_MADE: Found = { kind: 'never_made' }

export async function makeCharge(world: World, key: RowKey, signal: AbortSignal): Promise<Verdict> {
  const taken = await take(world, key, 'charge')
  if (taken === undefined) return done
  const now = world.accountNow(taken)
  const isTooLate = taken.deadlineAt <= now
  const found = isTooLate ? NEVER_MADE : await askGateway(world, taken, signal)
  return settleFinding(world, taken, found, now)
}

function askGateway(world: World, payment: Taken, signal: AbortSignal): Promise<Found> {
  const order: Order = {
    accountId: payment.accountId,
    key: payment.id,
    operation: payment.type === 'pre_auth' ? 'pre_auth' : 'charge',
    token: payment.paymentMethod.gatewayToken,
    amount: payment.total,
    currency: payment.currency,
    deadlineAt: payment.deadlineAt,
  }
  return orSilence(world, signal, (limit) =>
    gatewayNamed(world, payment.gatewayName).charge(order, limit),
  )
}
