// How a worker records what the gateway decided of a capture, a void or a refund: child, parent and
// both events in one commit, in which the parent is held.

import assert from 'node:assert'
import { holdClock } from '../accounts/hold-clock.ts'
import type { Query } from '../db/database.ts'
import { writeDeliveries } from '../deliveries/write-deliveries.ts'
import type { Transaction } from '../generated/client.ts'
import { reopenInvoice } from '../invoices/reopen-invoice.ts'
import type { World } from '../world.ts'
import { booksOf } from './books.ts'
import { isSettled, joinBatch, joinBatchAgain } from './join-batch.ts'
import { lockTransaction, turnOf } from './lock-transaction.ts'
import { type OwnMessages, ownMessages } from './own-messages.ts'
import type { Outcome } from './record-outcome.ts'
import type { Taken, TakenAccount } from './take-payment.ts'
import { tellFollowUp } from './tell-follow-up.ts'
import { OWN_COLUMNS, readOwn, type TransactionRow } from './transaction-row.ts'

/** False where nothing was recorded: a later take asked as well, and what it learned stands. */
export async function recordFollowUp(
  world: World,
  taken: Taken,
  outcome: Outcome,
): Promise<boolean> {
  const { accountId, referenceId } = taken
  assert(referenceId !== null, 'a capture, a void and a refund have a parent')
  const parentKey = { accountId, id: referenceId }
  return world.db.commit(turnOf(parentKey), async (query) => {
    const account = await holdClock(query, taken.account)
    const books = booksOf(world, account)
    const parent = await lockTransaction(query, parentKey)
    assert(parent !== undefined, 'transactions are for ever')
    const joins = isSettled(taken) && outcome.status === 'SUCCESS'
    const businessDate = joins ? await joinBatch(world, query, account, books.now) : null
    const { deliveries, ...receipts } = ownMessages(taken, outcome, books.now)
    const settled = { ...outcome, ...receipts, at: books.now, businessDate }
    const child = await settleChild(query, taken, parent, settled)
    if (child === undefined) return false
    await writeDeliveries(world, query, ...deliveries)
    const parentsDate = await dateOfParent(world, query, account, parent, child)
    const changed = await settleParent(query, parent, child, parentsDate)
    await countSale(query, child)
    await reopen(world, query, changed)
    await tellFollowUp(world, query, books, { ...parent, ...changed }, child)
    return true
  })
}

const SETTLE_CHILD = `
  UPDATE transaction t SET status = $4, message = $5, auth_id = $6, captured = $7, owed = NULL,
    due_at = NULL, version = version + 1, outcome_sequence = $8, updated_at = $9,
    business_date = $10, receipt_email_at = $11, receipt_sms_at = $12
  WHERE account_id = $1 AND id = $2 AND status = 'PENDING' AND attempt = $3
  RETURNING ${OWN_COLUMNS}`

interface Settled extends Outcome, Omit<OwnMessages, 'deliveries'> {
  readonly at: Date
  readonly businessDate: string | null
}

/** Undefined where a later take asked as well. */
async function settleChild(
  query: Query,
  { accountId, id, attempt }: Taken,
  parent: TransactionRow,
  settled: Settled,
): Promise<Transaction | undefined> {
  const [row] = await query(SETTLE_CHILD, [
    accountId,
    id,
    attempt,
    settled.status,
    settled.message,
    settled.authId,
    settled.captured,
    parent.version + 1,
    settled.at,
    settled.businessDate,
    settled.receiptEmailAt,
    settled.receiptSmsAt,
  ])
  return row && readOwn(row)
}

/** A void that failed may have kept it from its batch; the others leave it where it is. */
async function dateOfParent(
  world: World,
  query: Query,
  account: TakenAccount,
  parent: TransactionRow,
  child: Transaction,
): Promise<string | null> {
  const stays = child.type !== 'void' || child.status === 'SUCCESS' || !isSettled(parent)
  if (stays) return null
  return joinBatchAgain(world, query, account, child.updatedAt, parent.businessDate)
}

const SETTLE_PARENT = `
  UPDATE transaction t SET reserved = reserved - $3, refunded = refunded + $4,
    captured = captured + $5, is_voided = is_voided OR $6, void_id = $7, version = version + 1,
    updated_at = $8, business_date = coalesce($9, business_date)
  WHERE account_id = $1 AND id = $2
  RETURNING ${OWN_COLUMNS}`

/** What was reserved for it is taken, or free again. */
async function settleParent(
  query: Query,
  parent: TransactionRow,
  child: Transaction,
  businessDate: string | null,
): Promise<Transaction> {
  const isDone = child.status === 'SUCCESS'
  const isVoid = child.type === 'void'
  const taken = (type: Transaction['type']) => (isDone && child.type === type ? child.total : 0n)
  const [row] = await query(SETTLE_PARENT, [
    parent.accountId,
    parent.id,
    isVoid ? 0n : child.total,
    taken('refund'),
    taken('capture'),
    isDone && isVoid,
    isVoid && !isDone ? null : parent.voidId,
    child.updatedAt,
    businessDate,
  ])
  assert(row !== undefined, 'the parent is held')
  return readOwn(row)
}

const COUNT_SALE = `
  UPDATE payment_link SET total_sales = total_sales + $3,
    total_transactions = total_transactions + 1
  WHERE account_id = $1 AND id = $2`

/** A capture brings the money that its link is credited with; the pre_auth brought none. */
async function countSale(query: Query, child: Transaction): Promise<void> {
  if (child.paymentLinkId === null || child.captured === 0n) return
  await query(COUNT_SALE, [child.accountId, child.paymentLinkId, child.captured])
}

/** What it has paid is to be paid again. */
async function reopen(world: World, query: Query, parent: Transaction): Promise<void> {
  const { accountId, invoiceId, id, requestId, updatedAt } = parent
  if (!parent.isVoided || invoiceId === null) return
  const voided = { accountId, invoiceId, paymentId: id, requestId, at: updatedAt }
  await reopenInvoice(world, query, voided)
}
