// Writes a gateway's news of a payment after its end, as a row of its own with its event, in one
// commit. The transaction stays as it is.
//
// The same news may come any number of times, and from several workers at once: the transaction is
// locked, a row has the gateway's id as a unique key, and an older answer changes nothing.

import { isClosedDispute } from '../../core/dispute.ts'
import type { Query } from '../../db/database.ts'
import { writeDeliveries } from '../../deliveries/write-deliveries.ts'
import { changeOf, writeWithEvents } from '../../events/insert-event.ts'
import type { Dispute, Reversal } from '../../generated/client.ts'
import type { GatewayDispute, GatewayReversal } from '../../outside/gateway/feed-port.ts'
import type { World } from '../../world.ts'
import {
  DISPUTE_COLUMNS,
  disputeChange,
  disputeInsertion,
  disputeView,
  readDispute,
} from './dispute.ts'
import { holdNamed } from './hold-named.ts'
import { reversalInsertion, reversalView } from './reversal.ts'

/** The feed from which the news was read, and when the gateway was asked for it. */
export interface NewsContext {
  readonly gatewayName: string
  readonly place: string
  readonly askedAt: Date
  /** In the account's time. */
  readonly now: Date
  readonly requestId: string
  /** True for news that is given up unless it is written now. */
  readonly isOverdue?: boolean
}

/**
 * `too early`: the outcome of the payment is not recorded yet. `unknown`: the gateway says that the
 * payment is ours, and no row has both our id and the gateway's.
 */
export type NewsResult = 'written' | 'nothing new' | 'too early' | 'unknown'

export async function recordPaymentNews(
  world: World,
  context: NewsContext,
  news: GatewayDispute | GatewayReversal,
): Promise<NewsResult> {
  const { accountId } = news.payment
  return world.db.commit(`after ${accountId} ${news.gatewayId}`, async (query) => {
    const transaction = await holdNamed(query, context.gatewayName, news.payment)
    if (transaction === undefined) return 'unknown'
    if (transaction.status === 'PENDING') return 'too early'
    if (news.kind === 'dispute') {
      return writeDispute(world, query, context, transaction.id, news)
    }
    // A refund that failed before it had succeeded is a refund that failed.
    if (transaction.status === 'FAILED') return 'nothing new'
    return writeReversal(world, query, context, transaction.id, news)
  })
}

const KNOWN_DISPUTE = `
  SELECT ${DISPUTE_COLUMNS} FROM dispute d
  WHERE d.account_id = $1 AND d.gateway_name = $2 AND d.gateway_id = $3
  FOR NO KEY UPDATE`

async function writeDispute(
  world: World,
  query: Query,
  { gatewayName, place, askedAt, now, requestId }: NewsContext,
  transactionId: string,
  news: GatewayDispute,
): Promise<NewsResult> {
  const { accountId } = news.payment
  const [found] = await query(KNOWN_DISPUTE, [accountId, gatewayName, news.gatewayId])
  const known = found && readDispute(found)
  if (known !== undefined && known.readAt >= askedAt) return 'nothing new'
  const { status, reason, amount, currency, openedAt } = news
  // After that nobody can answer, and the bank may decide weeks later.
  const respondBy = news.respondBy !== null && news.respondBy > now ? news.respondBy : null
  const closedAt = isClosedDispute(status) ? (known?.closedAt ?? now) : null
  const reported = { status, reason, amount, currency, respondBy, closedAt }
  const row: Dispute =
    known === undefined
      ? {
          ...reported,
          accountId,
          id: world.newId(),
          transactionId,
          gatewayName,
          gatewayId: news.gatewayId,
          place,
          openedAt,
          readAt: askedAt,
          version: 1,
          createdAt: now,
          updatedAt: now,
        }
      : { ...known, ...reported, readAt: askedAt, version: known.version + 1, updatedAt: now }
  if (known !== undefined && !isChanged(known, row)) return 'nothing new'
  const type = known === undefined ? 'create_dispute' : 'update_dispute'
  const change = changeOf(type, row, disputeView(row), { requestId })
  const write = known === undefined ? disputeInsertion : disputeChange
  await writeWithEvents(world, query, write, [row], [change])
  return 'written'
}

function isChanged(before: Dispute, after: Dispute): boolean {
  const shown = (row: Dispute) => JSON.stringify({ ...disputeView(row), updated_at: null })
  return shown(before) !== shown(after)
}

const KNOWN_REVERSAL = `
  SELECT FROM reversal WHERE account_id = $1 AND gateway_name = $2 AND gateway_id = $3`

async function writeReversal(
  world: World,
  query: Query,
  { gatewayName, now: createdAt, requestId }: NewsContext,
  transactionId: string,
  { kind, payment: { accountId }, gatewayId, reason, amount, currency }: GatewayReversal,
): Promise<NewsResult> {
  const known = await query(KNOWN_REVERSAL, [accountId, gatewayName, gatewayId])
  if (known.length > 0) return 'nothing new'
  const common = { accountId, id: world.newId(), transactionId, gatewayName, gatewayId }
  const row: Reversal = { ...common, kind, reason, amount, currency, createdAt }
  const created = { ...row, version: 1, updatedAt: createdAt }
  const change = changeOf('create_reversal', created, reversalView(row), { requestId })
  await writeWithEvents(world, query, reversalInsertion, [row], [change])
  if (kind === 'refund_failed') await correctReceipts(world, query, row, requestId)
  return 'written'
}

/**
 * The addresses of its receipts. One that failed for good did not arrive, unless a provider was
 * silent about it.
 */
const REACHED = `
  SELECT channel, array_agg(recipient ORDER BY id) AS recipients FROM delivery
  WHERE account_id = $1 AND subject_id = $2 AND subject = 'transaction'
    AND (status <> 'parked' OR history @> '[{"answer": "silent"}]')
  GROUP BY channel`

/** The same message again shows the transaction as it is now: the refund has failed. */
async function correctReceipts(
  world: World,
  query: Query,
  { accountId, id, transactionId: subjectId }: Reversal,
  requestId: string,
): Promise<void> {
  const reached = await query(REACHED, [accountId, subjectId])
  const corrections = reached.map(({ channel, recipients }) => ({
    accountId,
    channel,
    subject: 'transaction' as const,
    subjectId,
    recipients,
    request: id,
    requestId,
  }))
  await writeDeliveries(world, query, ...corrections)
}
