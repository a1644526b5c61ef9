// What a capture, a void or a refund makes of its parent. Both are told by events that show the
// whole family; so the parent counts as another as soon as it has one child more.

import assert from 'node:assert'
import { dateText } from '../core/whole-days.ts'
import type { Transaction } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { AccountContext } from './account-context.ts'
import { familyOf } from './family.ts'
import { joinsBatch } from './join-batch.ts'
import { findTransaction } from './read-payment.ts'
import type { ParentAfter } from './record-outcome.ts'
import type { TransactionRow } from './transaction-row.ts'
import { transactionView } from './transaction-view.ts'

/** `child` as it is from now on. What was reserved for it is taken, or free again. */
export async function parentAfter(
  world: World,
  child: TransactionRow,
  accountContext: AccountContext,
): Promise<ParentAfter> {
  const { accountId, referenceId } = child
  assert(referenceId !== null, 'a capture, a void and a refund have a parent')
  const parent = await world.db.ask(findTransaction, { accountId, id: referenceId })
  assert(parent !== undefined, 'transactions are for ever')
  const family = await familyOf(world.db.query, accountId, [parent])
  const isDone = child.status === 'SUCCESS'
  const isVoid = child.type === 'void'
  const taken = (type: Transaction['type']) => (isDone && child.type === type ? child.total : 0n)
  const next = {
    ...parent,
    reserved: parent.reserved - (isVoid ? 0n : child.total),
    refunded: parent.refunded + taken('refund'),
    captured: parent.captured + taken('capture'),
    isVoided: parent.isVoided || (isVoid && isDone),
    voidId: isVoid && !isDone ? null : parent.voidId,
    updatedAt: accountContext.now,
  }
  // The void had kept it from its batch: it stays there, or joins the one of this moment.
  const isBack = isVoid && !isDone && joinsBatch(parent)
  const keptBatch = isBack ? await openBatchOf(world, parent) : null
  const familyAfter = family.map((one) => (one.id === child.id ? child : one))
  return {
    parent_id: parent.id,
    parent_version: parent.version,
    parent_children: parent.children,
    reserved: String(next.reserved),
    refunded: String(next.refunded),
    captured: String(next.captured),
    is_voided: next.isVoided,
    void_id: next.voidId,
    kept_batch: keptBatch,
    takes_day: isBack && keptBatch === null,
    event_id: world.newId(),
    snapshot: JSON.stringify(transactionView(next, accountContext, familyAfter)),
  }
}

const OPEN = `
  SELECT id FROM batch WHERE account_id = $1 AND business_date = $2 AND status = 'open'`

/** Its own, while that is open. */
async function openBatchOf(
  world: World,
  { accountId, businessDate }: TransactionRow,
): Promise<string | null> {
  assert(businessDate !== null, 'what may be voided and is no pre_auth has a day of business')
  const [open] = await world.db.query(OPEN, [accountId, dateText(businessDate)])
  return open?.id ?? null
}
