// How a worker records the gateway's decision. At that moment the batch may be closed, the parent
// or the invoice changed, or a sandbox clock moved. Then nothing is recorded, and the outcome is
// computed again from the current rows.

import type { Answered } from '../../core/verdict.ts'
import { deliveryRecords } from '../../deliveries/write-deliveries.ts'
import type { World } from '../../world.ts'
import { type Taken, takenByNow } from '../take/take-payment.ts'
import { accountContextOf } from '../transaction/account-context.ts'
import { transactionTurn } from '../transaction/lock-transaction.ts'
import { transactionView } from '../transaction/transaction-view.ts'
import { batchToOpen, joinsBatch, lastDateOf } from './join-batch.ts'
import { invoiceAfter, ownMessages, parentAfter } from './outcome-effects.ts'
import {
  NO_BATCH_TO_OPEN,
  type OutcomeToRecord,
  recordOutcome,
  type TransactionOutcome,
} from './record-outcome.ts'

/**
 * A try takes some milliseconds, and fails only if another commit has changed a row from which the
 * outcome was computed. Children of one parent wait for each other in a process, but not between
 * processes.
 */
const MOST_TRIES = 100

/** The day of the instant is tried this often: another commit may just have opened its batch. */
const SAME_DAY_TRIES = 2

/**
 * Returns the answer to the request. Undefined if nothing was recorded: a later take asked as well,
 * and its result counts.
 */
export async function recordPayment(
  world: World,
  taken: Taken,
  outcome: TransactionOutcome,
): Promise<Answered | undefined> {
  const { accountId, referenceId } = taken
  if (referenceId === null) return tryUntilCurrent(world, taken, outcome)
  const turn = transactionTurn({ accountId, id: referenceId })
  return world.db.inTurn(turn, () => tryUntilCurrent(world, taken, outcome))
}

/** Computes the outcome's effects and records them, until no row has changed in between. */
async function tryUntilCurrent(
  world: World,
  taken: Taken,
  outcome: TransactionOutcome,
): Promise<Answered | undefined> {
  // Its link or its schedule may have been deleted while the gateway was asked: then it cannot be
  // voided, or is not tried again, and no event must say that it can or is.
  const isScheduledFailure = taken.scheduleId !== null && outcome.status === 'FAILED'
  const mayBeDeleted = taken.paymentLinkId !== null || isScheduledFailure
  let current = mayBeDeleted ? await world.db.ask(takenByNow, taken) : taken
  for (let tries = 0; tries < MOST_TRIES && current !== undefined; tries += 1) {
    const isSameDay = tries < SAME_DAY_TRIES
    const { account } = current
    const lastDate = isSameDay
      ? undefined
      : await lastDateOf(world.db.query, taken.accountId, account, world.accountNow(account))
    const { toRecord, body } = await outcomeToRecord(world, current, outcome, lastDate)
    const recording = await world.db.ask(recordOutcome, toRecord)
    if (recording === 'recorded') return { status: outcome.status, body }
    if (recording === undefined) return undefined
    current = await world.db.ask(takenByNow, taken)
  }
  if (current === undefined) return undefined
  throw new Error(`the outcome of ${taken.id} could not be recorded`)
}

/**
 * `lastDate`: if the day of the instant was not possible, the last one that was not. `body` is what
 * the request is answered with.
 */
async function outcomeToRecord(
  world: World,
  taken: Taken,
  outcome: TransactionOutcome,
  lastDate: string | undefined,
): Promise<{ readonly toRecord: OutcomeToRecord; readonly body: string }> {
  const { account, accountId, id, attempt } = taken
  // Made first, because events of one instant are listed by id, and the other events follow this
  // one.
  const eventId = world.newId()
  const accountContext = accountContextOf(world, account)
  const { deliveries, ...receipts } = ownMessages(taken, outcome, accountContext.now)
  const row = { ...taken, ...outcome, ...receipts, updatedAt: accountContext.now }
  const parent =
    taken.referenceId === null ? undefined : await parentAfter(world, row, accountContext)
  const invoice = await invoiceAfter(world, taken, outcome, accountContext)
  const joins = outcome.status === 'SUCCESS' && joinsBatch(taken)
  const isToJoin = joins || parent?.takes_day === true
  const snapshot = JSON.stringify(transactionView(row, accountContext))
  const toRecord = {
    ...outcome,
    accountId,
    id,
    attempt,
    clockAt: account.clockAt,
    at: accountContext.now,
    eventId,
    snapshot,
    ...receipts,
    messages: deliveries.length === 0 ? null : JSON.stringify(deliveryRecords(world, deliveries)),
    owedAt: world.clock.now(),
    ...(isToJoin ? batchToOpen(world, account, accountContext.now, lastDate) : NO_BATCH_TO_OPEN),
    invoice: invoice === undefined ? null : JSON.stringify(invoice),
    parent: parent === undefined ? null : JSON.stringify(parent),
  }
  return { toRecord, body: parent?.snapshot ?? snapshot }
}
