// The job `gateway_feed`: reads the gateways' news of payments after their end. Events that a
// gateway sends only make its feed due at once. Without them everything is read within half an
// hour.
//
//   claim    the feed is due again soon
//   read     the open disputes and old holds once more, and what has changed since the last reading
//   write    each by itself, with its event (record-payment-news.ts, record-payout.ts)
//   record   the instant up to which all is written, when all could be read, and when the feed
//              is due again
//
// If it dies, or the gateway is silent, the feed is due again and is read from the same instant.
// News that was written before stays as it is. One feed's failure leaves the others alone, and news
// that cannot be read or written yet leaves the other news alone.

import { firstIdAt, msOfId } from '../core/id.ts'
import { storableParts } from '../core/text.ts'
import { after, DAY, later, MINUTE } from '../core/time-units.ts'
import {
  type GatewayChange,
  type GatewayFeed,
  type GatewayNews,
  NoAccess,
} from '../outside/gateway/feed-port.ts'
import { recordHoldEnd } from '../payments/afterwards/record-hold-end.ts'
import {
  type NewsContext,
  type NewsResult,
  recordPaymentNews,
} from '../payments/afterwards/record-payment-news.ts'
import type { World } from '../world.ts'
import { recordPayout } from './record-payout.ts'

/** How late news may be without the gateway's events. */
export const FEED_EVERY_MS = 30 * MINUTE

/** After a failure. Two readers at once do no harm. */
const RETRY_MS = 5 * MINUTE

/** Clocks differ, and a gateway may list an event a moment after its instant. */
const OVERLAP_MS = 15 * MINUTE

/** More of one kind that fail one way are an outage, or a right that our key lacks. */
const MOST_FAILURES = 5

/** News that could not be read or written for this long is given up, and logged. */
const EARLY_MS = 10 * DAY

/** Places of live accounts, kept when an account moves to another: its payments stay. */
const FOUND = `
  INSERT INTO gateway_feed (gateway_name, place, read_through, due_at)
  SELECT DISTINCT $1, CASE WHEN $3 THEN coalesce(gateway_account, '') ELSE '' END,
    $2::timestamptz, $2::timestamptz
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
  const { reporting } = world.gateways
  for (const { feed, name } of reporting) {
    await world.db.query(FOUND, [name, world.clock.now(), feed?.hasPlaces === true])
  }
  const named = reporting.map(({ name }) => name)
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
      if (err instanceof NoAccess) await leave(world, { gatewayName, place })
    }
  }
}

/** A gateway lists no older changes, so there is nothing left to make up for. */
const LEFT_AFTER_MS = 30 * DAY

const LEAVE = `
  DELETE FROM gateway_feed f
  WHERE gateway_name = $1 AND place = $2 AND read_through < $3
    AND NOT EXISTS (
      SELECT FROM account WHERE mode = 'live' AND coalesce(gateway_account, '') = f.place
    )
    AND NOT EXISTS (
      SELECT FROM dispute
      WHERE gateway_name = f.gateway_name AND place = f.place AND closed_at IS NULL
    )
  RETURNING place`

/** A merchant who has left, and disconnected their account, must not be a fault for ever. */
async function leave({ clock, db, log }: World, { gatewayName, place }: FeedKey): Promise<void> {
  const values = [gatewayName, place, after(clock.now(), -LEFT_AFTER_MS)]
  const left = await db.query(LEAVE, values)
  if (left.length === 0) return
  log.warn({ gateway: gatewayName, place }, 'a former account of a gateway is not read any more')
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
  const record = (change: GatewayChange) => {
    const isOverdue = change.changedAt < giveUpBefore
    return recordChange(world, { ...at, requestId, isOverdue }, feed, change)
  }
  // Before the changes, since the gateway may fail to list them.
  const open = [
    ...(await openDisputes(world, feed, at)),
    ...(await oldHolds(world, feed, at, began)),
  ]
  const reread = await recordAll(open, record)
  const changes: GatewayChange[] = []
  for await (const change of feed.since(at.place, after(readThrough, -OVERLAP_MS)))
    changes.push(change)
  const results = await recordAll(changes, record)
  let isAllWritten = reread.size === open.length
  let isAllRead = isAllWritten && [...reread.values()].every(({ result }) => result !== 'failed')
  for (const change of changes) {
    const recorded = results.get(change) ?? FAILED
    if (WHY_LOST[recorded.result] === undefined) continue
    if (recorded.result === 'failed') isAllRead = false
    const isGivenUp = recorded.result === 'unknown' || change.changedAt < giveUpBefore
    if (isGivenUp) reportLost(world, at, change, recorded)
    else isAllWritten = false
  }
  return {
    through: isAllWritten ? began : later(readThrough, giveUpBefore),
    readAt: isAllRead ? began : null,
  }
}

/**
 * Both ways: from the oldest on, and then from the newest back. So those of a kind that fail keep
 * no newer ones away. The others of that kind have no result if as many fail again.
 */
async function recordAll(
  changes: readonly GatewayChange[],
  record: (change: GatewayChange) => Promise<Recorded>,
): Promise<ReadonlyMap<GatewayChange, Recorded>> {
  const results = new Map<GatewayChange, Recorded>()
  for (const oneWay of [changes, changes.toReversed()]) {
    const failures: string[] = []
    for (const change of oneWay) {
      const isOutage = failures.filter((kind) => kind === change.kind).length >= MOST_FAILURES
      if (isOutage || results.has(change)) continue
      const recorded = await record(change)
      results.set(change, recorded)
      if (recorded.result === 'failed') failures.push(change.kind)
    }
  }
  return results
}

interface Recorded {
  readonly result: NewsResult | 'failed'
  readonly event: GatewayNews | undefined
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
  at: Omit<NewsContext, 'askedAt' | 'now'>,
  feed: GatewayFeed,
  { kind, gatewayId, read }: GatewayChange,
): Promise<Recorded> {
  const askedAt = world.clock.now()
  try {
    const event = storableParts(await read())
    if (event === undefined) return { result: 'nothing new', event }
    const context = { ...at, askedAt, now: world.clock.now() }
    return { result: await recordEvent(world, context, feed, event), event }
  } catch (err) {
    const { gatewayName, place } = at
    world.log.error(
      { err, gatewayName, place, kind, gatewayId },
      'one news of a gateway was not written',
    )
    return FAILED
  }
}

function recordEvent(
  world: World,
  context: NewsContext,
  feed: GatewayFeed,
  event: GatewayNews,
): Promise<NewsResult> {
  switch (event.kind) {
    case 'payout':
      return recordPayout(world, context, feed, event)
    case 'hold_ended':
      return recordHoldEnd(world, context, event)
    case 'debit_returned':
    case 'dispute':
    case 'refund_failed':
      return recordPaymentNews(world, context, event)
  }
}

const OPEN = `
  SELECT id, gateway_id, read_at FROM dispute
  WHERE gateway_name = $1 AND place = $2 AND closed_at IS NULL
  ORDER BY id`

/**
 * An event that was missed for any reason is made up for. A dispute that fails is read again next
 * time, wherever the news are read from.
 */
async function openDisputes(
  world: World,
  feed: GatewayFeed,
  { gatewayName, place }: FeedKey,
): Promise<readonly GatewayChange[]> {
  const rows = await world.db.query(OPEN, [gatewayName, place])
  return rows.map(({ id, gateway_id: gatewayId, read_at: changedAt }) => ({
    kind: 'open_dispute',
    gatewayId,
    changedAt,
    async read() {
      const dispute = await feed.findDispute(place, gatewayId)
      const about = { gateway: gatewayName, place, gatewayId, id }
      if (dispute === undefined) world.log.warn(about, UNKNOWN_DISPUTE)
      return dispute
    },
  }))
}

const UNKNOWN_DISPUTE =
  'the gateway does not know an open dispute: see how it ends in its former account, ' +
  'and record that with `lamplighter disputes end`'

/** Hardly a hold ends by itself sooner, and none lasts longer. */
const [HOLDS_LAST_MS, HOLDS_END_MS] = [5 * DAY, 35 * DAY]

/** Only live accounts have holds at a gateway with a feed. */
export const OLD_HOLDS = `
  SELECT account_id, id, auth_id FROM transaction
  WHERE gateway_name = $1 AND id >= $2 AND id < $3 AND auth_id IS NOT NULL
    AND type = 'pre_auth' AND status = 'SUCCESS' AND hold_ended_at IS NULL AND NOT is_voided
  ORDER BY row_number() OVER (PARTITION BY account_id ORDER BY id), id
  LIMIT $4`

const MOST_HOLDS = 500

/**
 * They are few: each that has ended is asked about once. The oldest of every account comes before
 * the second of any, so that no account with many long holds keeps those of others waiting.
 *
 * When it ended is not known. It counts as the first instant at which it may have, so that a
 * follow-up that waits for a person does not keep the end waiting for good.
 */
async function oldHolds(
  world: World,
  { findHoldEnd }: GatewayFeed,
  { gatewayName }: FeedKey,
  now: Date,
): Promise<readonly GatewayChange[]> {
  if (findHoldEnd === undefined) return []
  const [oldest, newest] = [after(now, -HOLDS_END_MS), after(now, -HOLDS_LAST_MS)]
  const values = [gatewayName, firstIdAt(oldest), firstIdAt(newest), MOST_HOLDS]
  const rows = await world.db.query(OLD_HOLDS, values)
  return rows.map(({ account_id: accountId, id: key, auth_id: gatewayId }) => ({
    kind: 'old_hold',
    gatewayId,
    changedAt: new Date(msOfId(key) + HOLDS_LAST_MS),
    read: () => findHoldEnd({ accountId, key, gatewayId }),
  }))
}
