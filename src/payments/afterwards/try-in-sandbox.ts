// Disputes and reversals of a sandbox account, at the merchant's request: the merchant's system
// sees the rows and the events that a live gateway would cause. No money moves.

import type { Caller } from '../../accounts/find-caller.ts'
import type { DisputeStatus, ReversalKind } from '../../core/dispute.ts'
import { Refusal, wrongField } from '../../core/errors.ts'
import type { Cents } from '../../core/money.ts'
import { orNotFound } from '../../core/or-not-found.ts'
import { after, DAY } from '../../core/time-units.ts'
import type { Dispute, Reversal, Transaction } from '../../generated/client.ts'
import type { World } from '../../world.ts'
import { findTransaction } from '../transaction/find-transaction.ts'
import { type NewsContext, recordPaymentNews } from './record-payment-news.ts'

/** About as long as the card networks grant. */
const TO_ANSWER_MS = 20 * DAY

interface TrialDispute {
  readonly transactionId: string
  readonly status: DisputeStatus
  /** If undefined, that of the dispute so far, or the whole transaction. */
  readonly amount: Cents | undefined
}

/** A second one of the same transaction changes the first. */
export async function tryDispute(
  world: World,
  caller: Caller,
  requestId: string,
  { transactionId, status, amount }: TrialDispute,
): Promise<Dispute> {
  const row = await findSucceeded(world, caller, transactionId)
  if (row.type !== 'charge' && row.type !== 'capture') {
    throw refused('only a charge or a capture can be disputed')
  }
  if (amount !== undefined && amount > row.total) {
    throw wrongField('amount', 'must not be more than the transaction')
  }
  const gatewayName = `${row.gatewayName}`
  const gatewayId = `sbx_dispute_${row.id}`
  const key = { accountId: row.accountId, gatewayName, gatewayId }
  const where = { accountId_gatewayName_gatewayId: key }
  const known = await world.db.prisma.dispute.findUnique({ where })
  const now = world.accountNow(caller)
  const isAsked = status === 'needs_response' || status === 'warning'
  await recordPaymentNews(world, contextOf(world, caller, requestId), {
    kind: 'dispute',
    payment: nameOf(row),
    gatewayId,
    amount: amount ?? known?.amount ?? row.total,
    currency: row.currency,
    reason: 'general',
    status,
    respondBy: isAsked ? after(now, TO_ANSWER_MS) : null,
    openedAt: now,
  })
  return world.db.prisma.dispute.findUniqueOrThrow({ where })
}

interface TrialReversal {
  readonly transactionId: string
  readonly reason: string | undefined
}

/** A repeat returns the same one. */
export async function tryReversal(
  world: World,
  caller: Caller,
  requestId: string,
  { transactionId, reason }: TrialReversal,
): Promise<Reversal> {
  const row = await findSucceeded(world, caller, transactionId)
  const kind = kindOf(row)
  const gatewayId = `sbx_reversal_${row.id}`
  await recordPaymentNews(world, contextOf(world, caller, requestId), {
    kind,
    payment: nameOf(row),
    gatewayId,
    amount: row.total,
    currency: row.currency,
    reason: reason ?? (kind === 'refund_failed' ? 'lost_or_stolen_card' : 'no_account'),
  })
  const gatewayName = `${row.gatewayName}`
  const key = { accountId: row.accountId, gatewayName, gatewayId }
  const where = { accountId_gatewayName_gatewayId: key }
  return world.db.prisma.reversal.findUniqueOrThrow({ where })
}

function kindOf({ type, method }: Transaction): ReversalKind {
  if (type === 'refund') return 'refund_failed'
  if (type === 'charge' && method === 'bank') return 'debit_returned'
  throw refused('only a refund or a charge of a bank account can be reversed')
}

async function findSucceeded(
  world: World,
  { accountId, mode }: Caller,
  id: string,
): Promise<Transaction> {
  if (mode !== 'sandbox') throw new Refusal('sandbox_only')
  const row = orNotFound(await world.db.ask(findTransaction, { accountId, id }))
  if (row.status === 'SUCCESS' && row.authId !== null) return row
  throw refused('the transaction has not succeeded at a gateway')
}

function refused(message: string): Refusal {
  return new Refusal('wrong_state', { message })
}

function contextOf(world: World, caller: Caller, requestId: string): NewsContext {
  const askedAt = world.clock.now()
  const gatewayName = world.gateways.require(caller).name
  return { gatewayName, place: '', askedAt, requestId, now: world.accountNow(caller) }
}

function nameOf({ accountId, id: key, authId }: Transaction) {
  return { accountId, key, gatewayId: `${authId}` }
}
