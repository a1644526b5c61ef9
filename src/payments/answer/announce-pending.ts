// Writes the event of a payment that is answered before its outcome is known.

import assert from 'node:assert'
import type { Query } from '../../db/database.ts'
import { gatheredStatement, type InputOf } from '../../db/gathered.ts'
import { changeOf, INSERT_EVENTS, insertEvent } from '../../events/insert-event.ts'
import type { Transaction } from '../../generated/client.ts'
import type { World } from '../../world.ts'
import type { AccountContext } from '../transaction/account-context.ts'
import { familyOf } from '../transaction/find-transaction.ts'
import { lockTransaction, transactionTurn } from '../transaction/lock-transaction.ts'
import { OWN_COLUMNS, readOwn, type TransactionRow } from '../transaction/transaction-row.ts'
import { versionAfterSql } from '../transaction/transaction-version.ts'
import { type TransactionView, transactionView } from '../transaction/transaction-view.ts'

const PENDING_EVENT = {
  accountId: 'uuid',
  id: 'uuid',
  at: 'timestamptz',
  eventId: 'uuid',
  snapshot: 'json',
} as const

/**
 * Writes the event of a PENDING payment, once. Does nothing if the payment has just been decided.
 */
export const announcePending = gatheredStatement<InputOf<typeof PENDING_EVENT>, true>({
  name: 'announce-pending',
  columns: PENDING_EVENT,
  text: (input) => `
    WITH ${input},
    announced AS (
      UPDATE transaction t SET version = 1
      FROM input i
      WHERE t.account_id = i.account_id AND t.id = i.id AND t.status = 'PENDING' AND t.version = 0
      RETURNING i.ord, i.event_id, i.snapshot, i.at, t.account_id, t.id, t.request_id
    ),
    events AS (
      ${INSERT_EVENTS}
      SELECT account_id, event_id, 'create_transaction', id::text, 1, snapshot, request_id, at
      FROM announced
    )
    SELECT ord FROM announced`,
  read: () => true,
})

/**
 * The same for a capture, a void or a refund. These are answered with their parent, so this shows
 * the parent with its PENDING child. Undefined if the child has just been decided.
 */
export async function announceFollowUp(
  world: World,
  accountContext: AccountContext,
  child: TransactionRow,
): Promise<TransactionView | undefined> {
  const { accountId, referenceId } = child
  assert(referenceId !== null, 'a capture, a void and a refund have a parent')
  const parentKey = { accountId, id: referenceId }
  return world.db.commit(transactionTurn(parentKey), async (query) => {
    const parent = await lockTransaction(query, parentKey)
    assert(parent !== undefined, 'transactions are never deleted')
    const [raised] = await query(RAISE_CHILD, [accountId, child.id])
    if (raised !== undefined) {
      const [raisedParent] = await query(RAISE_PARENT, [accountId, parent.id])
      assert(raisedParent !== undefined, 'the parent is held')
      const changed = { ...parent, ...readOwn(raisedParent) }
      return writeFamilyEvents(world, query, accountContext, changed, {
        ...child,
        ...readOwn(raised),
      })
    }
    const family = await familyOf(query, accountId, [parent])
    const isPending = family.some((one) => one.id === child.id && one.status === 'PENDING')
    return isPending ? transactionView(parent, accountContext, family) : undefined
  })
}

/**
 * Writes an event of the child and one of its parent, because the parent's children have changed.
 * Both show the state in this commit. Returns the parent as its event shows it.
 */
async function writeFamilyEvents(
  world: World,
  query: Query,
  accountContext: AccountContext,
  parent: TransactionRow,
  child: TransactionRow,
): Promise<TransactionView> {
  const family = await familyOf(query, accountContext.accountId, [parent])
  // The event comes later than the row, so the event's time becomes the time of the change.
  const atEvent = (one: Transaction) => ({ ...one, updatedAt: accountContext.now })
  const childView = transactionView(child, accountContext, family)
  await insertEvent(world, query, changeOf('create_transaction', atEvent(child), childView, child))
  const view = transactionView(parent, accountContext, family)
  await insertEvent(world, query, changeOf('update_transaction', atEvent(parent), view, child))
  return view
}

const RAISE_CHILD = `
  UPDATE transaction t SET version = 1
  WHERE account_id = $1 AND id = $2 AND status = 'PENDING' AND version = 0
  RETURNING ${OWN_COLUMNS}`

const RAISE_PARENT = `
  UPDATE transaction t SET version = ${versionAfterSql('version')}
  WHERE account_id = $1 AND id = $2
  RETURNING ${OWN_COLUMNS}`
