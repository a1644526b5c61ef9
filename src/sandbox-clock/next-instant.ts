// The next due times of an account's work, for the advance of its clock.

import { earlier } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import { nextDeadline } from '../payments/take/due-payments.ts'
import { nextScheduled } from '../schedules/find-due.ts'
import { nextSettlement } from '../settlement/due-batches.ts'

/** The next instant of each kind of work. Undefined if there is none. */
export interface Dues {
  /** The deadline of a payment under way. */
  readonly deadline: Date | undefined
  /** A batch's cutoff, or its deposit. */
  readonly settlement: Date | undefined
  /** A schedule's run, or the retry of a payment. */
  readonly scheduled: Date | undefined
}

/**
 * Payments are read first: one that is decided at this moment opens a batch, or plans a retry of
 * its invoice. If it is no longer under way, those rows exist already.
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

/** True if there is work to do before or at the instant. */
export function isAnythingDueBy({ deadline, settlement, scheduled }: Dues, instant: Date): boolean {
  // Payments under way are decided before time passes, whatever their deadline.
  return deadline !== undefined || isDueBy(settlement, instant) || isDueBy(scheduled, instant)
}

/**
 * The next instant with due work, or the target. Work that is already due but was not done waits
 * for something other than time.
 */
export function nextInstant(dues: Dues, now: Date, target: Date): Date {
  const all = [dues.deadline, dues.settlement, dues.scheduled]
  const ahead = all.flatMap((due) => (due !== undefined && due > now ? [due] : []))
  return ahead.reduce(earlier, target)
}
