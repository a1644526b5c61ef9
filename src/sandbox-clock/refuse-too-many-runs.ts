// Limits the work of an advance of a clock, together with what the account's schedules have run
// within a day: advance after advance would fill the disk. The work is counted before the clock
// moves, up to the limit, and without locks.

import type { Caller } from '../accounts/find-caller.ts'
import { Refusal } from '../core/errors.ts'
import { BEFORE_ALL_IDS, firstIdAt } from '../core/id.ts'
import { takingTurns } from '../core/next-turn.ts'
import { countOccurrences, isTooComplex, type Recurrence, type Spend } from '../core/recurrence.ts'
import { after, DAY } from '../core/time-units.ts'
import type { Row } from '../db/gathered.ts'
import { scheduleRecurrence } from '../schedules/schedule.ts'
import type { World } from '../world.ts'

/** Runs of schedules and retries of payments. They are minutes of work. */
const MOST_RUNS = 100_000

/**
 * What these runs may copy, as the database stores it. Everything else that they write is a few
 * kilobytes a run.
 */
const MOST_COPIED_BYTES = 500_000_000

/**
 * A run that is paid writes its schedule's `meta` into the invoice, the payment and five events.
 * Three of those, of the schedule and of the payment, show the customer and the payment method.
 */
const COPIES_OF_META = 7
const COPIES_OF_OTHERS = 3

const TOO_MANY_BYTES =
  `the advance would write more than ${MOST_COPIED_BYTES / 1_000_000} MB within 24 hours, since each ` +
  'run copies the `meta` of its schedule, customer and payment method: advance in smaller steps'

/**
 * Steps of counting, for all schedules together: about a second. 100,000 runs take fewer, unless
 * their rules look at many days for each run.
 */
const MOST_STEPS = 2_000_000

/**
 * After so many steps, some 20 ms, only one count of an account goes on in a process: many at once
 * would take the time of other callers.
 */
const LONG_COUNT_STEPS = 50_000

/** The accounts with such a count. */
const longCounts = new Set<string>()

/** Reading an added or excluded date takes as long as this many steps. */
const STEPS_PER_DATE = 10

const A_PAGE = 500

/** What a run of schedule `s` copies. */
const BYTES = `(${COPIES_OF_META} * pg_column_size(s.meta)
      + ${COPIES_OF_OTHERS} * (pg_column_size(s.rule) + pg_column_size(c.meta)
        + coalesce(pg_column_size(c.notes), 0) + coalesce(pg_column_size(m.meta), 0)))`

const COPIED_ROWS = `
  JOIN customer c ON c.account_id = s.account_id AND c.id = s.customer_id
  LEFT JOIN payment_method m ON m.account_id = s.account_id AND m.id = s.payment_method_id`

/** A team that may not charge has no runs. */
const SCHEDULES = `
  SELECT s.id, s.rule, s.anchor, s.timezone, s.end_at, s.next_run_at, s.missed_runs,
    ${BYTES} AS bytes
  FROM schedule s ${COPIED_ROWS}
  JOIN account a ON a.id = s.account_id
  JOIN team t ON t.id = a.team_id AND t.status = 'active' AND t.enabled
  WHERE s.account_id = $1 AND s.next_run_at <= $2 AND (s.next_run_at, s.id) > ($3, $4)
  ORDER BY s.next_run_at, s.id LIMIT ${A_PAGE}`

/** Ids of invoices hold the real time, whatever the clock of their account says. */
const RECENT = `
  SELECT coalesce(sum(runs), 0)::integer AS runs,
    coalesce(sum(runs * ${BYTES}), 0)::float8 AS bytes
  FROM (
    SELECT schedule_id, count(*) AS runs FROM (
      SELECT schedule_id FROM invoice
      WHERE account_id = $1 AND id >= $2 AND schedule_id IS NOT NULL LIMIT ${MOST_RUNS}
    ) v GROUP BY schedule_id
  ) recent
  JOIN schedule s ON s.account_id = $1 AND s.id = recent.schedule_id ${COPIED_ROWS}`

const RETRIES = `
  SELECT count(*)::integer AS runs,
    coalesce(sum(${COPIES_OF_META} * pg_column_size(meta)), 0)::float8 AS bytes
  FROM (
    SELECT meta FROM invoice WHERE account_id = $1 AND retry_at <= $2 LIMIT ${MOST_RUNS + 1}
  ) AS due`

const BEFORE_ALL = { next_run_at: new Date(0), id: BEFORE_ALL_IDS }

export async function refuseTooManyRuns(
  world: World,
  caller: Pick<Caller, 'accountId' | 'clockAt'>,
  target: Date,
): Promise<void> {
  const { accountId } = caller
  if (longCounts.has(accountId)) throw new Refusal('clock_advancing')
  const steps = budgetFor(accountId)
  try {
    await countRuns(world, caller, target, steps.spend)
  } finally {
    steps.end()
  }
}

function budgetFor(accountId: string) {
  let steps = 0
  let isLong = false
  const spend: Spend = (more) => {
    steps += more
    if (steps > MOST_STEPS) throw new Refusal('clock_advance_too_large')
    if (isLong || steps <= LONG_COUNT_STEPS) return
    if (longCounts.has(accountId)) throw new Refusal('clock_advancing')
    longCounts.add(accountId)
    isLong = true
  }
  const end = () => {
    if (isLong) longCounts.delete(accountId)
  }
  return { spend, end }
}

async function countRuns(
  world: World,
  caller: Pick<Caller, 'accountId' | 'clockAt'>,
  target: Date,
  spend: Spend,
): Promise<void> {
  const { accountId } = caller
  const from = world.accountNow(caller)
  const aDayAgo = firstIdAt(after(world.clock.now(), -DAY))
  const [recent] = await world.db.query(RECENT, [accountId, aDayAgo])
  const [retries] = await world.db.query(RETRIES, [accountId, target])
  let runs: number = recent?.runs + retries?.runs
  // An advance without runs is never too large.
  let bytes: number = Math.min(recent?.bytes, MOST_COPIED_BYTES) + retries?.bytes
  refuseOver(runs, bytes)
  let last: Row = BEFORE_ALL
  const othersTurn = takingTurns()
  for (;;) {
    const values = [accountId, target, last.next_run_at, last.id]
    const page = await world.db.query(SCHEDULES, values)
    for (const row of page) {
      const more = runsOf(row, from, target, spend)
      runs += more
      bytes += more * row.bytes
      refuseOver(runs, bytes)
      await othersTurn()
    }
    last = page.at(-1) ?? last
    if (page.length < A_PAGE) return
  }
}

function refuseOver(runs: number, bytes: number): void {
  if (runs > MOST_RUNS) throw new Refusal('clock_advance_too_large')
  if (bytes > MOST_COPIED_BYTES) {
    throw new Refusal('clock_advance_too_large', { message: TOO_MANY_BYTES })
  }
}

/**
 * During an advance each occurrence runs at its instant. `missed_runs` applies only to occurrences
 * that are late already.
 */
function runsOf(row: Row, from: Date, target: Date, spend: Spend): number {
  const { rule, anchor, timezone, end_at: endAt, next_run_at: next, missed_runs: missed } = row
  const isMadeUpFor = missed === 'all' || next > from
  const span = { after: isMadeUpFor ? after(next, -1) : from, until: target }
  let recurrence: Recurrence
  try {
    recurrence = scheduleRecurrence({ rule, anchor, timezone, endAt })
  } catch (error) {
    // A rule that is too complex runs once and is then parked. Any other that cannot be read, such
    // as one in a zone that this Node.js does not know, does not run.
    return isTooComplex(error) ? 1 : 0
  }
  spend(STEPS_PER_DATE * (recurrence.extra.length + recurrence.except.length))
  return countOccurrences(recurrence, span, MOST_RUNS, spend) + (isMadeUpFor ? 0 : 1)
}
