// Has parked deliveries tried again, as if they were new: a person has mended what was wrong.

import type { DeliveryChannel } from '../core/delivery.ts'
import { isDoneWithin } from '../core/within.ts'
import type { World } from '../world.ts'
import { byChunks, chosenBy, type DeliveryKey, type ParkedFilter } from './parked-filter.ts'
import { LONGEST_HISTORY } from './record-attempt.ts'

/** Where the store of the queues is away, the sweep prompts them. */
const PROMPT_MS = 2_000

/** An event that is forgotten can be sent to nobody. */
export const HAS_SUBJECT = `(d.channel <> 'webhook' OR EXISTS (
      SELECT FROM event e WHERE e.account_id = d.account_id AND e.id = d.subject_id OFFSET 0
    ))`

/**
 * Of `chosen`, which holds keys; `entry` is the new line of the history. What the provider called
 * it stays: whatever is still told of the earlier message is no news of the next.
 */
const oweAgain = (entry: string) => `
  UPDATE delivery d SET status = 'pending', tries = 0, due_at = $1, owed_at = $1, reason = NULL,
    closed_at = NULL, last_error = NULL, sent_at = NULL, updated_at = $1,
    history = CASE WHEN jsonb_array_length(d.history) >= ${LONGEST_HISTORY}
      THEN d.history - 0 ELSE d.history END || ${entry}::jsonb
  FROM chosen
  WHERE d.account_id = chosen.account_id AND d.id = chosen.id AND d.status = 'parked'
  RETURNING d.channel`

/** Who asked for no more messages gets none, unless that very reason is named. */
const BY_FILTER = `
  WITH ${chosenBy(`(reason <> 'opted_out' OR $5::parked_reason IS NOT NULL) AND ${HAS_SUBJECT}`)}
  ${oweAgain('$7')}`

const BY_KEY = `
  WITH chosen AS MATERIALIZED (
    SELECT d.account_id, d.id
    FROM unnest($3::uuid[], $4::uuid[]) AS named(account_id, id)
    JOIN delivery d ON d.account_id = named.account_id AND d.id = named.id
    WHERE d.status = 'parked' AND ${HAS_SUBJECT}
    FOR UPDATE OF d
  )
  ${oweAgain('$2')}`

/**
 * Answers how many. What a person has closed is not among them, nor a second time what is parked
 * again meanwhile.
 */
export function redriveAll(world: World, filter: ParkedFilter): Promise<number> {
  const now = world.clock.now()
  return byChunks(filter, now, async (values, channel) => {
    const redriven = await world.db.query(BY_FILTER, [...values, entryAt(now)])
    if (redriven.length > 0) await prompt(world, [channel])
    return redriven.length
  })
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
