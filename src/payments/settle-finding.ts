// Turns what the gateway said, or did not say, into the row's next state.

import { backoffMs, withJitter } from '../core/backoff.ts'
import { after, earlier } from '../core/time-units.ts'
import { nextStep, type Owed } from '../core/transaction.ts'
import { cancel, done, snooze, type Verdict } from '../core/verdict.ts'
import type { Answer, Trace } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { leaveOwed } from './leave-owed.ts'
import { recordOutcome } from './record-outcome.ts'
import type { Taken } from './take-payment.ts'
import { transactionView } from './transaction-view.ts'

/** `silent`: the gateway was asked, and did not answer. */
export type Found = Answer | Trace | { readonly kind: 'silent' }

/** `askedAt` in the account's time: what was asked before the deadline is not its last word. */
export async function settleFinding(
  world: World,
  taken: Taken,
  found: Found,
  askedAt: Date,
): Promise<Verdict> {
  const step = nextStep(found.kind, taken.deadlineAt <= askedAt)
  switch (step.to) {
    case 'final':
      return record(world, taken, found, step.status)
    case 'owed':
      return leave(world, taken, step.owed)
    case 'parked':
      return park(world, taken)
  }
}

async function record(
  world: World,
  taken: Taken,
  found: Found,
  status: 'SUCCESS' | 'FAILED',
): Promise<Verdict> {
  const at = world.accountNow(taken)
  const outcome = {
    status,
    message: messageOf(found),
    authId: 'gatewayId' in found ? found.gatewayId : null,
    captured: status === 'SUCCESS' && taken.type === 'charge' ? taken.total : 0n,
  }
  const row = { ...taken, ...outcome, updatedAt: at }
  // Nothing recorded means that a later take asked as well: what it learned stands, and it is the
  // same.
  await world.db.ask(recordOutcome, {
    ...outcome,
    accountId: taken.accountId,
    id: taken.id,
    attempt: taken.attempt,
    at,
    eventId: world.newId(),
    snapshot: JSON.stringify(transactionView(row)),
  })
  return done
}

/** Asked again sooner at first, and at the deadline at the latest, where that is in real time. */
async function leave(world: World, taken: Taken, owed: Owed): Promise<Verdict> {
  const waitMs = withJitter(backoffMs(world.timings.askAgain, taken.attempt), world.random())
  const next = after(world.clock.now(), waitMs)
  const dueAt = taken.clockAt === null ? earlier(next, taken.deadlineAt) : next
  await world.db.ask(leaveOwed, { ...keyOf(taken), owed, dueAt, parkedAt: null })
  return snooze(dueAt, owed)
}

async function park(world: World, taken: Taken): Promise<Verdict> {
  const parkedAt = world.accountNow(taken)
  await world.db.ask(leaveOwed, { ...keyOf(taken), owed: 'doubt', dueAt: null, parkedAt })
  return cancel('parked: at its deadline the gateway could not tell what became of it')
}

function keyOf(taken: Taken) {
  return { accountId: taken.accountId, id: taken.id, attempt: taken.attempt }
}

function messageOf(found: Found): string {
  switch (found.kind) {
    case 'approved':
    case 'declined':
    case 'turned_away':
      return found.message
    case 'never_made':
      return 'The gateway had not made it by its deadline'
    case 'undecided':
    case 'silent':
      throw new Error(`a payment cannot be final while the gateway is ${found.kind}`)
  }
}
