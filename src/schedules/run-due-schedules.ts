// Runs the due schedules. One round covers all of them, chunk by chunk:
//
//   find     due schedules and their next runs; nothing is locked meanwhile
//   claim    those that have not changed since; rows that others have locked are skipped
//   write    for each occurrence a run, its invoice and its payment, and the schedule with its next
//            run, in one commit
//   nudge    a crash before: the sweep finds the due payments
//
// A round that dies before the commit has changed nothing. A run is a row, unique for its schedule
// and its occurrence, so two rounds never make it twice. A chunk that fails is repeated schedule by
// schedule.

import type { Scope } from '../accounts/scope.ts'
import { dateIn } from '../core/month.ts'
import { after } from '../core/time-units.ts'
import { arraysOf } from '../db/arrays-of.ts'
import type { RowKey } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import { isDatabaseAway } from '../db/failure.ts'
import { type NewDeliveries, writeDeliveries } from '../deliveries/write-deliveries.ts'
import { changeOf, writeWithEvents } from '../events/insert-event.ts'
import type { Transaction } from '../generated/client.ts'
import type { InvoiceRow } from '../invoices/invoice.ts'
import { insertInvoices } from '../invoices/write-invoices.ts'
import { newInvoicePayment } from '../payments/accept/accept-invoice-payment.ts'
import { insertOwn } from '../payments/transaction/transaction-row.ts'
import type { World } from '../world.ts'
import { type ClaimedSchedule, claimDueSchedules, mustWait } from './claim-due-schedules.ts'
import { type DueOccurrences, occurrencesOfDue } from './due-occurrences.ts'
import { CHECK_AGAIN_MS, type DueSchedule, findDue, LOCK_TIMEOUT } from './find-due.ts'
import { waitingInTurn, waitMsOf } from './in-turn.ts'
import { notifiedOf } from './notified.ts'
import { type Plan, planRuns } from './plan-runs.ts'
import { ownColumns } from './schedule.ts'
import { scheduleView } from './schedule-view.ts'

/** While the database writes one chunk, the next one is computed. */
const CHUNKS_AT_ONCE = 2

/** Runs in one commit. Schedules that have missed many runs make far more than one each. */
const MOST_RUNS = 1_000

/** An account with more than this in a chunk lets others go first: it may have thousands. */
const FAIR_SHARE = 100

/**
 * A schedule that another commit has locked is looked for again, in case that commit did not run
 * it.
 */
const MOST_TRIES = 3

/** Returns how many schedules it has run, without those that must wait. */
export async function runDueSchedules(world: World, scope?: Scope): Promise<number> {
  const round: Round = { world, scope, tries: new Map(), inHand: new Set(), behind: new Set() }
  const lines = Array.from({ length: CHUNKS_AT_ONCE }, (_, line) => runChunks(round, line))
  const [first = 0, second = 0] = await Promise.all(lines)
  return first + second
}

interface Round {
  readonly world: World
  readonly scope: Scope | undefined
  /** How often each schedule was tried and is still due. */
  readonly tries: Map<string, number>
  readonly inHand: Set<string>
  /** Accounts that have had their turn, until no other account has due schedules. */
  readonly behind: Set<string>
}

async function runChunks(round: Round, line: number): Promise<number> {
  const { world, scope, tries, inHand, behind } = round
  let seen = 0
  for (;;) {
    const givenUp = [...tries].flatMap(([id, times]) => (times < MOST_TRIES ? [] : [id]))
    const found = await findDue(world, scope, [...inHand, ...givenUp], [...behind])
    const free = found.filter(({ id }) => !inHand.has(id))
    if (free.length === 0) {
      if (behind.size === 0) return seen
      behind.clear()
      continue
    }
    for (const accountId of crowdedIn(free)) behind.add(accountId)
    for (const { id } of free) inHand.add(id)
    const plans = await runFound(round, line, free)
    for (const { id } of free) inHand.delete(id)
    seen += plans.length
  }
}

/** Accounts with more than a fair share of a chunk. */
function crowdedIn(found: readonly DueSchedule[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { accountId } of found) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
  return [...counts].flatMap(([accountId, count]) => (count > FAIR_SHARE ? [accountId] : []))
}

async function runFound(
  round: Round,
  line: number,
  found: readonly DueSchedule[],
): Promise<readonly Plan[]> {
  const { world, scope, tries } = round
  const now = scope?.now ?? world.clock.now()
  const occurrences = await occurrencesOfDue(world, found, now)
  const chunk = { found, occurrences, now }
  const { plans, left, waiting } = await runChunk(round, line, chunk).catch((error) =>
    oneByOne(round, line, chunk, error),
  )
  for (const { id } of found) tries.set(id, (tries.get(id) ?? 0) + 1)
  for (const id of left) tries.delete(id)
  for (const id of waiting) tries.set(id, MOST_TRIES)
  for (const { next } of plans) tries.delete(next.id)
  nudge(world, plans)
  for (const { next } of plans) {
    const { parkedReason: reason } = next
    if (reason === null) continue
    world.log.error({ ...aboutSchedule(next), reason }, 'a schedule is parked: it is paused')
  }
  return plans
}

interface Due {
  readonly found: readonly DueSchedule[]
  readonly occurrences: ReadonlyMap<string, DueOccurrences>
  readonly now: Date
}

interface Ran {
  readonly plans: readonly Plan[]
  /** Ids of those that the next chunk takes. */
  readonly left: readonly string[]
  /** Ids of those that may not run yet. */
  readonly waiting: readonly string[]
}

function runChunk(round: Round, line: number, due: Due): Promise<Ran> {
  const { world, scope } = round
  return world.db.commit(`due schedules ${line}`, async (query) => {
    await query(LOCK_TIMEOUT)
    const claimed = await claimDueSchedules(world, query, scope, due.found)
    const { plans, waiting, left } = planClaimed(round, claimed, due)
    await writeRuns(world, query, plans, due.now)
    if (scope === undefined) await putOff(world, query, waiting)
    return { plans, left, waiting: waiting.map(({ id }) => id) }
  })
}

/**
 * A schedule that still fails is postponed and logged. Only a failure of the database stops the
 * round.
 */
async function oneByOne(round: Round, line: number, chunk: Due, error: unknown): Promise<Ran> {
  const { world, scope } = round
  if (isDatabaseAway(error)) throw error
  const all: Ran[] = []
  for (const one of chunk.found) {
    try {
      all.push(await runChunk(round, line, { ...chunk, found: [one] }))
    } catch (err) {
      if (isDatabaseAway(err)) throw err
      world.log.error({ ...aboutSchedule(one), err }, 'a schedule cannot be run')
      if (scope === undefined) await putOff(world, world.db.query, [one])
    }
  }
  return {
    plans: all.flatMap(({ plans }) => plans),
    left: all.flatMap(({ left }) => left),
    waiting: all.flatMap(({ waiting }) => waiting),
  }
}

/** One that would exceed MOST_RUNS is left to the next chunk, and one that may not run waits. */
function planClaimed(round: Round, claimed: readonly ClaimedSchedule[], { occurrences, now }: Due) {
  const plans: Plan[] = []
  const waiting: ClaimedSchedule[] = []
  const left: string[] = []
  let runs = 0
  for (const one of claimed) {
    const known = mustStay(round, one) ? undefined : occurrences.get(one.id)
    const plan = known && runs < MOST_RUNS ? planRuns(round.world, one, known, now) : undefined
    if (plan !== undefined) plans.push(plan)
    else if (known !== undefined) left.push(one.id)
    else waiting.push(one)
    runs += plan?.runs.length ?? 0
  }
  return { plans, waiting, left }
}

/** An account that has a clock of its own by now is not due in real time. */
function mustStay({ world, scope }: Round, claimed: ClaimedSchedule): boolean {
  return mustWait(world, claimed) || (scope === undefined && claimed.account.clockAt !== null)
}

function nudge(world: World, plans: readonly Plan[]): void {
  for (const { before, runs } of plans) {
    const { accountId, requestId } = before
    for (const [place, { paymentId: id }] of paidBy(runs).entries()) {
      if (waitMsOf(before.account.mode, place) > 0) break
      if (id !== null) world.queues.nudge('charge', { accountId, id, requestId })
    }
  }
}

/** The invoices that have a payment: of missed runs, several at once. */
function paidBy(runs: Plan['runs']): readonly InvoiceRow[] {
  return runs.flatMap(({ invoice }) => (invoice && invoice.paymentId !== null ? [invoice] : []))
}

function aboutSchedule({ accountId, id, requestId }: DueSchedule | Plan['next']) {
  return { request_id: requestId, account_id: accountId, schedule_id: id }
}

const INSERT_RUNS = `
  INSERT INTO schedule_run (account_id, schedule_id, occurs_at, invoice_id, ran_on, created_at)
  SELECT run.*, $6::timestamptz
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::date[]) AS run`

async function writeRuns(
  world: World,
  query: Query,
  plans: readonly Plan[],
  now: Date,
): Promise<void> {
  if (plans.length === 0) return
  const runs = plans.flatMap(({ before, runs }) => runs.map((run) => ({ ...run, before })))
  const invoices = runs.flatMap(({ invoice }) => invoice ?? [])
  await insertInvoices(world, query, ...invoices)
  await query(INSERT_RUNS, [
    runs.map(({ before }) => before.accountId),
    runs.map(({ before }) => before.id),
    runs.map(({ occursAt }) => occursAt),
    runs.map(({ invoice }) => invoice?.id ?? null),
    runs.map(({ before, occursAt }) => dateIn(before.timezone, occursAt)),
    now,
  ])
  await insertOwn(query, ...plans.flatMap((plan) => paymentsOf(world, plan, now)))
  await writeDeliveries(world, query, ...plans.flatMap(billsOf))
  const rows = plans.map(({ next }) => next)
  const changes = rows.map((row) =>
    changeOf('update_scheduled_invoice', row, scheduleView(row), row),
  )
  await writeWithEvents(world, query, ownColumns.change, rows, changes)
}

function paymentsOf(
  world: World,
  { before: { paymentMethod, account }, runs }: Plan,
  now: Date,
): readonly Transaction[] {
  if (paymentMethod === null) return []
  return paidBy(runs).map((invoice, place) => {
    const payment = newInvoicePayment(world, invoice, paymentMethod, now, {
      id: invoice.paymentId ?? world.newId(),
      invoiceTry: 1,
    })
    return waitingInTurn(payment, account.mode, place)
  })
}

/** Sends the bill if the customer pays by hand. An automatic payment gets a receipt instead. */
function billsOf({ before, runs }: Plan): readonly NewDeliveries[] {
  const { requestId } = before
  const bills = runs.flatMap(({ invoice }) => (invoice?.paymentId === null ? [invoice] : []))
  return bills.flatMap(({ id }) =>
    notifiedOf(before).map((bill) => ({
      ...bill,
      subject: 'invoice' as const,
      subjectId: id,
      request: 'run',
      requestId,
    })),
  )
}

const PUT_OFF = `
  UPDATE schedule s SET due_at = i.due_at
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS i (account_id, id, due_at)
  WHERE s.account_id = i.account_id AND s.id = i.id AND s.due_at <= $4`

/**
 * Postpones schedules that cannot run yet: they stay due. One that was paused, deleted or run
 * meanwhile is no longer due.
 */
async function putOff(
  world: World,
  query: Query,
  waiting: readonly (RowKey & Partial<Pick<ClaimedSchedule, 'account'>>)[],
): Promise<void> {
  if (waiting.length === 0) return
  const now = world.clock.now()
  const again = after(now, CHECK_AGAIN_MS)
  await query(PUT_OFF, [
    ...arraysOf(waiting, 'accountId', 'id'),
    waiting.map(({ account }) => (account?.clockAt ? null : again)),
    now,
  ])
}
