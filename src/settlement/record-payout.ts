// Writes the parts of a gateway's payout by batch, and so the date at which the money of a batch
// arrives: with the last of the paid payouts that together hold all its transactions.
//
//   list     the contents of the payout, page by page, counted by batch
//   write    for each batch a commit: the payout's part of it, and the date of its deposit
//              a crash here: the payout is read again, and each part is written over by the same
//
// A payment without an outcome, perhaps of another merchant, keeps no other batch's deposit away:
// the payout is read again until all of its payments have one, and its part grows.
//
// The event of the deposit is written on its date, as for a date by the calendar (settle-batch.ts).

import type { Query } from '../db/database.ts'
import type { GatewayFeed, GatewayPayout, PaymentName } from '../outside/gateway/port.ts'
import { NAMED_TRANSACTIONS } from '../payments/afterwards/hold-named.ts'
import type { AfterEventResult, NewsContext } from '../payments/afterwards/record-after-event.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, readBatch } from './batch.ts'
import { findBatchWithAccount } from './batch-with-account.ts'
import { writeBatchEvent } from './close-batch.ts'
import { type BatchName, depositByPayouts, holdBatch } from './deposit-by-payouts.ts'

interface Contents {
  readonly batches: ReadonlyMap<string, BatchPart>
  /** The outcomes of some of its payments are not recorded yet. */
  readonly isEarly: boolean
}

interface BatchPart extends BatchName {
  readonly count: number
}

export async function recordPayout(
  world: World,
  context: NewsContext,
  feed: GatewayFeed,
  payout: GatewayPayout,
): Promise<AfterEventResult> {
  const { batches, isEarly } = await contentsOf(world, context, feed, payout)
  for (const part of batches.values()) await recordPart(world, context, part, payout)
  return isEarly ? 'too early' : 'written'
}

const COUNT = `
  SELECT b.account_id, b.id, count(*) FILTER (WHERE t.status = 'SUCCESS')::integer AS count,
    count(*) FILTER (WHERE t.status = 'PENDING')::integer AS early
  FROM (
    SELECT account_id, key, gateway_id, $4 AS gateway_name
    FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS p(account_id, key, gateway_id)
  ) p
  CROSS JOIN LATERAL (${NAMED_TRANSACTIONS}) t
  LEFT JOIN batch b ON b.account_id = t.account_id AND b.business_date = t.business_date
    AND t.void_id IS NULL
  GROUP BY b.account_id, b.id`

/** The money of a failed payout is in a later one, with the contents of the failed one. */
async function contentsOf(
  world: World,
  { gatewayName, place }: NewsContext,
  feed: GatewayFeed,
  { gatewayId }: GatewayPayout,
): Promise<Contents> {
  const batches = new Map<string, BatchPart>()
  const payouts = new Set([gatewayId])
  let early = 0
  for (const id of payouts) {
    for await (const { payments, recovered } of feed.partsOfPayout(place, id)) {
      for (const failed of recovered) payouts.add(failed)
      for (const row of await world.db.query(COUNT, [...columnsOf(payments), gatewayName])) {
        early += row.early
        if (row.id === null || row.count === 0) continue
        const count = (batches.get(row.id)?.count ?? 0) + row.count
        batches.set(row.id, { accountId: row.account_id, id: row.id, count })
      }
    }
  }
  return { batches, isEarly: early > 0 }
}

function columnsOf(payments: readonly PaymentName[]): readonly (readonly string[])[] {
  return [
    payments.map(({ accountId }) => accountId),
    payments.map(({ key }) => key),
    payments.map(({ gatewayId }) => gatewayId),
  ]
}

/** A payout that has failed is never paid again. */
const WRITE_PART = `
  INSERT INTO batch_payout (account_id, batch_id, gateway_name, gateway_id, status, count,
    arrives_at, reason, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5::payout_status, $6, $7, $8, $9, $9)
  ON CONFLICT (account_id, batch_id, gateway_name, gateway_id) DO UPDATE
  SET status = excluded.status, count = excluded.count, reason = excluded.reason,
    updated_at = excluded.updated_at
  WHERE batch_payout.status = 'paid'
    AND (batch_payout.status, batch_payout.count) <> (excluded.status, excluded.count)`

/** Its date moves with it. The closing of the batch holds the row as well. */
async function recordPart(
  world: World,
  { gatewayName, now, requestId }: NewsContext,
  { accountId, id, count }: BatchPart,
  { gatewayId, status, arrivesAt, reason }: GatewayPayout,
): Promise<void> {
  await world.db.commit(`batch ${accountId} ${id}`, async (query) => {
    await holdBatch(query, { accountId, id })
    const values = [accountId, id, gatewayName, gatewayId, status, count, arrivesAt, reason, now]
    await query(WRITE_PART, values)
    await moveDeposit(world, query, { accountId, id, requestId })
  })
  world.queues.nudge('settlement', { accountId, id, requestId })
}

const FIND = `SELECT ${BATCH_COLUMNS} FROM batch b WHERE b.account_id = $1 AND b.id = $2`

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

/** An unclosed batch gets its date when it is closed. */
async function moveDeposit(
  world: World,
  query: Query,
  item: BatchName & { readonly requestId: string },
): Promise<void> {
  const { accountId, id } = item
  const [found] = await query(FIND, [accountId, id])
  if (found === undefined) return
  const batch = readBatch(found)
  if (batch.status !== 'closed') return
  const arrivesAt = await depositByPayouts(query, batch)
  if (arrivesAt !== null && batch.depositAt === null) {
    await query(ARRIVE, [accountId, id, arrivesAt])
  } else if (arrivesAt === null && batch.depositAt !== null) {
    const [lost] = await query(LOSE, [accountId, id])
    const batchWithAccount = await findBatchWithAccount(query, item, undefined)
    if (lost === undefined || batchWithAccount === undefined || batch.depositedAt === null) return
    await writeBatchEvent(world, query, batchWithAccount, 'deposit_failed', readBatch(lost))
  }
}
