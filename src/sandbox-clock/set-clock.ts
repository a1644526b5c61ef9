// Sets the clock of a sandbox account, or starts its advance. After that commit it will reach its
// target, whatever happens to the queue or to this process.

import type { Caller } from '../accounts/find-caller.ts'
import { Refusal, wrongField } from '../core/errors.ts'
import { after, DAY, earlier } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import { isUnderWay } from '../payments/transaction/under-way.ts'
import type { World } from '../world.ts'
import { findDues, isAnythingDueBy } from './next-instant.ts'
import { refuseTooManyRuns } from './refuse-too-many-runs.ts'
import {
  type ClockView,
  lockClock,
  refuseChangeWhileAdvancing,
  refuseLive,
  type SandboxClock,
  startedView,
} from './sandbox-clock.ts'
import { leaveRealTime, startAdvance, stopAt } from './write-clock.ts'

/**
 * Our calendars begin with the first date; dates after the last one are soon written differently.
 */
const FIRST = new Date('1970-01-01T00:00:00Z')
const LAST = new Date('9000-01-01T00:00:00Z')

/** Ten years: more than anybody needs at once, and a limit on the work that one request causes. */
const MOST_AHEAD_MS = 3653 * DAY

export async function setClock(
  world: World,
  caller: Caller,
  requestId: string,
  target: Date,
): Promise<ClockView> {
  refuseLive(caller)
  const { accountId, clockAt: at } = caller
  // Runs up to an instant that is refused anyway are not counted.
  refuseTooFar(world, at, await earliestFor(world.db.query, accountId, at), target)
  await refuseTooManyRuns(world, caller, target)
  const clock = await world.db.commit(`clock ${accountId}`, async (query) => {
    const before = await lockClock(query, accountId)
    refuseChangeWhileAdvancing(before)
    // First, because a round that runs due work locks its rows. What it wrote is visible once it is
    // done.
    await leaveRealTime(query, accountId)
    const earliest = await earliestFor(query, accountId, before.at)
    refuseTooFar(world, before.at, earliest, target)
    if (earliest !== undefined && target < earliest) throw backwards(earliest)
    // Rows written under the old clock are committed, because their commits locked the account's
    // row.
    const isDue = isAnythingDueBy(await findDues(query, accountId), target)
    return isDue
      ? advanceTo(world, query, accountId, before, target)
      : stopAt(query, accountId, target)
  })
  return startedView(world, caller, requestId, clock)
}

/** Without a clock, and without business that it could contradict, it may be any instant. */
function refuseTooFar(
  world: World,
  at: Date | null,
  earliest: Date | undefined,
  target: Date,
): void {
  if (target < FIRST || target >= LAST) throw wrongField('now', 'must be from 1970 to 8999')
  if (earliest === undefined) return
  const now = world.accountNow({ clockAt: at })
  if (target > after(now, MOST_AHEAD_MS)) throw wrongField('now', 'must be at most ten years ahead')
}

function backwards(earliest: Date): Refusal {
  const what = 'where it stands, or where the newest row of the account is'
  const message = `the clock cannot be set before ${earliest.toISOString()}, ${what}`
  return new Refusal('clock_backwards', { message })
}

/** From real time the clock may be set to a past instant, if nothing has happened since. */
function advanceTo(
  world: World,
  query: Query,
  accountId: string,
  clock: SandboxClock,
  target: Date,
) {
  const from = earlier(world.accountNow({ clockAt: clock.at }), target)
  return startAdvance(query, accountId, { from, target, ends: false }, world.clock.now())
}

const IS_OF_KIND = `t.account_id = $1 AND t.type = kind.type AND t.status = kind.status
    AND t.method = kind.method AND t.is_manual = kind.is_manual AND t.status <> 'PENDING'`

/**
 * Decided transactions are read by kind, in the order of the lists' indexes: one look-up at the end
 * of each, even among millions.
 */
const NEWEST = `
  WITH kind AS (
    SELECT DISTINCT type, status, method, is_manual FROM transaction_tally
    WHERE account_id = $1 AND span = 'month'
  ),
  decided AS (
    SELECT max(latest.at) AS at
    FROM kind CROSS JOIN LATERAL (
      SELECT greatest(
        (SELECT max(t.created_at) FROM transaction t WHERE ${IS_OF_KIND}),
        (SELECT max(t.updated_at) FROM transaction t WHERE ${IS_OF_KIND})
      ) AS at
    ) latest
  ),
  under_way AS (
    SELECT max(greatest(created_at, updated_at)) AS at FROM transaction
    WHERE account_id = $1 AND ${isUnderWay('transaction')}
  ),
  begun AS MATERIALIZED (
    SELECT greatest(
      (SELECT at FROM decided),
      (SELECT at FROM under_way),
      (SELECT max(greatest(created_at, updated_at)) FROM schedule WHERE account_id = $1)
    ) AS at
  )
  SELECT greatest(
    at,
    (SELECT max(greatest(created_at, updated_at)) FROM invoice WHERE account_id = $1),
    (SELECT max(greatest(created_at, closed_at, deposited_at)) FROM batch WHERE account_id = $1)
  ) AS newest
  FROM begun WHERE at IS NOT NULL`

/**
 * Time never goes back from where the account's clock stands, nor, when it is set for the first
 * time, from the newest row of its business.
 */
async function earliestFor(
  query: Query,
  accountId: string,
  at: Date | null,
): Promise<Date | undefined> {
  return at ?? newestRow(query, accountId)
}

/** Undefined without any transaction and schedule: invoices alone bind no clock. */
export async function newestRow(query: Query, accountId: string): Promise<Date | undefined> {
  const [row] = await query(NEWEST, [accountId])
  return row?.newest ?? undefined
}
