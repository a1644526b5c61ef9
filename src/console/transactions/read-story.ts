// Reads everything about one transaction, from all tables.

import { type AccountWithTeam, accountWithTeam } from '../../accounts/find-teams.ts'
import type { Cents } from '../../core/money.ts'
import type {
  AuditEntry,
  Batch,
  Delivery,
  Dispute,
  Event,
  Reversal,
  Transaction,
} from '../../generated/client.ts'
import { listAuditEntries } from '../../operators/audit-entries.ts'
import { type KeptRequest, refusalsOf } from '../../operators/recent-requests.ts'
import { takenBackOf } from '../../payments/afterwards/taken-back.ts'
import { familyOf, findTransaction } from '../../payments/transaction/find-transaction.ts'
import type { TransactionRow } from '../../payments/transaction/transaction-row.ts'
import type { World } from '../../world.ts'

export interface TransactionStory {
  readonly account: AccountWithTeam
  readonly row: TransactionRow
  readonly children: readonly Transaction[]
  readonly events: readonly Event[]
  /** Deliveries of the payment itself and of its events. */
  readonly deliveries: readonly Delivery[]
  readonly batch: Batch | undefined
  /** These, and reversals, of the payment itself and of its children. */
  readonly disputes: readonly Dispute[]
  readonly reversals: readonly Reversal[]
  /** By disputes and returned debits. */
  readonly takenBack: Cents
  /** Actions of operators on it. */
  readonly entries: readonly AuditEntry[]
  /** Requests of the last day about it that were refused. */
  readonly refusals: readonly KeptRequest[]
}

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
export async function readStory(
  world: World,
  accountId: string,
  id: string,
): Promise<TransactionStory | undefined> {
  const [row, account] = await Promise.all([
    world.db.ask(findTransaction, { accountId, id }),
    accountWithTeam(world, accountId),
  ])
  if (row === undefined || account === undefined) return undefined
  const { batchId } = row
  const [events, family, entries, refusals, takenBack, batch] = await Promise.all([
    world.db.prisma.event.findMany({
      where: { accountId, resourceId: row.id },
      orderBy: { sequence: 'desc' },
      take: MOST,
    }),
    familyOf(world.db.query, accountId, [row]),
    auditEntriesOf(world, row),
    refusalsOf(world, row),
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
    deliveries,
    batch: batch ?? undefined,
    disputes,
    reversals,
    takenBack,
    entries,
    refusals,
  }
}
