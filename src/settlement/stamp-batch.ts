// Has a batch take what is its own, in chunks, some at once: while one is being written, the events
// of another are made. A large batch takes many turns: few batches are closed at once, and a small
// one does not wait until a large one is through.

import type { Report } from '../core/progress.ts'
import { after, SECOND } from '../core/time-units.ts'
import { dateText } from '../core/whole-days.ts'
import type { World } from '../world.ts'
import type { Closing } from './closing.ts'
import { stampChunk } from './stamp-chunk.ts'

/** More costs the database no less a row, and Node more: what lives longer is dearer to clear. */
const CHUNK = 500

/** Each on a connection of its own, of the eight that a process has for such. */
const CHUNKS_AT_ONCE = 2

/** Long beside what a turn begins with, the counting of what the batch has; short at a cutoff. */
const TURN_MS = 2 * SECOND

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * What another holds at the moment is left. Where others stamp as well, each takes what the others
 * have not. Answers when to go on, where the turn was over before the batch was through.
 */
export async function stampBatch(
  world: World,
  closing: Closing,
  signal: AbortSignal,
  report: Report,
): Promise<Date | undefined> {
  const turnEnds = after(world.clock.now(), TURN_MS)
  const progress = await progressOf(world, closing)
  const keepLease = leaseKeeper(world, closing)
  let last = BEFORE_ALL
  /** Or one has failed, and the others need not go on. */
  let isAtEnd = false
  let nextTurnAt: Date | undefined

  async function stampChunks(lane: number): Promise<void> {
    while (!isAtEnd) {
      signal.throwIfAborted()
      const stamped = await stampChunk(world, closing, { after: last, most: CHUNK, lane })
      if (stamped === undefined) return
      if (stamped.last > last) last = stamped.last
      progress.done += stamped.count
      report({ ...progress })
      await keepLease()
      if (stamped.count < CHUNK) return
      if (world.clock.now() >= turnEnds) {
        nextTurnAt = world.clock.now()
        return
      }
    }
  }

  async function stampUntilEnd(lane: number): Promise<void> {
    try {
      await stampChunks(lane)
    } finally {
      isAtEnd = true
    }
  }

  report({ ...progress })
  const length = progress.of - progress.done > CHUNK ? CHUNKS_AT_ONCE : 1
  const lanes = Array.from({ length }, (_, lane) => stampUntilEnd(lane))
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return nextTurnAt
}

const PROGRESS = `
  SELECT
    (SELECT count(*) FROM transaction
      WHERE account_id = $1 AND batch_id = $2)::integer AS done,
    (SELECT count(*) FROM transaction
      WHERE account_id = $1 AND business_date = $3::date AND batch_id IS NULL AND NOT is_voided
        AND void_id IS NULL)::integer AS left`

async function progressOf(
  world: World,
  { batch }: Closing,
): Promise<{ done: number; readonly of: number }> {
  const values = [batch.accountId, batch.id, dateText(batch.businessDate)]
  const [row] = await world.db.query(PROGRESS, values)
  return { done: row?.done, of: row?.done + row?.left }
}

const KEEP = `
  UPDATE batch SET due_at = $3 WHERE account_id = $1 AND id = $2 AND status = 'closing'`

/** Nobody doubts a living worker; and the row is not written anew with each chunk. */
function leaseKeeper(world: World, { batch }: Closing): () => Promise<void> {
  const { leaseMs } = world.timings
  let renewAt = new Date(0)
  return async () => {
    const now = world.clock.now()
    if (now < renewAt) return
    renewAt = after(now, leaseMs / 3)
    await world.db.query(KEEP, [batch.accountId, batch.id, after(now, leaseMs)])
  }
}
