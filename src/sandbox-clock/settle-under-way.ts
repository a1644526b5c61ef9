// Decides the payments of an account that are under way at the current instant of its clock, with
// the workers' own actions. A silent gateway is asked again a few times in real time, and then left
// to the deadline. At its deadline a payment is asked about until it is decided or parked.

import { setTimeout as delay } from 'node:timers/promises'
import { BEFORE_ALL_IDS } from '../core/id.ts'
import { LEAST_LEFT } from '../core/lease.ts'
import { after, SECOND } from '../core/time-units.ts'
import type { PendingWork } from '../core/transaction.ts'
import { makeCharge, makeRefund, resolveDoubt } from '../payments/make/make-payment.ts'
import { isUnderWay } from '../payments/transaction/under-way.ts'
import type { World } from '../world.ts'
import type { HeldClock } from './held-clock.ts'

interface UnderWay {
  readonly id: string
  readonly createdAt: Date
  readonly work: PendingWork
  readonly isAtDeadline: boolean
}

/** Payments decided at the same time: their statements are gathered. */
const AT_ONCE = 32

/**
 * Ordered once and asked about three times. A gateway that has not decided by then takes longer.
 */
const MOST_TAKES = 4

/** A payment that is due later than this is not waited for. */
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

const BEFORE_ALL = { createdAt: new Date(0), id: BEFORE_ALL_IDS }

/**
 * Returns once nothing more can be decided at the instant, or the turn is over. It passes through
 * all payments in order, again and again. The rows say how often each was asked about, so the next
 * turn needs no memory of this one.
 */
export async function settleUnderWay(
  world: World,
  held: HeldClock,
  isTurnOver: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  let last: Pick<UnderWay, 'id' | 'createdAt'> | undefined
  let isAnyDecided = false
  while (!isTurnOver() && (await held.renew())) {
    const next = await nextDue(world, held, last ?? BEFORE_ALL)
    if (next.some(({ isAtDeadline }) => isAtDeadline)) await hasten(world, held, next)
    if (await settle(world, held, next, signal)) isAnyDecided = true
    last = next.at(-1)
    if (last !== undefined) continue
    if (!(await isAnyAwaited(world, held))) return
    if (!isAnyDecided) await delay(LOOK_AGAIN_MS)
    isAnyDecided = false
  }
}

/** The condition for a payment that is decided before time passes. Patience ends at $3. */
const IS_AWAITED = `account_id = $1 AND ${isUnderWay('transaction')} AND parked_at IS NULL
    AND (deadline_at <= $2 OR attempt = 0 OR (attempt < ${MOST_TAKES} AND due_at <= $3))`

const ANY_AWAITED = `SELECT EXISTS (SELECT FROM transaction WHERE ${IS_AWAITED}) AS is_any`

async function isAnyAwaited(world: World, { accountId, now }: HeldClock): Promise<boolean> {
  const patientUntil = after(world.clock.now(), PATIENCE_MS)
  const [row] = await world.db.query(ANY_AWAITED, [accountId, now, patientUntil])
  return row?.is_any === true
}

/**
 * A payment that no worker has taken need not wait for its nudge, and one at its deadline only for
 * a worker that holds it until between $5 and $6. Named as in `UnderWay`.
 */
const NEXT_DUE = `
  SELECT id, created_at AS "createdAt", owed AS work, deadline_at <= $2 AS "isAtDeadline"
  FROM transaction
  WHERE ${IS_AWAITED}
    AND (attempt = 0 OR due_at <= $4 OR (deadline_at <= $2 AND due_at NOT BETWEEN $5 AND $6))
    AND (created_at, id) > ($7, $8)
  ORDER BY created_at, id LIMIT ${AT_ONCE}`

async function nextDue(
  world: World,
  { accountId, now }: HeldClock,
  { createdAt, id }: Pick<UnderWay, 'id' | 'createdAt'>,
): Promise<readonly UnderWay[]> {
  const realNow = world.clock.now()
  const patientUntil = after(realNow, PATIENCE_MS)
  const instants = [now, patientUntil, realNow, ...inHand(world, realNow)]
  const rows = await world.db.query(NEXT_DUE, [accountId, ...instants, createdAt, id])
  return rows as readonly UnderWay[]
}

/** Returns true if the outcome of any of them lies in the past. */
async function settle(
  world: World,
  { accountId }: HeldClock,
  payments: readonly UnderWay[],
  signal: AbortSignal,
): Promise<boolean> {
  const results = await Promise.allSettled(
    payments.map(({ id, work }) => ACTIONS[work](world, { accountId, id }, signal)),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results.some((result) => result.status === 'fulfilled' && result.value.kind !== 'snooze')
}

/** What was put off is asked about at its deadline at once. */
const HASTEN = `
  UPDATE transaction SET due_at = $3
  WHERE account_id = $1 AND id = ANY($6) AND status = 'PENDING' AND parked_at IS NULL
    AND deadline_at <= $2 AND due_at > $3 AND due_at NOT BETWEEN $4 AND $5`

async function hasten(
  world: World,
  { accountId, now }: HeldClock,
  payments: readonly UnderWay[],
): Promise<void> {
  const realNow = world.clock.now()
  const ids = payments.map(({ id }) => id)
  await world.db.query(HASTEN, [accountId, now, realNow, ...inHand(world, realNow), ids])
}

/**
 * When a payment is due that a worker holds: its lease is renewed, so it never ends within moments.
 */
function inHand({ timings }: World, realNow: Date): readonly Date[] {
  const { paymentLeaseMs } = timings
  return [
    after(realNow, paymentLeaseMs * LEAST_LEFT - MOST_SKEW_MS),
    after(realNow, paymentLeaseMs + MOST_SKEW_MS),
  ]
}
