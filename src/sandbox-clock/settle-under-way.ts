// Has the payments of an account decided that are under way at the instant at which its clock
// stands, by the actions that workers run. A gateway that keeps silent is asked again in real time,
// a few times, and then left to the instants to come; at its deadline a payment is asked about
// until it is decided or parked.

import { setTimeout as delay } from 'node:timers/promises'
import { after, SECOND } from '../core/time-units.ts'
import type { PendingWork } from '../core/transaction.ts'
import { makeCharge, makeRefund, resolveDoubt } from '../payments/make/make-payment.ts'
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

/** Payments decided side by side: their statements are gathered. */
const AT_ONCE = 32

/** Ordered once and asked after three times: who has not decided by then takes longer. */
const MOST_TAKES = 4

/** Waited for at one instant, for all payments together. */
const PATIENCE_MS = 10 * SECOND

/** Between two looks while nothing can be done. */
const LOOK_AGAIN_MS = 20

/** Between the clocks of two processes: one that is further off does not work. */
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

const UNDER_WAY = `
  SELECT id, owed, due_at, attempt, deadline_at <= $2 AS is_at_deadline FROM transaction
  WHERE account_id = $1 AND (due_at IS NULL AND parked_at IS NULL) IS FALSE
    AND parked_at IS NULL
  ORDER BY attempt, created_at, id`

async function underWay(world: World, { accountId, now }: HeldClock): Promise<readonly UnderWay[]> {
  const rows = await world.db.query(UNDER_WAY, [accountId, now])
  return rows.map((row) => ({
    id: row.id,
    owed: row.owed,
    dueAt: row.due_at,
    attempt: row.attempt,
    isAtDeadline: row.is_at_deadline,
  }))
}

/** What nobody has taken yet need not wait for its nudge. */
function isDue({ attempt, dueAt }: UnderWay, now: Date): boolean {
  return attempt === 0 || dueAt <= now
}

/** The others are asked about once, where that is due. */
function isAwaited({ attempt, isAtDeadline }: UnderWay, isPatient: boolean): boolean {
  return isAtDeadline || (isPatient && attempt < MOST_TAKES)
}

/** Whether any of them is a matter of the past. */
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
 * What was given back until later is asked about at its deadline at once; only what somebody has in
 * hand is waited for. His lease is as long as the others at first, and near its end his gateway has
 * had its time.
 */
const HASTEN = `
  UPDATE transaction SET due_at = $3
  WHERE account_id = $1 AND (due_at IS NULL AND parked_at IS NULL) IS FALSE
    AND parked_at IS NULL AND deadline_at <= $2
    AND due_at > $3 AND due_at NOT BETWEEN $4 AND $5`

async function hasten(world: World, { accountId, now }: HeldClock): Promise<void> {
  const { leaseMs, gatewayTimeoutMs } = world.timings
  const realNow = world.clock.now()
  const inHand = [
    after(realNow, leaseMs - gatewayTimeoutMs - MOST_SKEW_MS),
    after(realNow, leaseMs + MOST_SKEW_MS),
  ]
  await world.db.query(HASTEN, [accountId, now, realNow, ...inHand])
}
