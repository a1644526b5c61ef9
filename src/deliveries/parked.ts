// Deliveries that failed for good ("parked"), as operators handle them: have them sent again, as if
// they were new, or dismiss them. A dismissed delivery (`closed_at`) needs no more attention, and a
// person who names it can still have it sent again.
//
// Rows are written in chunks, so that no other writer waits for long. Each is a commit of its own,
// with its audit entry. A process that dies in between has written some of the chunks.

import { DELIVERY_CHANNELS, type DeliveryChannel, type ParkedReason } from '../core/delivery.ts'
import { isDoneWithin } from '../core/within.ts'
import type { RowKey } from '../db/columns.ts'
import type { CommittingWorld, QueryWorld, World, WritingWorld } from '../world.ts'
import { IS_STOPPED } from './claim-due-deliveries.ts'
import { historyWith } from './record-attempt.ts'

export interface ParkedFilter {
  readonly channel?: DeliveryChannel | undefined
  readonly reason?: ParkedReason | undefined
  readonly accountIds?: readonly string[] | undefined
  /** Parked at this time or later. */
  readonly since?: Date | undefined
  /** Parked before this time; before now by default. */
  readonly until?: Date | undefined
}

const CHUNK = 500

/** The next chunk, the oldest first, without dismissed ones. `d` is the row, $6 the reason. */
const chosenBy = (more: string) => `
  chosen AS MATERIALIZED (
    SELECT account_id, id FROM delivery d
    WHERE status = 'parked' AND closed_at IS NULL AND channel = $2::delivery_channel
      AND updated_at >= coalesce($3::timestamptz, '-infinity')
      AND updated_at < coalesce($4::timestamptz, $1)
      AND ($5::uuid[] IS NULL OR account_id = ANY($5::uuid[]))
      AND ($6::parked_reason IS NULL OR reason = $6::parked_reason)
      AND ${more}
    ORDER BY updated_at
    LIMIT ${CHUNK}
    FOR UPDATE SKIP LOCKED
  )`

/** Writes the audit entry of a chunk, in its commit. */
export type AuditChunk = (own: WritingWorld, count: number) => Promise<void>

interface Chunks {
  /** Returns the rows that it wrote, and must not choose them again. */
  readonly statement: string
  /** Its parameters from $6 on. The first are the time, the channel, `since`, `until`, the accounts. */
  readonly more: readonly unknown[]
  readonly audit: AuditChunk | undefined
  /** Follows each commit. */
  readonly start?: (channel: DeliveryChannel) => Promise<void>
}

/** Returns how many were written. */
async function byChunks(
  world: CommittingWorld,
  { channel, accountIds, since, until }: Omit<ParkedFilter, 'reason'>,
  { statement, more, audit, start }: Chunks,
): Promise<number> {
  const now = world.clock.now()
  const terms = [since, until, accountIds].map((term) => term ?? null)
  let count = 0
  for (const one of channel === undefined ? DELIVERY_CHANNELS : [channel]) {
    let written: number
    do {
      written = await world.db.commit(`failed deliveries: ${one}`, async (query) => {
        const { length } = await query(statement, [now, one, ...terms, ...more])
        if (length > 0) await audit?.({ ...world, db: { query } }, length)
        return length
      })
      if (written > 0) await start?.(one)
      count += written
    } while (written === CHUNK)
  }
  return count
}

/** If the queue store is away, the sweep starts the jobs later. */
const START_MS = 2_000

/** An event that was deleted cannot be sent. */
export const HAS_SUBJECT = `(d.channel <> 'webhook' OR EXISTS (
      SELECT FROM event e WHERE e.account_id = d.account_id AND e.id = d.subject_id OFFSET 0
    ))`

/** An endpoint that is disabled or deleted gets nothing. */
export const HAS_ENDPOINT = `(d.channel <> 'webhook' OR EXISTS (
      SELECT FROM webhook w WHERE w.account_id = d.account_id AND w.id = d.lane
        AND w.status = 'active' AND w.deleted_at IS NULL OFFSET 0
    ))`

/** Others would be parked again at once. */
const CAN_BE_SENT = `${HAS_SUBJECT} AND ${HAS_ENDPOINT}`

/**
 * Makes the rows that `chosen` names due again; `entry` is the new line of the history. The
 * provider's id stays, so that late reports about the earlier message are not taken for the next.
 */
const makeDueAgain = (entry: string) => `
  UPDATE delivery d SET status = 'pending', tries = 0, due_at = $1, owed_at = $1, reason = NULL,
    closed_at = NULL, last_error = NULL, sent_at = NULL, updated_at = $1,
    history = ${historyWith(`${entry}::jsonb`)}
  FROM chosen
  WHERE d.account_id = chosen.account_id AND d.id = chosen.id AND d.status = 'parked'
  RETURNING d.channel`

/** Recipients that opted out get no message, unless the filter names that reason. */
const RETRY_BY_FILTER = `
  WITH ${chosenBy(`(reason <> 'opted_out' OR $6::parked_reason IS NOT NULL) AND ${CAN_BE_SENT}`)}
  ${makeDueAgain('$7')}`

const RETRY_BY_KEY = `
  WITH chosen AS MATERIALIZED (
    SELECT d.account_id, d.id
    FROM unnest($3::uuid[], $4::uuid[]) AS named(account_id, id)
    JOIN delivery d ON d.account_id = named.account_id AND d.id = named.id
    WHERE d.status = 'parked' AND ${CAN_BE_SENT}
    FOR UPDATE OF d
  )
  ${makeDueAgain('$2')}`

/**
 * Returns how many. Dismissed ones are left out, and so are those that are parked again meanwhile.
 */
export function retryAll(world: World, filter: ParkedFilter, audit?: AuditChunk): Promise<number> {
  return byChunks(world, filter, {
    statement: RETRY_BY_FILTER,
    more: [filter.reason ?? null, entryAt(world.clock.now())],
    audit,
    start: (channel) => startRounds(world, [channel]),
  })
}

/** Retries the named ones, whatever the reason, dismissed ones too. Returns how many. */
export async function retryNamed(world: World, keys: readonly RowKey[]): Promise<number> {
  const now = world.clock.now()
  const values = [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]
  const retried = await world.db.query(RETRY_BY_KEY, [now, entryAt(now), ...values])
  await startRounds(world, [...new Set(retried.map((row) => row.channel as DeliveryChannel))])
  return retried.length
}

/** The line of the history. */
function entryAt(at: Date): string {
  return JSON.stringify({ at, by: 'operator' })
}

/** Awaited, because a command ends right after it. */
async function startRounds(world: World, channels: readonly DeliveryChannel[]): Promise<void> {
  const rounds = channels.map((channel) => world.queues.ensureRound(channel))
  await isDoneWithin(START_MS, Promise.all(rounds))
}

const DISMISS_BY_FILTER = `
  WITH ${chosenBy('true')}
  UPDATE delivery d SET closed_at = $1
  FROM chosen
  WHERE d.account_id = chosen.account_id AND d.id = chosen.id
  RETURNING d.id`

const DISMISS_BY_KEY = `
  UPDATE delivery d SET closed_at = $1
  FROM unnest($2::uuid[], $3::uuid[]) AS named(account_id, id)
  WHERE d.account_id = named.account_id AND d.id = named.id
    AND d.status = 'parked' AND d.closed_at IS NULL
  RETURNING d.id`

/** Dismisses all that match, whatever the reason. Returns how many. */
export function dismissAll(
  world: CommittingWorld,
  filter: ParkedFilter,
  audit?: AuditChunk,
): Promise<number> {
  return byChunks(world, filter, {
    statement: DISMISS_BY_FILTER,
    more: [filter.reason ?? null],
    audit,
  })
}

/** No more are counted: it takes long, and says no more. */
export const MOST_HELD = 10_000

const COUNT_HELD = `
  SELECT count(*)::integer AS count FROM (
    SELECT FROM account a JOIN team t ON t.id = a.team_id
    JOIN delivery d ON d.lane = a.id AND d.due_at IS NOT NULL
      AND d.channel = ANY(ARRAY['email', 'sms']::delivery_channel[])
    WHERE a.id = ANY($1::uuid[]) AND ${IS_STOPPED}
    LIMIT ${MOST_HELD}
  ) held`

/** How many messages wait because their team is stopped, up to MOST_HELD. */
export async function countHeld(
  { db }: QueryWorld,
  accountIds: readonly string[],
): Promise<number> {
  const [row] = await db.query(COUNT_HELD, [accountIds])
  return row?.count ?? 0
}

/**
 * Messages of stopped teams that wait and are not being sent. `due_at` is read from the index by
 * which they are claimed.
 */
const FAIL_HELD = `
  WITH chosen AS MATERIALIZED (
    SELECT d.account_id, d.id
    FROM account a JOIN team t ON t.id = a.team_id
    JOIN delivery d ON d.lane = a.id AND d.channel = $2::delivery_channel AND d.due_at IS NOT NULL
    WHERE a.id = ANY($5::uuid[]) AND ${IS_STOPPED}
      AND d.created_at >= coalesce($3::timestamptz, '-infinity')
      AND d.created_at < coalesce($4::timestamptz, $1)
      AND (d.leased_until IS NULL OR d.leased_until <= $1)
    LIMIT ${CHUNK}
    FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE delivery d SET status = 'parked', reason = 'expired', due_at = NULL, leased_until = NULL,
    closed_at = $1, updated_at = $1, last_error = 'dismissed while the team was stopped',
    history = ${historyWith('$6::jsonb')}
  FROM chosen
  WHERE d.account_id = chosen.account_id AND d.id = chosen.id
  RETURNING d.id`

/**
 * Dismisses the waiting messages of stopped teams, since a thief may have queued them: they fail
 * for good and need no attention. `since` and `until` limit when they were created. Returns how
 * many.
 */
export function dismissHeld(
  world: CommittingWorld,
  filter: Omit<ParkedFilter, 'reason'>,
  audit?: AuditChunk,
): Promise<number> {
  const more = [entryAt(world.clock.now())]
  return byChunks(world, filter, { statement: FAIL_HELD, more, audit })
}

/** Dismisses the named ones. Returns how many were not dismissed before. */
export async function dismissNamed(world: QueryWorld, keys: readonly RowKey[]): Promise<number> {
  const values = [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]
  return (await world.db.query(DISMISS_BY_KEY, [world.clock.now(), ...values])).length
}
