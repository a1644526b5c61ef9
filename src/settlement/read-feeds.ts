// The job `gateway_feed`: reads the gateways' news of payments after their end. Events that a
// gateway sends only make its feed due at once. Without them everything is read within half an
// hour.
//
//   claim    the feed is due again soon
//   read     what has changed since the last reading, and the open disputes once more
//   write    each by itself, with its event (record-after-event.ts, record-payout.ts)
//   record   the instant up to which all is written, when all could be read, and when the feed
//              is due again
//
// If it dies, or the gateway is silent, the feed is due again and is read from the same instant.
// News that was written before stays as it is. One feed's failure leaves the others alone, and one
// news that cannot be read or written yet leaves the other news alone.

import { BEFORE_ALL_IDS } from '../core/id.ts'
import { after, DAY, later, MINUTE } from '../core/time-units.ts'
import type { AfterEvent, GatewayChange, GatewayFeed } from '../outside/gateway/feed-port.ts'
import {
  type AfterEventResult,
  type NewsContext,
  recordAfterEvent,
} from '../payments/afterwards/record-after-event.ts'
import { recordHoldEnd } from '../payments/afterwards/record-hold-end.ts'
import type { World } from '../world.ts'
import { recordPayout } from './record-payout.ts'

/** How late news may be without the gateway's events. */
export const FEED_EVERY_MS = 30 * MINUTE

/** After a failure. Two readers at once do no harm. */
const RETRY_MS = 5 * MINUTE

/** Clocks differ, and a gateway may list an event a moment after its instant. */
const OVERLAP_MS = 15 * MINUTE

/** More of one kind that fail are an outage, or a right that our key lacks. */
const MOST_FAILURES = 10

/** News that could not be read or written for this long is given up, and logged. */
const EARLY_MS = 10 * DAY

/** Places of live accounts, kept when an account moves to another: its payments stay. */
const FOUND = `
  INSERT INTO gateway_feed (gateway_name, place, read_through, due_at)
  SELECT DISTINCT $1, coalesce(gateway_account, ''), $2::timestamptz, $2::timestamptz
  FROM account WHERE mode = 'live'
  ON CONFLICT DO NOTHING`

const CLAIM = `
  UPDATE gateway_feed SET due_at = $2
  WHERE (gateway_name, place) = (
    SELECT gateway_name, place FROM gateway_feed
    WHERE due_at <= $1 AND gateway_name = ANY($3)
    ORDER BY due_at LIMIT 1
    FOR UPDATE SKIP LOCKED
  )
  RETURNING gateway_name, place, read_through`

/** News that came meanwhile has made the feed due, and it stays due. */
const RECORD = `
  UPDATE gateway_feed SET read_through = greatest(read_through, $3),
    read_at = coalesce($6, read_at),
    due_at = CASE WHEN due_at = $4 THEN $5 ELSE due_at END
  WHERE gateway_name = $1 AND place = $2`

/** Returns how many feeds it has read. */
export async function readFeeds(world: World): Promise<number> {
  const named = world.gateways.reporting
  for (const name of named) await world.db.query(FOUND, [name, world.clock.now()])
  for (let read = 0; ; read += 1) {
    if (named.length === 0 || !world.queues.takesWork) return read
    const now = world.clock.now()
    const claimedUntil = after(now, RETRY_MS)
    const [row] = await world.db.query(CLAIM, [now, claimedUntil, named])
    if (row === undefined) return read
    const { gateway_name: gatewayName, place, read_through: readThrough } = row
    try {
      const { through, readAt } = await readFeed(world, { gatewayName, place }, readThrough)
      const values = [gatewayName, place, through, claimedUntil, after(now, FEED_EVERY_MS), readAt]
      await world.db.query(RECORD, values)
    } catch (err) {
      world.log.warn({ err, gateway: gatewayName, place }, 'the news of a gateway was not read')
    }
  }
}

type FeedKey = Pick<NewsContext, 'gatewayName' | 'place'>

interface FeedRead {
  /** Everything up to here is written, or given up. */
  readonly through: Date
  /** Null if something could not be read or written. */
  readonly readAt: Date | null
}

async function readFeed(world: World, at: FeedKey, readThrough: Date): Promise<FeedRead> {
  const began = world.clock.now()
  const { feed } = world.gateways.named(at.gatewayName)
  if (feed === undefined) return { through: readThrough, readAt: null }
  const requestId = world.newId()
  const giveUpBefore = after(began, -EARLY_MS)
  const failures: string[] = []
  let isAllWritten = true
  for await (const change of feed.since(at.place, after(readThrough, -OVERLAP_MS))) {
    const isOutage = failures.filter((kind) => kind === change.kind).length >= MOST_FAILURES
    const recorded = isOutage ? FAILED : await recordChange(world, at, feed, change, requestId)
    if (recorded.result === 'failed') failures.push(change.kind)
    if (WHY_LOST[recorded.result] === undefined) continue
    const isGivenUp = recorded.result === 'unknown' || change.changedAt < giveUpBefore
    if (isGivenUp) reportLost(world, at, change, recorded)
    else isAllWritten = false
  }
  await readOpenDisputes(world, feed, at, requestId)
  return {
    through: isAllWritten ? began : later(readThrough, giveUpBefore),
    readAt: failures.length === 0 ? began : null,
  }
}

interface Recorded {
  readonly result: AfterEventResult | 'failed'
  readonly event: AfterEvent | undefined
}

const FAILED: Recorded = { result: 'failed', event: undefined }

/** Asking again would not help, so only a person can find out why. */
const WHY_LOST: Readonly<Partial<Record<Recorded['result'], string>>> = {
  unknown: 'no payment has its ids',
  'too early': 'a payment of it has no outcome after ten days',
  failed: 'it could not be read for ten days',
}

function reportLost(
  world: World,
  at: FeedKey,
  { kind, gatewayId }: GatewayChange,
  { result, event }: Recorded,
): void {
  const payment = event !== undefined && 'payment' in event ? event.payment : undefined
  const about = { ...at, kind, gatewayId, account_id: payment?.accountId, id: payment?.key }
  world.metrics.lostNews.inc({ gateway: at.gatewayName, kind })
  world.log.error(about, `one news of a gateway is not written: ${WHY_LOST[result]}`)
}

async function recordChange(
  world: World,
  at: FeedKey,
  feed: GatewayFeed,
  { kind, gatewayId, read }: GatewayChange,
  requestId: string,
): Promise<Recorded> {
  const askedAt = world.clock.now()
  try {
    const event = await read()
    if (event === undefined) return { result: 'nothing new', event }
    const context = { ...at, askedAt, now: world.clock.now(), requestId }
    return { result: await recordEvent(world, context, feed, event), event }
  } catch (err) {
    world.log.error({ err, ...at, kind, gatewayId }, 'one news of a gateway was not written')
    return FAILED
  }
}

function recordEvent(
  world: World,
  context: NewsContext,
  feed: GatewayFeed,
  event: AfterEvent,
): Promise<AfterEventResult> {
  switch (event.kind) {
    case 'payout':
      return recordPayout(world, context, feed, event)
    case 'hold_ended':
      return recordHoldEnd(world, context, event)
    case 'debit_returned':
    case 'dispute':
    case 'refund_failed':
      return recordAfterEvent(world, context, event)
  }
}

/** Disputes on one page. */
const PAGE = 100

const OPEN = `
  SELECT id, gateway_id FROM dispute
  WHERE gateway_name = $1 AND place = $2 AND closed_at IS NULL AND id > $3
  ORDER BY id LIMIT ${PAGE}`

/**
 * An event that was missed for any reason is made up for. A dispute that fails is read again next
 * time, wherever the news are read from.
 */
async function readOpenDisputes(
  world: World,
  feed: GatewayFeed,
  at: FeedKey,
  requestId: string,
): Promise<void> {
  let failures = 0
  let last: string | undefined = BEFORE_ALL_IDS
  while (last !== undefined) {
    const page = await world.db.query(OPEN, [at.gatewayName, at.place, last])
    for (const { gateway_id } of page) {
      try {
        const askedAt = world.clock.now()
        const dispute = await feed.findDispute(at.place, gateway_id)
        if (dispute === undefined) continue
        const context = { ...at, askedAt, now: world.clock.now(), requestId }
        await recordAfterEvent(world, context, dispute)
      } catch (err) {
        failures += 1
        if (failures >= MOST_FAILURES) throw err
        world.log.error({ err, ...at, gatewayId: gateway_id }, 'one open dispute was not read')
      }
    }
    last = page.length === PAGE ? page.at(-1)?.id : undefined
  }
}
