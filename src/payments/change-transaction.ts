// Changes what was recorded by hand. What the service made has moved money, and stays as it is.

import { isDeepStrictEqual } from 'node:util'
import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import type { Cents } from '../core/money.ts'
import { retryLostRace } from '../db/retry-lost-race.ts'
import { eventWrite } from '../events/event-write.ts'
import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { Books } from './books.ts'
import { findTransaction } from './read-payment.ts'
import { capturedOf, namedCustomer } from './record-transaction.ts'
import type { TransactionRow } from './transaction-row.ts'
import { type TransactionView, transactionView } from './transaction-view.ts'

/** What is absent stays. */
export interface TransactionChange {
  readonly total?: Cents
  readonly customerId?: string
  readonly source?: string | null
  readonly message?: string | null
  readonly meta?: Readonly<Record<string, unknown>>
}

export function changeTransaction(
  world: World,
  books: Books,
  asking: Asking,
  id: string,
  change: TransactionChange,
): Promise<TransactionView> {
  const key = { accountId: books.accountId, id }
  return retryLostRace(world.db, key, async () => {
    const row = await world.db.ask(findTransaction, key)
    if (row === undefined) throw new Refusal('not_found')
    if (!row.isManual) throw new Refusal('transaction_immutable')
    const next = await changed(world, books, row, change)
    if (next === undefined) return transactionView(row, books)
    return write(world, books, asking, row, next)
  })
}

/** Undefined where nothing would be other than it is. */
async function changed(
  world: World,
  books: Books,
  row: TransactionRow,
  change: TransactionChange,
): Promise<TransactionRow | undefined> {
  const { customerId = row.customerId, total = row.total } = change
  const isSame = customerId === row.customerId
  const next = {
    ...row,
    total,
    captured: capturedOf(row.type, total),
    customerId,
    customer: isSame ? row.customer : await namedCustomer(world, books.accountId, customerId),
    source: change.source === undefined ? row.source : change.source,
    message: change.message === undefined ? row.message : change.message,
    meta: (change.meta ?? row.meta) as Prisma.JsonObject,
  }
  if (isDeepStrictEqual(next, row)) return undefined
  return { ...next, version: row.version + 1, updatedAt: books.now }
}

async function write(
  world: World,
  books: Books,
  asking: Asking,
  row: TransactionRow,
  next: TransactionRow,
): Promise<TransactionView> {
  const { accountId, id, total, captured, customerId, source, message, version, updatedAt } = next
  const meta = next.meta as Prisma.InputJsonObject
  const view = transactionView(next, books)
  await world.db.prisma.$transaction([
    world.db.prisma.transaction.update({
      where: { accountId_id: { accountId, id }, version: row.version },
      data: { total, captured, customerId, source, message, meta, version, updatedAt },
    }),
    eventWrite(world, {
      accountId,
      type: 'update_transaction',
      resourceId: id,
      sequence: version,
      view,
      requestId: asking.requestId,
      at: updatedAt,
    }),
  ])
  return view
}
