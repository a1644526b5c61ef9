// Deliveries that failed for good ("parked"), as operators handle them: have them sent again, as if
// they were new, or dismiss them. A dismissed delivery (`closed_at`) needs no more attention, and a
// person who names it can still have it sent again.
//
// Rows are written in chunks, so that no other writer waits for long, or those that were named at
// once. Each commit has its audit entry. A process that dies in between has written some chunks.

import { DELIVERY_CHANNELS, type DeliveryChannel, type ParkedReason } from '../core/delivery.ts'
import { isDoneWithin } from '../core/within.ts'
import { arraysOf } from '../db/arrays-of.ts'
import type { RowKey } from '../db/columns.ts'
import type { Row } from '../db/gathered.ts'
import { allOf, type Filters, type Put, statementOf, termsOf } from '../db/terms.ts'
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

const PARKED = {
  channel: 'channel = $value::delivery_channel',
  reason: 'reason = $value::parked_reason',
  accountIds: 'account_id = ANY($value::uuid[])',
  since: 'updated_at >= $value::timestamptz',
  until: 'updated_at < $value::timestamptz',
} satisfies Filters

/** The next chunk of rows that the filter names, the oldest first, without dismissed ones. */
function parkedChunk(filter: ParkedFilter, put: Put, conditions: readonly string[] = []): string {
  return `
    SELECT account_id, id FROM delivery d
    WHERE status = 'parked' AND closed_at IS NULL
      AND ${allOf([...termsOf(PARKED, filter, put), ...conditions])}
    ORDER BY updated_at
    LIMIT ${CHUNK}
    FOR UPDATE SKIP LOCKED`
}

/** Writes the audit entry of a chunk, or of the named ones, in their commit. */
export type AuditChunk = (own: WritingWorld, count: number) => Promise<void>

interface ChunkFilter extends ParkedFilter {
  readonly channel: DeliveryChannel
  readonly until: Date
}

interface Chunks {
  /** A statement that returns the rows that it wrote, and does not choose them again. */
  readonly write: (filter: ChunkFilter, now: Date, put: Put) => string
  readonly audit: AuditChunk | undefined
  /** Follows each commit. */
  readonly start?: (channel: DeliveryChannel) => Promise<void>
}

/** Returns how many were written. */
async function byChunks(
  world: CommittingWorld,
  filter: ParkedFilter,
  { write, audit, start }: Chunks,
): Promise<number> {
  const now = world.clock.now()
  const until = filter.until ?? now
  let count = 0
  for (const channel of filter.channel === undefined ? DELIVERY_CHANNELS : [filter.channel]) {
    const { text, values } = statementOf((put) => write({ ...filter, channel, until }, now, put))
    let written: number
    do {
      written = await world.db.commit(`failed deliveries: ${channel}`, async (query) => {
        const { length } = await query(text, values)
        if (length > 0) await audit?.({ ...world, db: { query } }, length)
        return length
      })
      if (written > 0) await start?.(channel)
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
 * Makes the chosen rows due again, with a new line in their history. The provider's id stays, so
 * that late reports about the earlier message are not taken for the next.
 */
function makeDueAgain(chosen: string, now: Date, put: Put): string {
  const at = `${put(now)}::timestamptz`
  return `
    WITH chosen AS MATERIALIZED (${chosen})
    UPDATE delivery d SET status = 'pending', tries = 0, due_at = ${at}, owed_at = ${at},
      reason = NULL, closed_at = NULL, last_error = NULL, sent_at = NULL, updated_at = ${at},
      history = ${historyWith(`${put(entryAt(now))}::jsonb`)}
    FROM chosen
    WHERE d.account_id = chosen.account_id AND d.id = chosen.id AND d.status = 'parked'
    RETURNING d.channel`
}

/** Recipients that opted out get no message, unless the filter names that reason. */
const NOT_OPTED_OUT = "reason <> 'opted_out'"

/**
 * Returns how many. Dismissed ones are left out, and so are those that are parked again meanwhile.
 */
export function retryAll(world: World, filter: ParkedFilter, audit?: AuditChunk): Promise<number> {
  return byChunks(world, filter, {
    write(of, now, put) {
      const conditions = [CAN_BE_SENT, ...(of.reason === undefined ? [NOT_OPTED_OUT] : [])]
      return makeDueAgain(parkedChunk(of, put, conditions), now, put)
    },
    audit,
    start: (channel) => startRounds(world, [channel]),
  })
}

/** Retries the named ones, whatever the reason, dismissed ones too. Returns how many. */
export async function retryNamed(
  world: World,
  keys: readonly RowKey[],
  audit?: AuditChunk,
): Promise<number> {
  const retried = await writeNamed(world, keys, audit, (named, put) => {
    const chosen = `
      SELECT d.account_id, d.id
      FROM ${named}
      JOIN delivery d ON d.account_id = named.account_id AND d.id = named.id
      WHERE d.status = 'parked' AND ${CAN_BE_SENT}
      FOR UPDATE OF d`
    return makeDueAgain(chosen, world.clock.now(), put)
  })
  await startRounds(world, [...new Set(retried.map((row) => row.channel as DeliveryChannel))])
  return retried.length
}

/** `write` names the rows as a table `named`. */
function writeNamed(
  world: CommittingWorld,
  keys: readonly RowKey[],
  audit: AuditChunk | undefined,
  write: (named: string, put: Put) => string,
): Promise<readonly Row[]> {
  const { text, values } = statementOf((put) => {
    const [accountIds, ids] = arraysOf(keys, 'accountId', 'id').map(put)
    return write(`unnest(${accountIds}::uuid[], ${ids}::uuid[]) AS named(account_id, id)`, put)
  })
  return world.db.commit('failed deliveries, named', async (query) => {
    const rows = await query(text, values)
    if (rows.length > 0) await audit?.({ ...world, db: { query } }, rows.length)
    return rows
  })
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

/** Dismisses all that match, whatever the reason. Returns how many. */
export function dismissAll(
  world: CommittingWorld,
  filter: ParkedFilter,
  audit?: AuditChunk,
): Promise<number> {
  return byChunks(world, filter, {
    write: (of, now, put) => `
      WITH chosen AS MATERIALIZED (${parkedChunk(of, put)})
      UPDATE delivery d SET closed_at = ${put(now)}
      FROM chosen
      WHERE d.account_id = chosen.account_id AND d.id = chosen.id
      RETURNING d.id`,
    audit,
  })
}

/** Dismisses the named ones. Returns how many were not dismissed before. */
export async function dismissNamed(
  world: CommittingWorld,
  keys: readonly RowKey[],
  audit?: AuditChunk,
): Promise<number> {
  const dismissed = await writeNamed(
    world,
    keys,
    audit,
    (named, put) => `
      UPDATE delivery d SET closed_at = ${put(world.clock.now())}
      FROM ${named}
      WHERE d.account_id = named.account_id AND d.id = named.id
        AND d.status = 'parked' AND d.closed_at IS NULL
      RETURNING d.id`,
  )
  return dismissed.length
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

const HELD = {
  accountIds: 'a.id = ANY($value::uuid[])',
  channel: 'd.channel = $value::delivery_channel',
  since: 'd.created_at >= $value::timestamptz',
  until: 'd.created_at < $value::timestamptz',
} satisfies Filters

/**
 * Fails the messages of stopped teams that wait and are not being sent. `due_at` is read from the
 * index by which they are claimed.
 */
function failHeld(filter: Omit<ChunkFilter, 'reason'>, now: Date, put: Put): string {
  // Never those of all teams: without accounts it names no message.
  const { accountIds = [] } = filter
  const at = `${put(now)}::timestamptz`
  return `
    WITH chosen AS MATERIALIZED (
      SELECT d.account_id, d.id
      FROM account a JOIN team t ON t.id = a.team_id
      JOIN delivery d ON d.lane = a.id AND d.due_at IS NOT NULL
      WHERE ${IS_STOPPED} AND ${allOf(termsOf(HELD, { ...filter, accountIds }, put))}
        AND (d.leased_until IS NULL OR d.leased_until <= ${at})
      LIMIT ${CHUNK}
      FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE delivery d SET status = 'parked', reason = 'expired', due_at = NULL, leased_until = NULL,
      closed_at = ${at}, updated_at = ${at}, last_error = 'dismissed while the team was stopped',
      history = ${historyWith(`${put(entryAt(now))}::jsonb`)}
    FROM chosen
    WHERE d.account_id = chosen.account_id AND d.id = chosen.id
    RETURNING d.id`
}

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
  return byChunks(world, filter, { write: failHeld, audit })
}
