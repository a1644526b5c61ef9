// Has the gateway carry out what a row owes, once. A charge, a pre_auth and a capture bring money,
// a void and a refund take it back; the way is one.
//
//   take    the row is in doubt from here on
//             died here: the lease ends, the sweep doubts it, it was never made: ordered now
//   ask     with the row's id as the key
//             died here: the same, but the gateway made it: its outcome is recorded
//   record  the outcome, its event, and the answer to repeats

import assert from 'node:assert'
import type { TransactionType } from '../core/transaction.ts'
import type { Verdict } from '../core/verdict.ts'
import type { Order } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { askGateway } from './ask-gateway.ts'
import type { Found } from './found.ts'
import type { RowKey } from './row-key.ts'
import { settleFinding } from './settle-finding.ts'
import { isVerdict, type Taken, take } from './take-payment.ts'

const NEVER_MADE: Found = { kind: 'never_made' }

/** Through a deleted link nothing goes that has not gone yet. */
const BARRED: Found = { kind: 'barred', message: 'Its payment link was deleted' }

export async function carryOut(
  world: World,
  key: RowKey,
  owed: 'charge' | 'refund',
  signal: AbortSignal,
): Promise<Verdict> {
  const taken = await take(world, key, owed)
  if (isVerdict(taken)) return taken
  const now = world.accountNow(taken.account)
  const found = foundUnasked(taken, now) ?? (await order(world, taken, now, signal))
  return settleFinding(world, taken, found, now)
}

/** What needs no asking. */
function foundUnasked(taken: Taken, now: Date): Found | undefined {
  if (taken.paymentLinkDeletedAt !== null) return BARRED
  return taken.deadlineAt <= now ? NEVER_MADE : undefined
}

function order(world: World, payment: Taken, now: Date, signal: AbortSignal): Promise<Found> {
  const { accountId, id, requestId, gatewayName, referenceId, parentAuthId } = payment
  const token = payment.paymentMethod.gatewayToken
  assert(token !== null, 'only what was recorded by hand has no token, and it owes nothing')
  const ordered: Order = {
    accountId,
    key: id,
    operation: operationOf(payment.type),
    parent: referenceId === null ? undefined : { key: referenceId, gatewayId: parentAuthId },
    token,
    amount: payment.total,
    currency: payment.currency,
    now,
    deadlineAt: payment.deadlineAt,
  }
  const asked = { gatewayName, question: 'carry_out', accountId, id, requestId } as const
  return askGateway(world, asked, signal, (gateway, limit) => gateway.carryOut(ordered, limit))
}

function operationOf(type: TransactionType): Order['operation'] {
  assert(type !== 'credit', 'a credit is recorded by hand, and owes nothing')
  return type
}
