// Examines pending work: whether workers keep up with it, and what needs a person. Messages and
// webhooks have an examination of their own.

import { after, HOUR, MINUTE } from '../core/time-units.ts'
import {
  type DueKind,
  type DueRows,
  dueByKind,
  type ParkedRows,
  parkedByKind,
} from '../upkeep/due-by-kind.ts'
import { findAhead } from '../upkeep/rows-ahead.ts'
import { counted, lapse } from '../upkeep/words.ts'
import type { World } from '../world.ts'
import { bad, type Fault, type Finding, findingsOf, odd } from './finding.ts'

/** The sweep finds overdue work sooner. */
const MOST_OVERDUE_MS = 2 * MINUTE

/** Four readings were missed. */
const FEED_BEHIND_MS = 2 * HOUR

const WORKERS = 'Start workers, or more of them: lamplighter worker'

type Named = readonly [one: string, many: string, remedy: string]

/** What the operator calls the work of a kind, and what to do when it is late. */
const NAMES: Readonly<Partial<Record<DueKind, Named>>> = {
  charge: ['charge', 'charges', `${WORKERS} charge.`],
  refund: ['void or refund', 'voids or refunds', `${WORKERS} refund.`],
  doubt: ['payment in doubt', 'payments in doubt', `${WORKERS} doubt.`],
  batch: [
    'batch',
    'batches',
    `${WORKERS} settlement; or close by hand: lamplighter settle. See /admin/batches.`,
  ],
  tell_gateway: [
    'closed batch to report to the gateway',
    'closed batches to report to the gateway',
    `${WORKERS} tell_gateway.`,
  ],
  gateway_feed: [
    'gateway whose news is to be read',
    'gateways whose news is to be read',
    `${WORKERS} gateway_feed.`,
  ],
  schedule: ['schedule', 'schedules', `${WORKERS} schedules. See /admin/schedules.`],
  payment_retry: [
    'failed payment to try again',
    'failed payments to try again',
    `${WORKERS} schedules.`,
  ],
  clock: [
    'sandbox clock that is being advanced',
    'sandbox clocks that are being advanced',
    `${WORKERS} clock; its log says what keeps it from going on.`,
  ],
  replay: ['replay of events', 'replays of events', `${WORKERS} webhook.`],
}

export async function examineWork(world: World): Promise<readonly Finding[]> {
  const now = world.clock.now()
  const due = await dueByKind(world)
  const count = due.reduce((sum, rows) => sum + rows.count, 0)
  const parked = await parkedByKind(world)
  const parkedOf = (of: ParkedRows['kind']) => parked.find(({ kind }) => kind === of)?.count ?? 0
  const [batches, payments, schedules] = (['batch', 'payment', 'schedule'] as const).map(parkedOf)
  return [
    ...findingsOf('overdue work', count === 0 ? 'nothing is due' : `${count} due, and young`, [
      ...due.map((rows) => overdueFault(rows, now)),
      bad(
        batches !== 0,
        `${counted(batches ?? 0, 'batch', 'batches')} that the gateway has not answered about for an hour`,
        'The service asks it again: see in the log why it does not answer, and tell its operators.',
      ),
    ]),
    ...findingsOf('parked payments', 'none', [
      bad(
        payments !== 0,
        `${payments} that the gateway could not decide by their deadline`,
        "Look each up at the gateway by its transaction's id, and decide at /admin/parked.",
      ),
    ]),
    ...findingsOf('parked schedules', 'none', [
      bad(
        schedules !== 0,
        `${counted(schedules ?? 0, 'schedule')} paused, since the next run cannot be planned`,
        'See /admin/schedules?state=parked: give each a simpler rule, then resume it.',
      ),
    ]),
    ...(await examineFeeds(world, now)),
    ...(await examineAhead(world)),
  ]
}

function overdueFault({ kind, count, oldestDueAt }: DueRows, now: Date): Fault | undefined {
  const named = NAMES[kind]
  if (named === undefined || oldestDueAt === null) return undefined
  const [one, many, remedy] = named
  const ageMs = now.getTime() - oldestDueAt.getTime()
  return bad(
    ageMs > MOST_OVERDUE_MS,
    `${counted(count, one, many)} due, the oldest for ${lapse(ageMs)}`,
    remedy,
  )
}

const BEHIND = `
  SELECT gateway_name, place, read_through FROM gateway_feed
  WHERE gateway_name = ANY($1) AND read_through < $2
  ORDER BY read_through`

/** A feed is read every half hour. Says nothing while each of them is. */
async function examineFeeds(world: World, now: Date): Promise<readonly Finding[]> {
  const names = world.gateways.all.filter(({ feed }) => feed !== undefined).map(({ name }) => name)
  if (names.length === 0) return []
  const rows = await world.db.query(BEHIND, [names, after(now, -FEED_BEHIND_MS)])
  if (rows.length === 0) return []
  const [first] = rows
  const account = first?.place === '' ? 'the platform' : first?.place
  const ageMs = now.getTime() - first?.read_through.getTime()
  return findingsOf('disputes and payouts', '', [
    bad(
      true,
      `${counted(rows.length, 'account')} of a gateway not read; of ${account} for ${lapse(ageMs)}`,
      'The log says why: the key may lack access to the account. Or start workers: lamplighter worker gateway_feed.',
    ),
  ])
}

/** Says nothing while there is none: few operators need to know that this can happen. */
async function examineAhead(world: World): Promise<readonly Finding[]> {
  const ahead = await findAhead(world)
  if (ahead.length === 0) return []
  const kinds = ahead.map(({ kind, count }) => `${count} ${kind}`).join(', ')
  return findingsOf('work far ahead', '', [
    odd(
      true,
      `a wrong clock put it there: ${kinds}`,
      'The sweep makes it due. Check that the clocks of all machines agree.',
    ),
  ])
}
