// Turns what the gateway said, or did not say, into the row's next state.

import { backoffMs, withJitter } from '../core/backoff.ts'
import { after, earlier } from '../core/time-units.ts'
import { bringsMoney, nextStep, owedAtFirst, type PendingWork } from '../core/transaction.ts'
import { cancel, done, snooze, type Verdict } from '../core/verdict.ts'
import type { World } from '../world.ts'
import type { GatewayFinding } from './found.ts'
import { leaveOwed } from './leave-owed.ts'
import { measureOutcome } from './measure-outcome.ts'
import { recordPayment } from './record-payment.ts'
import type { Taken } from './take-payment.ts'

/** `askedAt` in the account's time: what was asked before the deadline is not its last word. */
export async function settleFinding(
  world: World,
  taken: Taken,
  found: GatewayFinding,
  askedAt: Date,
): Promise<Verdict> {
  const step = nextStep(found.kind, taken.deadlineAt <= askedAt)
  switch (step.to) {
    case 'final':
      return record(world, taken, found, step.status)
    case 'ordered again':
      return leave(world, taken, found, owedAtFirst(taken.type))
    case 'asked later':
      return leave(world, taken, found, 'doubt')
    case 'parked':
      return park(world, taken, found)
  }
}

/** Where nothing was recorded a later take asked as well: what it learned stands, and it counts. */
async function record(
  world: World,
  taken: Taken,
  found: GatewayFinding,
  status: 'SUCCESS' | 'FAILED',
): Promise<Verdict> {
  const outcome = {
    status,
    message: messageOf(found),
    authId: gatewayIdOf(found) ?? taken.authId,
    captured: status === 'SUCCESS' && bringsMoney(taken.type) ? taken.total : 0n,
  }
  if (await recordPayment(world, taken, outcome)) measureOutcome(world, taken, found)
  return done
}

/** Asked again sooner at first, and at the deadline at the latest, where that is in real time. */
async function leave(
  world: World,
  taken: Taken,
  found: GatewayFinding,
  owed: PendingWork,
): Promise<Verdict> {
  const waitMs = withJitter(backoffMs(world.timings.askAgain, taken.attempt), world.random())
  const next = after(world.clock.now(), waitMs)
  const dueAt = taken.account.clockAt === null ? earlier(next, taken.deadlineAt) : next
  await world.db.ask(leaveOwed, { ...leftOf(taken, found), owed, dueAt, parkedAt: null })
  return snooze(dueAt, owed)
}

async function park(world: World, taken: Taken, found: GatewayFinding): Promise<Verdict> {
  const parkedAt = world.accountNow(taken.account)
  const left = leftOf(taken, found)
  await world.db.ask(leaveOwed, { ...left, owed: 'doubt', dueAt: null, parkedAt })
  return cancel('parked: at its deadline the gateway could not tell what became of it')
}

function leftOf({ accountId, id, attempt }: Taken, found: GatewayFinding) {
  return { accountId, id, attempt, authId: gatewayIdOf(found) }
}

/** What the gateway calls it, as soon as the gateway has said so. */
function gatewayIdOf(found: GatewayFinding): string | null {
  return 'gatewayId' in found ? found.gatewayId : null
}

function messageOf(found: GatewayFinding): string {
  switch (found.kind) {
    case 'approved':
    case 'declined':
    case 'given_up':
      return found.message
    case 'never_made':
    case 'turned_away':
    case 'undecided':
    case 'silent':
      throw new Error(`a payment cannot be final while the gateway is ${found.kind}`)
  }
}
