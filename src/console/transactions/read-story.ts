// Reads everything about one transaction, from all tables.

import { type AccountWithTeam, accountWithTeam } from '../../accounts/find-teams.ts'
import type { Batch, Deed, Delivery, Event, Transaction } from '../../generated/client.ts'
import { listDeeds } from '../../operators/deeds.ts'
import { familyOf, findTransaction } from '../../payments/transaction/find-transaction.ts'
import type { RowKey, TransactionRow } from '../../payments/transaction/transaction-row.ts'
import type { World } from '../../world.ts'

export interface TransactionStory {
  readonly account: AccountWithTeam
  readonly row: TransactionRow
  readonly children: readonly Transaction[]
  readonly events: readonly Event[]
  /** Deliveries of the payment itself and of its events. */
  readonly deliveries: readonly Delivery[]
  readonly batch: Batch | undefined
  /** Actions of operators on it. */
  readonly deeds: readonly Deed[]
}

/** A transaction with more of them shows the rest elsewhere. */
const MOST = 200

/** Undefined if there is no such transaction. */
export async function readStory(world: World, key: RowKey): Promise<TransactionStory | undefined> {
  const [row, account] = await Promise.all([
    world.db.ask(findTransaction, key),
    accountWithTeam(world, key.accountId),
  ])
  if (row === undefined || account === undefined) return undefined
  const { accountId, batchId } = row
  const [events, family, deeds, batch] = await Promise.all([
    world.db.prisma.event.findMany({
      where: { accountId, resourceId: row.id },
      orderBy: { sequence: 'desc' },
      take: MOST,
    }),
    familyOf(world.db.query, accountId, [row]),
    listDeeds(world, MOST, { subject: row.id }),
    batchId === null
      ? undefined
      : world.db.prisma.batch.findUnique({ where: { accountId_id: { accountId, id: batchId } } }),
  ])
  const deliveries = await world.db.prisma.delivery.findMany({
    where: { accountId, subjectId: { in: [row.id, ...events.map(({ id }) => id)] } },
    orderBy: { id: 'asc' },
    take: MOST,
  })
  const children = family.filter(({ referenceId }) => referenceId === row.id)
  return {
    account,
    row,
    children,
    events: events.toReversed(),
    deliveries,
    batch: batch ?? undefined,
    deeds,
  }
}
