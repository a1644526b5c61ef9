// A replay: an endpoint gets all events since an instant again. The endpoint's row records the
// remaining work, and rounds write the deliveries, chunk by chunk.
//
// A chunk is one statement: it takes the endpoint that has waited longest, writes deliveries for
// its next events, and moves its cursor. If it dies, nothing has changed; while it runs, others
// skip the endpoint. A replay never writes two deliveries of one event, even if its events are read
// again, and none of an event that the endpoint is still to get: that delivery is due now instead.
// So replays of an endpoint that takes nothing do not add up. Those of endpoints that take
// everything do, and each delivery is a row and a post: so an event goes out so many times a day.

import { Refusal, wrongField } from '../core/errors.ts'
import { firstIdAt } from '../core/id.ts'
import { refuseChanged } from '../core/refuse-changed.ts'
import { after, DAY, SECOND } from '../core/time-units.ts'
import type { RowKey } from '../db/columns.ts'
import type { Row } from '../db/gathered.ts'
import type { InCommit } from '../db/queries.ts'
import { WEBHOOK_TEST } from '../events/event-names.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'
import { refuseDisabled } from './webhook.ts'
import { holdWebhook, updateHeld } from './write-webhook.ts'

/** As long as events are kept. */
const LONGEST_BACK_MS = 30 * DAY

/**
 * An event gets its id before it is committed. After this time no commit is left that began before
 * the replay and may have seen the endpoint as disabled.
 */
const SETTLED_AFTER_MS = 5 * SECOND

/**
 * Starts a replay. `seenVersion`: the endpoint as it was shown. If it has changed since, nothing is
 * done.
 */
export async function replayEvents(
  world: World,
  key: RowKey,
  since: Date,
  seenVersion?: number,
  record?: InCommit,
): Promise<Webhook> {
  const webhook = await holdWebhook(world, key, async (query, held) => {
    const now = world.clock.now()
    refuseSince(since, now)
    refuseDisabled(held)
    refuseChanged('webhook', held, seenVersion)
    if (held.dueAt !== null) throw new Refusal('replay_under_way')
    await record?.(query)
    return updateHeld(query, held, {
      replayId: world.newId(),
      replayAfter: since,
      replayAfterId: firstIdAt(since),
      replayUntil: now,
      dueAt: after(now, SETTLED_AFTER_MS),
    })
  })
  if (webhook.dueAt !== null) world.queues.startRoundAt('webhook', webhook.dueAt)
  return webhook
}

function refuseSince(since: Date, now: Date): void {
  const fault = faultOf(since, now)
  if (fault !== undefined) throw wrongField('since', fault)
}

function faultOf(since: Date, now: Date): string | undefined {
  if (since > now) return 'must not be in the future'
  if (since < after(now, -LONGEST_BACK_MS)) return 'must be at most 30 days ago'
  return undefined
}

/** Events read in one commit. */
const CHUNK = 1_000

/** After these chunks other work has its turn, so that new events go out in between. */
const CHUNKS_A_ROUND = 10

/**
 * How often an event goes out within a day, to all endpoints of its account: five times to each. A
 * limit for each endpoint would begin again with a new one.
 */
const MOST_A_DAY = 100

/** For as long as it is kept, so that no more of its deliveries are ever counted. */
const MOST_EVER = 500

/**
 * The deliveries of all events of the chunk are found at once, as a range of the unique index:
 * while the table has no statistics, a look-up for each event may read all deliveries of the
 * account. PostgreSQL would not choose that index if they were joined with `w`, or had a condition
 * on `channel`.
 */
const OF_CHUNK = `delivery WHERE account_id = (SELECT account_id FROM w) AND subject = 'event'
      AND subject_id >= (SELECT id FROM chunk ORDER BY id LIMIT 1)
      AND subject_id <= (SELECT id FROM chunk ORDER BY id DESC LIMIT 1)`

/**
 * The replay ends at an instant, and includes the events of that millisecond. The deliveries have
 * the order of the events.
 */
export const QUEUE_CHUNK = `
  WITH w AS (
    SELECT * FROM webhook WHERE due_at <= $1
    ORDER BY due_at LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
  ),
  chunk AS MATERIALIZED (
    SELECT e.id, e.type, e.request_id
    FROM w CROSS JOIN LATERAL (
      SELECT id, type, request_id FROM event
      WHERE account_id = w.account_id AND id > w.replay_after_id
        AND w.status = 'active' AND w.deleted_at IS NULL
      ORDER BY id LIMIT ${CHUNK}
    ) e
    WHERE time_of_id(e.id) <= w.replay_until
  ),
  waiting AS MATERIALIZED (
    SELECT id, subject_id FROM ${OF_CHUNK}
      AND recipient = (SELECT id::text FROM w) AND status = 'pending'
  ),
  sent_enough AS MATERIALIZED (
    SELECT subject_id FROM ${OF_CHUNK}
    GROUP BY subject_id
    HAVING count(*) >= ${MOST_EVER}
      OR count(*) FILTER (WHERE created_at > $1::timestamptz - interval '1 day') >= ${MOST_A_DAY}
  ),
  hastened AS (
    UPDATE delivery SET due_at = $1, owed_at = $1
    WHERE account_id = (SELECT account_id FROM w) AND id = ANY (ARRAY(
      SELECT id FROM delivery
      WHERE account_id = (SELECT account_id FROM w) AND id = ANY (ARRAY(SELECT id FROM waiting))
        AND status = 'pending' AND due_at > $1
      FOR NO KEY UPDATE SKIP LOCKED
    ))
  ),
  queued AS (
    INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
      due_at, owed_at, request_id, created_at, updated_at)
    SELECT w.account_id, id_beside(e.id), 'webhook', w.id, 'event', e.id, w.id::text,
      w.replay_id::text, $1, $1, e.request_id, $1, $1
    FROM chunk e CROSS JOIN w
    WHERE w.events && ARRAY['*', e.type] AND e.type <> '${WEBHOOK_TEST}'
      AND e.id NOT IN (SELECT subject_id FROM waiting)
      AND e.id NOT IN (SELECT subject_id FROM sent_enough)
    ORDER BY e.id
    ON CONFLICT (account_id, subject_id, channel, recipient, request) DO NOTHING
    RETURNING 1
  ),
  seen AS (
    SELECT count(*) = ${CHUNK} AS is_full, (array_agg(id ORDER BY id DESC))[1] AS last_id FROM chunk
  )
  UPDATE webhook u SET
    replay_id = CASE WHEN seen.is_full THEN u.replay_id END,
    replay_after = CASE WHEN seen.is_full THEN u.replay_after END,
    replay_after_id = CASE WHEN seen.is_full THEN seen.last_id END,
    replay_until = CASE WHEN seen.is_full THEN u.replay_until END,
    due_at = CASE WHEN seen.is_full THEN $1::timestamptz END
  FROM w, seen
  WHERE u.account_id = w.account_id AND u.id = w.id
  RETURNING u.account_id, u.id, (SELECT count(*) FROM queued)::integer AS queued, seen.is_full`

/** Returns how many deliveries it wrote. */
export async function queueReplays(world: World): Promise<number> {
  let queued = 0
  let hasLeftMore = false
  for (let chunks = 0; chunks < CHUNKS_A_ROUND; chunks += 1) {
    const chunk = await queueChunk(world)
    // Two that reach for the rest at the same moment may both find it held.
    if (chunk === undefined && !hasLeftMore) return queued
    if (chunk === undefined) break
    queued += chunk.queued
    hasLeftMore ||= chunk.is_full
  }
  world.queues.startRound('webhook')
  return queued
}

/** Undefined if no replay waits. */
export async function queueChunk(world: World): Promise<Row | undefined> {
  const [chunk] = await world.db.query(QUEUE_CHUNK, [world.clock.now()])
  return chunk
}
