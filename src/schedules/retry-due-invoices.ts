// Tries failed automatic payments again, at the times that the account's setting plans. One round
// covers all due retries; each chunk of it is one commit:
//
//   hold     clocks, schedules and invoices are locked; rows that others have locked are skipped
//   write    the payment, due now, and the invoice, which waits for the payment's outcome
//   nudge    a crash before: the sweep finds the due payment
//
// Two rounds at once do no harm: one of them locks each invoice, and then it is not due for the
// other.

import type { Mode } from '../accounts/key.ts'
import type { Scope } from '../accounts/scope.ts'
import { BEFORE_ALL_IDS } from '../core/id.ts'
import { after } from '../core/time-units.ts'
import { methodColumns } from '../customers/payment-method.ts'
import type { Query } from '../db/database.ts'
import { isDatabaseAway } from '../db/failure.ts'
import type { PaymentMethod, Transaction } from '../generated/client.ts'
import { INVOICE_COLUMNS, type InvoiceRow, readInvoice } from '../invoices/invoice.ts'
import { type InvoiceChange, writeInvoices } from '../invoices/write-invoices.ts'
import { newInvoicePayment } from '../payments/accept/accept-invoice-payment.ts'
import { insertNewOwn } from '../payments/transaction/transaction-row.ts'
import type { World } from '../world.ts'
import { CHECK_AGAIN_MS, LOCK_TIMEOUT } from './find-due.ts'
import { MOST_IN_TURN, waitingInTurn, waitMsOf } from './in-turn.ts'

/** Invoices in one commit: enough to be cheap, few enough that their locks are short. */
const CHUNK = 200

/** Returns how many it has handled, without those that must wait. */
export async function retryDueInvoices(world: World, scope?: Scope): Promise<number> {
  const now = world.clock.now()
  const round: Round = { world, scope, now, begun: new Map() }
  let seen = 0
  let last: DueRetry | undefined
  let due: readonly DueRetry[]
  do {
    due = await dueRetries(world.db.query, now, scope, CHUNK, last)
    last = due.at(-1)
    if (due.length > 0) seen += await retryTogether(round, due)
  } while (due.length === CHUNK)
  return seen
}

interface Round {
  readonly world: World
  readonly scope: Scope | undefined
  readonly now: Date
  /** How many payments of each schedule it has begun. */
  readonly begun: Map<string, number>
}

/**
 * A chunk that fails is repeated invoice by invoice, so that one locked or faulty row stops no
 * other.
 */
async function retryTogether(round: Round, due: readonly DueRetry[]): Promise<number> {
  try {
    return await retryChunk(round, due)
  } catch (err) {
    const [one, ...others] = due
    if (isDatabaseAway(err) || one === undefined) throw err
    if (others.length > 0) {
      let seen = 0
      for (const each of due) seen += await retryTogether(round, [each])
      return seen
    }
    const { accountId: account_id, id: invoice_id } = one
    round.world.log.error({ account_id, invoice_id, err }, 'an invoice cannot be tried again')
    return 0
  }
}

async function retryChunk(round: Round, due: readonly DueRetry[]): Promise<number> {
  const { world, scope, now } = round
  const { begun, dropped } = await world.db.commit('due invoices', async (query) => {
    await query(LOCK_TIMEOUT)
    const held = await holdRetries(query, due, now, scope)
    const retries = placed(round, held).map((one) => ({
      ...one,
      at: scope?.now ?? world.accountNow(one),
    }))
    const paid = retries.filter(({ action }) => action === 'pay')
    const wanted = paid.map((one) => retryOf(world, one))
    const begun = await begin(world, query, wanted)
    const paying = new Set(begun.map(({ invoice }) => invoice))
    const dropped = retries.filter(
      ({ action, invoice }) => action !== 'wait' && !paying.has(invoice),
    )
    const waiting = scope === undefined ? retries.filter(({ action }) => action === 'wait') : []
    await writeInvoices(world, query, [
      ...begun.map((one) => written(one.invoice, one.payment.createdAt, begunBy(one))),
      ...dropped.map(({ invoice, at }) => written(invoice, at, DROPPED)),
      ...waiting.map(({ invoice, at }) => written(invoice, at, lookedAtAgain(now))),
    ])
    return { begun, dropped: dropped.length }
  })
  for (const { payment, waitMs } of begun) {
    const { scheduleId } = payment
    if (scheduleId !== null) round.begun.set(scheduleId, (round.begun.get(scheduleId) ?? 0) + 1)
    if (waitMs > 0) continue
    const { accountId, id, requestId } = payment
    world.queues.nudge('charge', { accountId, id, requestId })
  }
  return begun.length + dropped
}

type RetryAction = 'pay' | 'drop' | 'wait'

/**
 * After its schedule or its payment method is deleted, nothing is tried again, whatever else
 * applies.
 */
function actionOn({ gateways }: World, held: HeldRetry): RetryAction {
  if (held.isScheduleDeleted || held.paymentMethod.deletedAt !== null) return 'drop'
  return held.isTeamActive && gateways.wouldCharge(held, held.paymentMethod) ? 'pay' : 'wait'
}

interface PlacedRetry extends HeldRetry {
  readonly action: RetryAction
  /** How many retries of the same schedule come first. */
  readonly place: number
}

/** Of a live schedule no more are begun than wait for each other: the others wait. */
function placed({ world, begun }: Round, held: readonly HeldRetry[]): readonly PlacedRetry[] {
  const counts = new Map(begun)
  return held.map((one) => {
    const action = actionOn(world, one)
    const { scheduleId } = one.invoice
    if (action !== 'pay' || scheduleId === null) return { ...one, action, place: 0 }
    const place = counts.get(scheduleId) ?? 0
    counts.set(scheduleId, place + 1)
    const mustWait = one.mode === 'live' && place >= MOST_IN_TURN
    return { ...one, action: mustWait ? 'wait' : action, place }
  })
}

interface Retry {
  readonly invoice: InvoiceRow
  readonly payment: Transaction
  readonly waitMs: number
}

function retryOf(
  world: World,
  { invoice, paymentMethod, at, mode, place }: PlacedRetry & { readonly at: Date },
): Retry {
  const own = { id: world.newId(), invoiceTry: invoice.tries + 1 }
  const payment = newInvoicePayment(world, invoice, paymentMethod, at, own)
  return { invoice, payment: waitingInTurn(payment, mode, place), waitMs: waitMsOf(mode, place) }
}

/**
 * If the database refuses the payment, the invoice has another one: no retry is left, unless that
 * one fails.
 */
async function begin(
  world: World,
  query: Query,
  wanted: readonly Retry[],
): Promise<readonly Retry[]> {
  const made = await insertNewOwn(query, ...wanted.map(({ payment }) => payment))
  for (const { invoice, payment } of wanted) {
    if (made.has(payment.id)) continue
    const { accountId: account_id, id: invoice_id, requestId: request_id } = invoice
    const about = { request_id, account_id, invoice_id }
    world.log.error(about, 'an invoice is due that has a payment already')
  }
  return wanted.filter(({ payment }) => made.has(payment.id))
}

const DROPPED: InvoiceChange = { retryAt: null, dueAt: null }

function begunBy({ invoice, payment }: Retry): InvoiceChange {
  return { ...DROPPED, paymentId: payment.id, tries: invoice.tries + 1 }
}

function lookedAtAgain(now: Date): InvoiceChange {
  return { dueAt: after(now, CHECK_AGAIN_MS) }
}

function written(held: InvoiceRow, at: Date, change: InvoiceChange) {
  return { held, change, at, requestId: held.requestId }
}

interface DueRetry {
  readonly accountId: string
  readonly id: string
  readonly scheduleId: string | null
  /** In real time, or in the account's own time if a scope is given. */
  readonly at: Date
}

/** Named as in `DueRetry`. */
const DUE = `
  SELECT account_id AS "accountId", id, schedule_id AS "scheduleId", due_at AS at FROM invoice
  WHERE due_at <= $1 AND (due_at, account_id, id) > ($2, $3, $4)
  ORDER BY due_at, account_id, id LIMIT $5`

const DUE_IN_SCOPE = `
  SELECT account_id AS "accountId", id, schedule_id AS "scheduleId", retry_at AS at FROM invoice
  WHERE account_id = $3 AND retry_at <= $1 AND (retry_at, id) > ($2, $4)
  ORDER BY retry_at, id LIMIT $5`

const BEFORE_ALL = { at: new Date(0), accountId: BEFORE_ALL_IDS, id: BEFORE_ALL_IDS }

/** The longest due first; continues after the last of the previous chunk. */
export async function dueRetries(
  query: Query,
  now: Date,
  scope: Scope | undefined,
  most: number,
  last: Pick<DueRetry, 'accountId' | 'id' | 'at'> = BEFORE_ALL,
): Promise<readonly DueRetry[]> {
  const rows =
    scope === undefined
      ? await query(DUE, [now, last.at, last.accountId, last.id, most])
      : await query(DUE_IN_SCOPE, [scope.now, last.at, scope.accountId, last.id, most])
  return rows as readonly DueRetry[]
}

/** The facts that decide whether the payment is made now. */
interface HeldRetry {
  readonly invoice: InvoiceRow
  readonly isScheduleDeleted: boolean
  readonly paymentMethod: PaymentMethod
  readonly mode: Mode
  readonly liveGateway: string | null
  /** True if the team may move money. */
  readonly isTeamActive: boolean
  readonly clockAt: Date | null
}

/** Locked before any other row of an account, as by the code that sets its clock. */
const HOLD_CLOCKS = 'SELECT id FROM account WHERE id = ANY($1) ORDER BY id FOR SHARE'

/** A deletion of the schedule waits for this lock, and then finds its invoices without retries. */
const HOLD_SCHEDULES = `
  SELECT s.id FROM schedule s
  JOIN unnest($1::uuid[], $2::uuid[]) AS due (account_id, schedule_id)
    ON s.account_id = due.account_id AND s.id = due.schedule_id
  ORDER BY s.account_id, s.id
  FOR SHARE OF s`

const hold = (isDue: string) => `
  SELECT ${INVOICE_COLUMNS}, ${methodColumns.list}, a.clock_at,
    coalesce(s.status = 'deleted', false) AS is_schedule_deleted,
    a.mode, a.live_gateway, t.status = 'active' AND t.enabled AS is_team_active
  FROM invoice v
  JOIN unnest($1::uuid[], $2::uuid[]) AS due (account_id, id)
    ON v.account_id = due.account_id AND v.id = due.id
  JOIN account a ON a.id = v.account_id
  JOIN team t ON t.id = a.team_id
  JOIN payment_method m ON m.account_id = v.account_id AND m.id = v.payment_method_id
  LEFT JOIN schedule s ON s.account_id = v.account_id AND s.id = v.schedule_id
  WHERE ${isDue}
  ORDER BY v.account_id, v.id
  FOR NO KEY UPDATE OF v SKIP LOCKED`

const HOLD = hold('v.due_at <= $3')
const HOLD_IN_SCOPE = hold('v.retry_at <= $3')

/**
 * Returns the invoices that are still due, locked until the commit. Invoices that another commit
 * has locked are skipped. In a scope, the advance of the clock already holds the lock on it.
 */
async function holdRetries(
  query: Query,
  due: readonly DueRetry[],
  now: Date,
  scope: Scope | undefined,
): Promise<readonly HeldRetry[]> {
  const accountIds = due.map(({ accountId }) => accountId)
  if (scope === undefined) await query(HOLD_CLOCKS, [accountIds])
  await query(HOLD_SCHEDULES, [accountIds, due.map(({ scheduleId }) => scheduleId)])
  const ids = due.map(({ id }) => id)
  const rows =
    scope === undefined
      ? await query(HOLD, [accountIds, ids, now])
      : await query(HOLD_IN_SCOPE, [accountIds, ids, scope.now])
  return rows.map((row) => ({
    invoice: readInvoice(row),
    isScheduleDeleted: row.is_schedule_deleted,
    paymentMethod: methodColumns.read(row),
    mode: row.mode,
    liveGateway: row.live_gateway,
    isTeamActive: row.is_team_active,
    clockAt: row.clock_at,
  }))
}
