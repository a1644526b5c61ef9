// Reads everything about one transaction, from all tables.

import { accountWithTeam } from '../../accounts/find-teams.ts'
import type { RowKey } from '../../db/columns.ts'
import type { AuditEntry } from '../../generated/client.ts'
import { listAuditEntries } from '../../operators/audit-entries.ts'
import { isKeptRequest, refusalsOf } from '../../operators/recent-requests.ts'
import { takenBackOf } from '../../payments/afterwards/taken-back.ts'
import { familyOf, findTransaction } from '../../payments/transaction/find-transaction.ts'
import type { TransactionRow } from '../../payments/transaction/transaction-row.ts'
import type { World } from '../../world.ts'

export type TransactionStory = NonNullable<Awaited<ReturnType<typeof readStory>>>

/** A transaction with more of them shows the rest elsewhere. */
const MOST = 200

/** Actions on it, and the action that requested it, which is an action on its parent. */
async function auditEntriesOf(world: World, { id, referenceId }: TransactionRow) {
  const own = await listAuditEntries(world, MOST, { subject: id })
  if (referenceId === null) return own
  const ofParent = await listAuditEntries(world, MOST, { subject: referenceId })
  const isAboutIt = ({ detail }: AuditEntry) => Object(detail).transaction === id
  return [...own, ...ofParent.filter(isAboutIt)]
}

/** Undefined if there is no such transaction. */
export async function readStory(world: World, key: RowKey) {
  const { accountId } = key
  const [row, account] = await Promise.all([
    world.db.ask(findTransaction, key),
    accountWithTeam(world, accountId),
  ])
  if (row === undefined || account === undefined) return undefined
  const { batchId } = row
  const [events, family, entries, refusals, hasRequest, takenBack, batch] = await Promise.all([
    world.db.prisma.event.findMany({
      where: { accountId, resourceId: row.id },
      orderBy: { sequence: 'desc' },
      take: MOST,
    }),
    familyOf(world.db.query, accountId, [row]),
    auditEntriesOf(world, row),
    refusalsOf(world, row),
    isKeptRequest(world, accountId, row.requestId),
    takenBackOf(world.db.query, row),
    batchId === null
      ? undefined
      : world.db.prisma.batch.findUnique({ where: { accountId_id: { accountId, id: batchId } } }),
  ])
  const children = family.filter(({ referenceId }) => referenceId === row.id)
  const ids = [row, ...children].map(({ id }) => id)
  const ofThem = { where: { accountId, transactionId: { in: ids } }, take: MOST }
  const [disputes, reversals] = await Promise.all([
    world.db.prisma.dispute.findMany(ofThem),
    world.db.prisma.reversal.findMany(ofThem),
  ])
  const deliveries = await world.db.prisma.delivery.findMany({
    where: { accountId, subjectId: { in: [row.id, ...events.map(({ id }) => id)] } },
    orderBy: { id: 'asc' },
    take: MOST,
  })
  return {
    account,
    row,
    children,
    events: events.toReversed(),
    /** The deliveries of the payment itself and of its events. */
    deliveries,
    batch: batch ?? undefined,
    /** These, and reversals, of the payment itself and of its children. */
    disputes,
    reversals,
    /** By disputes and returned debits. */
    takenBack,
    /** Actions of operators on it. */
    entries,
    /** Requests of the last day about it that were refused. */
    refusals,
    /** Whether the request that made it is in the list of the last day. */
    hasRequest,
  }
}
