// Makes a payment at the gateway, once. A charge, a pre_auth and a capture bring money; a void and
// a refund return it. All of them, and payments in doubt, go through the same steps:
//
//   take    the row is in doubt from here on
//             a crash here: the lease ends, a worker finds it, it was never made: ordered now
//   ask     with the row's id as the key: order it, or, in doubt, ask what became of it
//             a crash here: the same, but the gateway made it: its outcome is recorded
//   record  the outcome, its event, and the answer to repeats; or that it was never made, and is
//           ordered again; or when to ask again
//
// A payment must not be ordered any more once its deadline has passed or its link was deleted. An
// earlier order may still be on its way, so only the gateway can end it: asked to give the payment
// up, it makes sure that the order is never carried out, or says what became of it.
//
// The worker renews its lease through all of it. A worker that was frozen after the take, or waited
// for the database, orders nothing if its lease is about to end: by then another worker may have
// taken the row and given the payment up. Nor does it after its machine was suspended, when only
// its host's clock shows how long: a gateway keeps the key of an order that another worker sent for
// no more than a day.

import { isOff } from '../../core/clock-skew.ts'
import { isShort, type Lease, whileLeased } from '../../core/lease.ts'
import { after } from '../../core/time-units.ts'
import type { PendingWork } from '../../core/transaction.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { RowKey } from '../../db/columns.ts'
import type { World } from '../../world.ts'
import { isVerdict, renewLease, type Taken, take } from '../take/take-payment.ts'
import { applyFinding } from './apply-finding.ts'
import { type AskGateway, type GatewayFinding, gatewayOf } from './ask-gateway.ts'
import { declinedRun } from './declined-run.ts'

/** The jobs `charge`, `refund` and `doubt`. */
export const makeCharge = jobOf('charge', carryOut)
export const makeRefund = jobOf('refund', carryOut)
export const resolveDoubt = jobOf('doubt', lookUp)

/** Finds out the gateway's decision, by a question or without one. */
type Find = (world: World, taken: Taken, ask: AskGateway) => Promise<GatewayFinding>

function jobOf(work: PendingWork, find: Find) {
  return async (world: World, key: RowKey, signal: AbortSignal): Promise<Verdict> => {
    const taken = await take(world, key, work)
    if (isVerdict(taken)) return taken
    return whileLeased(world, leaseOf(world, taken), async () => {
      const now = world.accountNow(taken.account)
      const ask = gatewayOf(world, taken, now, signal)
      const obstacle = obstacleTo(taken, now)
      const found =
        obstacle === undefined
          ? await find(world, taken, ask)
          : await withdraw(taken, obstacle, ask)
      return applyFinding(world, taken, found, now)
    })
  }
}

function leaseOf({ db, timings }: World, { accountId, id, leasedUntil }: Taken): Lease {
  return {
    ms: timings.paymentLeaseMs,
    until: leasedUntil,
    renew: (from, until) =>
      db.ask(renewLease, { accountId, id, leasedUntil: from, renewedUntil: until }),
  }
}

const TOO_LATE: GatewayFinding = { kind: 'turned_away', message: 'The lease may be over' }

async function carryOut(world: World, taken: Taken, ask: AskGateway): Promise<GatewayFinding> {
  const { clock, timings } = world
  const declined = await declinedRun(world, taken)
  if (declined !== undefined) return declined
  // Nothing may take time between this check and the order.
  const lease = { ms: timings.paymentLeaseMs, until: taken.leasedUntil }
  if (isOff(clock.skewMs()) || isShort(lease, clock.now())) return TOO_LATE
  return ask('carry_out')
}

async function lookUp(world: World, taken: Taken, ask: AskGateway): Promise<GatewayFinding> {
  // The answer may take long, and is about this moment.
  const askedAt = world.clock.now()
  const found = await ask('look_up')
  const isTooEarly = found.kind === 'never_made' && mayStillArrive(world, taken, askedAt)
  return isTooEarly ? { kind: 'undecided', gatewayId: null } : found
}

/** The gateway's ledger does not contain an order that is still on its way. */
function mayStillArrive(
  { gateways }: World,
  { gatewayName, orderedAt }: Taken,
  askedAt: Date,
): boolean {
  const { ordersArriveWithinMs } = gateways.named(gatewayName)
  return orderedAt !== null && askedAt < after(orderedAt, ordersArriveWithinMs)
}

/** Why the payment must not be ordered. Undefined if it may. `now` is in the account's time. */
function obstacleTo(taken: Taken, now: Date): string | undefined {
  // A payment that was not made before its link was deleted is never made.
  if (taken.paymentLinkDeletedAt !== null) return 'Its payment link was deleted'
  return taken.deadlineAt <= now ? 'The gateway had not made it by its deadline' : undefined
}

/**
 * Before the first take no order was sent, unless a backup was restored that knows of no take: so
 * at the deadline the gateway's records are read. If the backup knows that the link was deleted, no
 * order was sent after it either.
 */
async function withdraw(taken: Taken, obstacle: string, ask: AskGateway): Promise<GatewayFinding> {
  if (taken.attempt > 1) return giveUp(obstacle, ask)
  if (taken.paymentLinkDeletedAt === null) {
    const found = await ask('look_up')
    if (found.kind !== 'never_made') return found
  }
  return { kind: 'given_up', message: obstacle }
}

export async function giveUp(obstacle: string, ask: AskGateway): Promise<GatewayFinding> {
  const found = await ask('give_up')
  return found.kind === 'never_made' ? { kind: 'given_up', message: obstacle } : found
}
