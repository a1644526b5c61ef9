// What falls due in an account's own time, as far as whoever advances its clock must know it.

import { earlier } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import { nextDeadline } from '../payments/make/due-payments.ts'
import { nextScheduled } from '../schedules/find-due.ts'
import { nextSettlement } from '../settlement/due-batches.ts'

/** The next instant of each kind of business; undefined where there is none. */
export interface Dues {
  /** Of a payment that is under way. */
  readonly deadline: Date | undefined
  /** Of a batch, or its deposit. */
  readonly settlement: Date | undefined
  /** Of a schedule, or a payment that is tried again. */
  readonly scheduled: Date | undefined
}

/**
 * Payments first: one that is decided in this very moment opens a batch, or has its invoice paid
 * later. What is no longer under way has left there what comes of it.
 */
export async function findDues(query: Query, accountId: string): Promise<Dues> {
  const deadline = await nextDeadline(query, accountId)
  const [settlement, scheduled] = await Promise.all([
    nextSettlement(query, accountId),
    nextScheduled(query, accountId),
  ])
  return { deadline, settlement, scheduled }
}

export function isDueBy(due: Date | undefined, instant: Date): due is Date {
  return due !== undefined && due <= instant
}

/** Whether there is anything to do before that instant has come, or at it. */
export function isAnythingDueBy({ deadline, settlement, scheduled }: Dues, instant: Date): boolean {
  // What is under way is decided before time passes, whenever its deadline is.
  return deadline !== undefined || isDueBy(settlement, instant) || isDueBy(scheduled, instant)
}

/**
 * The next instant at which something falls due, or the target. What is due already, and was not
 * done, waits for something else than time.
 */
export function nextInstant(dues: Dues, now: Date, target: Date): Date {
  const all = [dues.deadline, dues.settlement, dues.scheduled]
  const ahead = all.flatMap((due) => (due !== undefined && due > now ? [due] : []))
  return ahead.reduce(earlier, target)
}
