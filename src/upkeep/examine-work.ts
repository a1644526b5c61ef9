// What the doctor looks at of what is owed: whether it is seen to in time, and what was given up.
// Messages and webhooks have an eye of their own on them.

import { MINUTE } from '../core/time-units.ts'
import type { World } from '../world.ts'
import {
  type DueKind,
  type DueRows,
  dueByKind,
  type ParkedRows,
  parkedByKind,
} from './due-by-kind.ts'
import { bad, type Fault, type Finding, findingsOf, odd } from './finding.ts'
import { findAhead, type RowsAhead } from './rows-ahead.ts'
import { counted, lapse } from './words.ts'

/** Longer than a sweep takes to find it, and some more. */
const MOST_OVERDUE_MS = 2 * MINUTE

const WORKERS = 'Start workers, or more of them: lamplighter worker'

/** Who sees to it, in the words of the person who reads this. */
const EYES: Readonly<
  Partial<
    Record<DueKind, { readonly one: string; readonly many?: string; readonly remedy: string }>
  >
> = {
  charge: { one: 'charge', remedy: `${WORKERS} charge.` },
  refund: { one: 'void or refund', many: 'voids or refunds', remedy: `${WORKERS} refund.` },
  doubt: { one: 'payment in doubt', many: 'payments in doubt', remedy: `${WORKERS} doubt.` },
  batch: {
    one: 'batch',
    many: 'batches',
    remedy: `${WORKERS} settlement; or close by hand: lamplighter settle. See /admin/batches.`,
  },
  tell_gateway: {
    one: 'closed batch to tell the gateway',
    many: 'closed batches to tell the gateway',
    remedy: `${WORKERS} tell_gateway.`,
  },
  schedule: { one: 'schedule', remedy: `${WORKERS} schedules. See /admin/schedules.` },
  payment_retry: {
    one: 'failed payment to try again',
    many: 'failed payments to try again',
    remedy: `${WORKERS} schedules.`,
  },
  clock: {
    one: 'sandbox clock that is being advanced',
    many: 'sandbox clocks that are being advanced',
    remedy: `${WORKERS} clock; see in its log what it stumbles over.`,
  },
  replay: {
    one: 'replay of events',
    many: 'replays of events',
    remedy: `${WORKERS} webhook.`,
  },
}

export async function examineWork(world: World): Promise<readonly Finding[]> {
  const now = world.clock.now()
  const due = await dueByKind(world)
  const count = due.reduce((sum, rows) => sum + rows.count, 0)
  const says = count === 0 ? 'nothing is due' : `${count} due, and young`
  const parked = await parkedByKind(world)
  const overdue = [...due.map((rows) => overdueFault(rows, now)), untoldFault(parked)]
  return [
    ...findingsOf('overdue work', says, overdue),
    ...examineParked(parked),
    ...examineAhead(await findAhead(world)),
  ]
}

/** Where there is none, nobody need know that there could be. */
function examineAhead(ahead: readonly RowsAhead[]): readonly Finding[] {
  if (ahead.length === 0) return []
  const kinds = ahead.map(({ kind, count }) => `${count} ${kind}`).join(', ')
  return findingsOf('work far ahead', '', [
    odd(
      `a wrong clock put it there: ${kinds}`,
      'The sweep makes it due by itself. Look whether the clocks of all machines agree.',
    ),
  ])
}

function overdueFault({ kind, count, oldestDueAt }: DueRows, now: Date): Fault | undefined {
  const eye = EYES[kind]
  const ageMs = oldestDueAt === null ? 0 : now.getTime() - oldestDueAt.getTime()
  if (eye === undefined || ageMs <= MOST_OVERDUE_MS) return undefined
  const what = counted(count, eye.one, eye.many)
  return bad(`${what} due, the oldest for ${lapse(ageMs)}`, eye.remedy)
}

function untoldFault(parked: readonly ParkedRows[]): Fault | undefined {
  const count = countOf(parked, 'batch')
  if (count === 0) return undefined
  return bad(
    `${counted(count, 'batch', 'batches')} that the gateway has not answered about for an hour`,
    'It is asked again by itself: see in the log why it is silent, and tell its people.',
  )
}

const countOf = (parked: readonly ParkedRows[], of: ParkedRows['kind']) =>
  parked.find(({ kind }) => kind === of)?.count ?? 0

function examineParked(parked: readonly ParkedRows[]): readonly Finding[] {
  const [payments, schedules] = [countOf(parked, 'payment'), countOf(parked, 'schedule')]
  return [
    ...findingsOf('parked payments', 'none', [
      payments === 0
        ? undefined
        : bad(
            `${payments} that the gateway could not tell of at their deadline`,
            "Look each up at the gateway by its transaction's id, and decide at /admin/parked.",
          ),
    ]),
    ...findingsOf('parked schedules', 'none', [
      schedules === 0
        ? undefined
        : bad(
            `${counted(schedules, 'schedule')} paused, since the next run cannot be planned`,
            'See /admin/schedules?state=parked: each needs a simpler rule, and is resumed then.',
          ),
    ]),
  ]
}
