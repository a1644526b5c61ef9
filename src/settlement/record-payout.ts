// Writes the parts of a gateway's payout by batch, and so the date at which the money of a batch
// arrives: with the last of the paid payouts that together hold all its transactions.
//
//   list     the contents of the payout, page by page, counted by batch
//   write    for each batch a commit: the payout's part of it, and the date of its deposit
//              a crash here: the payout is read again, and each part is written over by the same
//
// Only a closed batch has parts: until then a void can still take a payment out of it, or bring one
// back. A payment whose batch is not closed, or that has no outcome, is perhaps another merchant's
// and keeps no other batch's deposit away: the payout is read again until it is.
//
// The event of the deposit is written on its date, as for a date by the calendar (settle-batch.ts).

import assert from 'node:assert'
import type { Cents } from '../core/money.ts'
import type { ExtraKind, PayoutExtras } from '../core/payout.ts'
import { arraysOf } from '../db/arrays-of.ts'
import type { Query } from '../db/database.ts'
import type { GatewayFeed, GatewayPayout } from '../outside/gateway/feed-port.ts'
import { NAMED_TRANSACTIONS } from '../payments/afterwards/hold-named.ts'
import type { NewsContext, NewsResult } from '../payments/afterwards/record-payment-news.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, holdBatch, readBatch } from './batch.ts'
import { findBatchWithAccount } from './batch-with-account.ts'
import { writeBatchEvent } from './close-batch.ts'
import { countReported, depositByPayouts } from './deposit-by-payouts.ts'

interface Contents {
  readonly batches: ReadonlyMap<string, BatchPart>
  readonly extras: PayoutExtras
  /** Some of its payments are not in a closed batch yet. */
  readonly isEarly: boolean
}

interface BatchPart {
  readonly accountId: string
  readonly id: string
  readonly businessDate: string
  readonly count: number
  readonly amount: Cents
  readonly fees: Cents
}

/** Null if they are not in US dollars. */
interface PayoutAmounts {
  readonly amount: Cents | null
  /** What no batch has of it. */
  readonly other: Cents | null
  /** The parts of that which have a kind, by kind. */
  readonly extras: PayoutExtras | null
}

export async function recordPayout(
  world: World,
  context: NewsContext,
  feed: GatewayFeed,
  payout: GatewayPayout,
): Promise<NewsResult> {
  const { batches, extras, isEarly } = await contentsOf(world, context, feed, payout)
  const amounts = amountsOf(payout, [...batches.values()], extras)
  for (const part of batches.values()) await recordPart(world, context, part, payout, amounts)
  return isEarly ? 'too early' : 'written'
}

function amountsOf(
  { amount }: GatewayPayout,
  parts: readonly BatchPart[],
  extras: PayoutExtras,
): PayoutAmounts {
  if (amount === null) return { amount, other: null, extras: null }
  const other = parts.reduce((left, part) => left - (part.amount - part.fees), amount)
  return { amount, other, extras }
}

const IS_COUNTED = "t.status = 'SUCCESS' AND b.status = 'closed'"

const COUNT = `
  SELECT b.account_id, b.id, b.business_date::text AS date,
    count(*) FILTER (WHERE ${IS_COUNTED})::integer AS count,
    coalesce(sum(p.amount) FILTER (WHERE ${IS_COUNTED}), 0)::bigint AS amount,
    coalesce(sum(p.fee) FILTER (WHERE ${IS_COUNTED}), 0)::bigint AS fees,
    count(*) FILTER (WHERE t.status = 'PENDING' OR b.status <> 'closed'
      OR (t.void_id IS NOT NULL AND NOT t.is_voided))::integer AS early
  FROM (
    SELECT account_id, key, gateway_id, amount, fee, $6 AS gateway_name
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[])
      AS p(account_id, key, gateway_id, amount, fee)
  ) p
  CROSS JOIN LATERAL (${NAMED_TRANSACTIONS}) t
  LEFT JOIN batch b ON b.account_id = t.account_id AND b.business_date = t.business_date
    AND t.void_id IS NULL
  GROUP BY b.account_id, b.id, b.business_date`

/** The money of a failed payout is in a later one, with the contents of the failed one. */
async function contentsOf(
  world: World,
  { gatewayName, place }: NewsContext,
  feed: GatewayFeed,
  { gatewayId }: GatewayPayout,
): Promise<Contents> {
  const batches = new Map<string, BatchPart>()
  const payouts = new Set([gatewayId])
  const extras: Partial<Record<ExtraKind, number>> = {}
  let early = 0
  assert(feed.partsOfPayout !== undefined, 'a gateway with payouts lists what they hold')
  for (const id of payouts) {
    for await (const { payments, extras: more, recovered } of feed.partsOfPayout(place, id)) {
      for (const failed of recovered) payouts.add(failed)
      for (const { kind, net } of more) extras[kind] = (extras[kind] ?? 0) + Number(net)
      const named = arraysOf(payments, 'accountId', 'key', 'gatewayId', 'amount', 'fee')
      for (const row of await world.db.query(COUNT, [...named, gatewayName])) {
        early += row.early
        if (row.id === null || row.count === 0) continue
        const { account_id: accountId, id, date: businessDate } = row
        const before = batches.get(id) ?? { count: 0, amount: 0n, fees: 0n }
        const count = before.count + row.count
        const amount = before.amount + BigInt(row.amount)
        const fees = before.fees + BigInt(row.fees)
        batches.set(id, { accountId, id, businessDate, count, amount, fees })
      }
    }
  }
  return { batches, extras, isEarly: early > 0 }
}

/** A payout that has failed is never paid again. */
const WRITE_PART = `
  INSERT INTO batch_payout (account_id, batch_id, gateway_name, gateway_id, status, count,
    arrives_at, reason, created_at, updated_at, amount, fees, payout_amount, payout_other,
    payout_extras)
  VALUES ($1, $2, $3, $4, $5::payout_status, $6, $7, $8, $9, $9, $10, $11, $12, $13, $14::jsonb)
  ON CONFLICT (account_id, batch_id, gateway_name, gateway_id) DO UPDATE
  SET status = excluded.status, count = excluded.count, reason = excluded.reason,
    updated_at = excluded.updated_at, amount = excluded.amount, fees = excluded.fees,
    payout_amount = excluded.payout_amount, payout_other = excluded.payout_other,
    payout_extras = excluded.payout_extras
  WHERE batch_payout.status = 'paid'
    AND (batch_payout.status, batch_payout.count, batch_payout.amount, batch_payout.fees,
        batch_payout.payout_amount, batch_payout.payout_other, batch_payout.payout_extras)
      IS DISTINCT FROM (excluded.status, excluded.count, excluded.amount, excluded.fees,
        excluded.payout_amount, excluded.payout_other, excluded.payout_extras)`

/** The date of the deposit moves with it. Several payouts of a batch wait for each other. */
async function recordPart(
  world: World,
  { gatewayName, now, requestId }: NewsContext,
  { accountId, id, businessDate, count, amount, fees }: BatchPart,
  { gatewayId, status, arrivesAt, reason }: GatewayPayout,
  payout: PayoutAmounts,
): Promise<void> {
  const reported = await countReported(world, accountId, businessDate)
  await world.db.commit(`batch ${accountId} ${id}`, async (query) => {
    const batch = await holdBatch(query, { accountId, id }, 'FOR NO KEY UPDATE')
    if (batch === undefined) return
    const named = [accountId, id, gatewayName, gatewayId]
    const own = payout.amount === null ? [null, null] : [amount, fees]
    const extras = payout.extras && JSON.stringify(payout.extras)
    const amounts = [...own, payout.amount, payout.other, extras]
    await query(WRITE_PART, [...named, status, count, arrivesAt, reason, now, ...amounts])
    await query(ADD_UP_FEES, [accountId, id])
    const paidAt = await depositByPayouts(query, batch, reported)
    if (paidAt !== null && batch.depositAt === null) {
      await query(ARRIVE, [accountId, id, paidAt])
    } else if (paidAt === null && batch.depositAt !== null && status === 'failed') {
      await loseDeposit(world, query, batch, requestId)
    }
  })
  world.queues.nudge('settlement', { accountId, id, requestId })
}

/**
 * Known once paid payouts hold each transaction of the batch once. A failed payout whose failure
 * is not read yet, beside the later one with the same money, would count them twice.
 */
const ADD_UP_FEES = `
  UPDATE batch b SET fees = (
    SELECT CASE WHEN sum(p.count) = b.count AND count(p.fees) = count(*) THEN sum(p.fees) END
    FROM batch_payout p
    WHERE p.account_id = b.account_id AND p.batch_id = b.id AND p.status = 'paid')
  WHERE b.account_id = $1 AND b.id = $2`

/** While events are being written, their last chunk makes the deposit due. */
const ARRIVE = `
  UPDATE batch b SET deposit_at = $3,
    due_at = CASE WHEN events_written < count THEN b.due_at ELSE $3 END
  WHERE b.account_id = $1 AND b.id = $2`

const LOSE = `
  UPDATE batch b SET deposit_at = NULL, deposited_at = NULL, version = b.version + 1,
    due_at = CASE WHEN events_written < count THEN b.due_at END
  WHERE b.account_id = $1 AND b.id = $2
  RETURNING ${BATCH_COLUMNS}`

/** An event says so if one has said that the money arrived. */
async function loseDeposit(
  world: World,
  query: Query,
  { accountId, id, depositedAt }: BatchRow,
  requestId: string,
): Promise<void> {
  const [lost] = await query(LOSE, [accountId, id])
  const batchWithAccount = await findBatchWithAccount(
    query,
    { accountId, id, requestId },
    undefined,
  )
  if (lost === undefined || batchWithAccount === undefined || depositedAt === null) return
  await writeBatchEvent(world, query, batchWithAccount, 'deposit_failed', readBatch(lost))
}
