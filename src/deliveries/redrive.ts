// Has parked deliveries tried again, as if they were new: a person has mended what was wrong. Chunk
// by chunk: who dies in between has had some of them tried again.

import type { DeliveryChannel, ParkedReason } from '../core/delivery.ts'
import { isDoneWithin } from '../core/within.ts'
import type { World } from '../world.ts'
import { CHANNELS } from './prompt-deliveries.ts'
import { LONGEST_HISTORY } from './record-attempt.ts'

export interface ParkedFilter {
  readonly channel?: DeliveryChannel | undefined
  /** Who asked for no more messages gets none, unless that very reason is named. */
  readonly reason?: ParkedReason | undefined
  readonly accountIds?: readonly string[] | undefined
  /** Parked since then. */
  readonly since?: Date | undefined
  /** Parked before then; by now, where nothing is said. */
  readonly until?: Date | undefined
}

export interface DeliveryKey {
  readonly accountId: string
  readonly id: string
}

const CHUNK = 500

/** Where the store of the queues is away, the sweep prompts them. */
const PROMPT_MS = 2_000

/** An event that is forgotten can be sent to nobody. */
export const HAS_SUBJECT = `(d.channel <> 'webhook' OR EXISTS (
      SELECT FROM event e WHERE e.account_id = d.account_id AND e.id = d.subject_id OFFSET 0
    ))`

/**
 * Of `chosen`, which holds keys. What the provider called it stays: whatever is still told of the
 * earlier message is no news of the next.
 */
const OWE_AGAIN = `
  UPDATE delivery d SET status = 'pending', tries = 0, due_at = $1, owed_at = $1, reason = NULL,
    closed_at = NULL, last_error = NULL, sent_at = NULL, updated_at = $1,
    history = CASE WHEN jsonb_array_length(d.history) >= ${LONGEST_HISTORY}
      THEN d.history - 0 ELSE d.history END || $2::jsonb
  FROM chosen
  WHERE d.account_id = chosen.account_id AND d.id = chosen.id AND d.status = 'parked'
  RETURNING d.channel`

const BY_FILTER = `
  WITH chosen AS MATERIALIZED (
    SELECT account_id, id FROM delivery d
    WHERE status = 'parked' AND closed_at IS NULL AND channel = $3::delivery_channel
      AND updated_at >= coalesce($4::timestamptz, '-infinity')
      AND updated_at < coalesce($7::timestamptz, $1)
      AND CASE WHEN $5::parked_reason IS NULL THEN reason <> 'opted_out'
        ELSE reason = $5::parked_reason END
      AND ($6::uuid[] IS NULL OR account_id = ANY($6::uuid[]))
      AND ${HAS_SUBJECT}
    ORDER BY updated_at
    LIMIT ${CHUNK}
    FOR UPDATE SKIP LOCKED
  )
  ${OWE_AGAIN}`

const BY_KEY = `
  WITH chosen AS MATERIALIZED (
    SELECT d.account_id, d.id
    FROM unnest($3::uuid[], $4::uuid[]) AS named(account_id, id)
    JOIN delivery d ON d.account_id = named.account_id AND d.id = named.id
    WHERE d.status = 'parked' AND ${HAS_SUBJECT}
    FOR UPDATE OF d
  )
  ${OWE_AGAIN}`

/**
 * Answers how many. What a person has closed is not among them, nor a second time what is parked
 * again meanwhile.
 */
export async function redriveAll(world: World, filter: ParkedFilter): Promise<number> {
  const { channel, reason = null, accountIds = null, since = null, until = null } = filter
  const now = world.clock.now()
  let count = 0
  for (const one of channel === undefined ? CHANNELS : [channel]) {
    const values = [now, entryAt(now), one, since, reason, accountIds, until]
    let redriven: number
    do {
      redriven = (await world.db.query(BY_FILTER, values)).length
      if (redriven > 0) await prompt(world, [one])
      count += redriven
    } while (redriven === CHUNK)
  }
  return count
}

/** Those that are named, whyever they were parked, closed ones too. Answers how many. */
export async function redrive(world: World, keys: readonly DeliveryKey[]): Promise<number> {
  const now = world.clock.now()
  const values = [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]
  const redriven = await world.db.query(BY_KEY, [now, entryAt(now), ...values])
  await prompt(world, [...new Set(redriven.map((row) => row.channel as DeliveryChannel))])
  return redriven.length
}

/** What its history says of this. */
function entryAt(at: Date): string {
  return JSON.stringify({ at, by: 'operator' })
}

/** Waited for: a command ends right after it. */
async function prompt(world: World, channels: readonly DeliveryChannel[]): Promise<void> {
  const prompts = channels.map((channel) => world.queues.nudgeRound(channel))
  await isDoneWithin(PROMPT_MS, Promise.all(prompts))
}
