// Decides the payments of an account that are under way at the current instant of its clock, with
// the workers' own actions. A silent gateway is asked again a few times in real time, and then left
// to later instants. At its deadline a payment is asked about until it is decided or parked.

import { setTimeout as delay } from 'node:timers/promises'
import { LEAST_LEFT } from '../core/lease.ts'
import { after, SECOND } from '../core/time-units.ts'
import type { PendingWork } from '../core/transaction.ts'
import { makeCharge, makeRefund, resolveDoubt } from '../payments/make/make-payment.ts'
import { isUnderWay } from '../payments/transaction/under-way.ts'
import type { World } from '../world.ts'
import type { HeldClock } from './held-clock.ts'

interface UnderWay {
  readonly id: string
  readonly owed: PendingWork
  /** In real time. */
  readonly dueAt: Date
  /** How often it was taken. */
  readonly attempt: number
  readonly isAtDeadline: boolean
}

/** Payments decided at the same time: their statements are gathered. */
const AT_ONCE = 32

/**
 * Ordered once and asked about three times. A gateway that has not decided by then takes longer.
 */
const MOST_TAKES = 4

/** The wait at one instant, for all payments together. */
const PATIENCE_MS = 10 * SECOND

/** The pause between two checks while nothing can be done. */
const LOOK_AGAIN_MS = 20

/** Between the clocks of two processes. A process that is further off does not work. */
const MOST_SKEW_MS = 2 * SECOND

const ACTIONS: Readonly<Record<PendingWork, typeof makeCharge>> = {
  charge: makeCharge,
  refund: makeRefund,
  doubt: resolveDoubt,
}

export async function settleUnderWay(
  world: World,
  held: HeldClock,
  signal: AbortSignal,
): Promise<void> {
  const patientUntil = after(world.clock.now(), PATIENCE_MS)
  const asked = new Set<string>()
  while (!signal.aborted && (await held.renew())) {
    const all = await underWay(world, held)
    if (all.some(({ isAtDeadline }) => isAtDeadline)) await hasten(world, held)
    const now = world.clock.now()
    const isWaitedFor = (one: UnderWay) => isAwaited(one, now < patientUntil)
    const next = all
      .filter((one) => isDue(one, now) && (isWaitedFor(one) || !asked.has(one.id)))
      .slice(0, AT_ONCE)
    if (next.length === 0 && !all.some(isWaitedFor)) return
    const isAnyDecided = await settle(world, held, next, signal)
    for (const { id } of next) asked.add(id)
    if (!isAnyDecided) await delay(LOOK_AGAIN_MS)
  }
}

/** Named as in `UnderWay`. */
const UNDER_WAY = `
  SELECT id, owed, due_at AS "dueAt", attempt, deadline_at <= $2 AS "isAtDeadline" FROM transaction
  WHERE account_id = $1 AND ${isUnderWay('transaction')}
    AND parked_at IS NULL
  ORDER BY attempt, created_at, id`

async function underWay(world: World, { accountId, now }: HeldClock): Promise<readonly UnderWay[]> {
  return (await world.db.query(UNDER_WAY, [accountId, now])) as readonly UnderWay[]
}

/** A payment that no worker has taken need not wait for its nudge. */
function isDue({ attempt, dueAt }: UnderWay, now: Date): boolean {
  return attempt === 0 || dueAt <= now
}

/** The others are asked about once, when they are due. */
function isAwaited({ attempt, isAtDeadline }: UnderWay, isPatient: boolean): boolean {
  return isAtDeadline || (isPatient && attempt < MOST_TAKES)
}

/** Returns true if the outcome of any of them lies in the past. */
async function settle(
  world: World,
  { accountId }: HeldClock,
  payments: readonly UnderWay[],
  signal: AbortSignal,
): Promise<boolean> {
  const results = await Promise.allSettled(
    payments.map(({ id, owed }) => ACTIONS[owed](world, { accountId, id }, signal)),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results.some((result) => result.status === 'fulfilled' && result.value.kind !== 'snooze')
}

/**
 * A payment that was put off is asked about at its deadline at once. Only payments that a worker
 * holds are waited for: its lease is renewed, so it never ends within moments.
 */
const HASTEN = `
  UPDATE transaction SET due_at = $3
  WHERE account_id = $1 AND ${isUnderWay('transaction')}
    AND parked_at IS NULL AND deadline_at <= $2
    AND due_at > $3 AND due_at NOT BETWEEN $4 AND $5`

async function hasten(world: World, { accountId, now }: HeldClock): Promise<void> {
  const { paymentLeaseMs } = world.timings
  const realNow = world.clock.now()
  const inHand = [
    after(realNow, paymentLeaseMs * LEAST_LEFT - MOST_SKEW_MS),
    after(realNow, paymentLeaseMs + MOST_SKEW_MS),
  ]
  await world.db.query(HASTEN, [accountId, now, realNow, ...inHand])
}
