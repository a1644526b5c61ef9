// Which parked deliveries a person means, and that they are written chunk by chunk, so that nobody
// waits for long. Who dies in between has done some of them.

import type { DeliveryChannel, ParkedReason } from '../core/delivery.ts'
import { CHANNELS } from './prompt-deliveries.ts'

export interface ParkedFilter {
  readonly channel?: DeliveryChannel | undefined
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

/** The next of them, the oldest first, but for what is closed. `d` is the row, $5 the reason. */
export const chosenBy = (more: string) => `
  chosen AS MATERIALIZED (
    SELECT account_id, id FROM delivery d
    WHERE status = 'parked' AND closed_at IS NULL AND channel = $2::delivery_channel
      AND updated_at >= coalesce($3::timestamptz, '-infinity')
      AND updated_at < coalesce($4::timestamptz, $1)
      AND ($5::parked_reason IS NULL OR reason = $5::parked_reason)
      AND ($6::uuid[] IS NULL OR account_id = ANY($6::uuid[]))
      AND ${more}
    ORDER BY updated_at
    LIMIT ${CHUNK}
    FOR UPDATE SKIP LOCKED
  )`

/**
 * Answers how many. `write` takes the values of `chosenBy`, $1 to $6, and answers how many it
 * wrote: they must not be chosen once more.
 */
export async function byChunks(
  { channel, reason, accountIds, since, until }: ParkedFilter,
  now: Date,
  write: (values: readonly unknown[], channel: DeliveryChannel) => Promise<number>,
): Promise<number> {
  const terms = [since, until, reason, accountIds].map((term) => term ?? null)
  let count = 0
  for (const one of channel === undefined ? CHANNELS : [channel]) {
    let written: number
    do {
      written = await write([now, one, ...terms], one)
      count += written
    } while (written === CHUNK)
  }
  return count
}
