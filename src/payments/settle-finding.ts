// Turns what the gateway said, or did not say, into the row's next state.

import { backoffMs, withJitter } from '../core/backoff.ts'
import { after, earlier } from '../core/time-units.ts'
import { bringsMoney, nextStep, type Owed, owedAtFirst } from '../core/transaction.ts'
import { cancel, done, snooze, type Verdict } from '../core/verdict.ts'
import type { World } from '../world.ts'
import type { Found } from './found.ts'
import { leaveOwed } from './leave-owed.ts'
import { measureOutcome } from './measure-outcome.ts'
import { recordAlone } from './record-alone.ts'
import { recordFollowUp } from './record-follow-up.ts'
import { type Taken, takenByNow } from './take-payment.ts'

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
    case 'ordered again':
      return leave(world, taken, owedAtFirst(taken.type))
    case 'asked later':
      return leave(world, taken, 'doubt')
    case 'parked':
      return park(world, taken)
  }
}

/** Where nothing was recorded a later take asked as well: what it learned stands, and it counts. */
async function record(
  world: World,
  taken: Taken,
  found: Found,
  status: 'SUCCESS' | 'FAILED',
): Promise<Verdict> {
  const outcome = {
    status,
    message: messageOf(found),
    authId: 'gatewayId' in found ? found.gatewayId : null,
    captured: status === 'SUCCESS' && bringsMoney(taken.type) ? taken.total : 0n,
  }
  const current = await asOfNow(world, taken)
  if (current === undefined) return done
  const recordIt = taken.referenceId === null ? recordAlone : recordFollowUp
  if (await recordIt(world, current, outcome)) measureOutcome(world, taken, found)
  return done
}

/** While the gateway was asked, a clock that an account has of its own may have been moved on. */
async function asOfNow(world: World, taken: Taken): Promise<Taken | undefined> {
  return taken.account.clockAt === null ? taken : world.db.ask(takenByNow, taken)
}

/** Asked again sooner at first, and at the deadline at the latest, where that is in real time. */
async function leave(world: World, taken: Taken, owed: Owed): Promise<Verdict> {
  const waitMs = withJitter(backoffMs(world.timings.askAgain, taken.attempt), world.random())
  const next = after(world.clock.now(), waitMs)
  const dueAt = taken.account.clockAt === null ? earlier(next, taken.deadlineAt) : next
  await world.db.ask(leaveOwed, { ...keyOf(taken), owed, dueAt, parkedAt: null })
  return snooze(dueAt, owed)
}

async function park(world: World, taken: Taken): Promise<Verdict> {
  const parkedAt = world.accountNow(taken.account)
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
    case 'barred':
      return found.message
    case 'never_made':
      return 'The gateway had not made it by its deadline'
    case 'undecided':
    case 'silent':
      throw new Error(`a payment cannot be final while the gateway is ${found.kind}`)
  }
}
