// The database for reads that no decision rests on: lists, files and reports. If there is a replica
// that has caught up, it answers; otherwise the primary does. Either way a request sees all that
// was committed before it, so its caller cannot tell which of them it was.

import { SECOND } from '../core/time-units.ts'
import type { Database, Snapshot } from './database.ts'
import { isCanceled, isDatabaseAway } from './failure.ts'
import type { Replica } from './replica.ts'

/** Which server answered a read. */
export type ReadFrom = 'replica' | 'primary'

/**
 * A replica never goes back, so what it had for the first statement of a request it has for the
 * others. A file takes longer than this, and the replica might be promoted meanwhile.
 */
const CHECKED_FOR_MS = 1 * SECOND

/**
 * Opens the database for one request. What writes stays the primary's, and so does Prisma. The
 * primary also answers what the replica refuses: a read of an unlogged table, or one that held up
 * its replay. A statement that took too long would not be quicker there.
 */
export function openReads(
  primary: Database,
  replica: Replica,
  onRead: (from: ReadFrom) => void,
): Database {
  let checked: { readonly atMs: number; readonly isGood: Promise<boolean> } | undefined

  function mayAnswer(): Promise<boolean> {
    const now = performance.now()
    if (checked === undefined || now - checked.atMs > CHECKED_FOR_MS) {
      checked = { atMs: now, isGood: replica.hasCaughtUp() }
    }
    return checked.isGood
  }

  async function read<T>(from: (db: Database) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (await mayAnswer()) {
      try {
        const answer = await from(replica.db)
        onRead('replica')
        return answer
      } catch (error) {
        if (signal?.aborted === true || isCanceled(error)) throw error
        if (isDatabaseAway(error)) replica.giveRest(error)
      }
    }
    onRead('primary')
    const answer = await from(primary)
    // What follows must not be older than this.
    checked = undefined
    return answer
  }

  const snapshotUntil = (signal: AbortSignal): Snapshot => {
    return (use) => read((db) => db.snapshotUntil(signal)(use), signal)
  }
  return {
    ...primary,
    ask: (statement, input) => read((db) => db.ask(statement, input)),
    queryHot: (...statement) => read((db) => db.queryHot(...statement)),
    query: (...statement) => read((db) => db.query(...statement)),
    queryUntil: (signal) => {
      return (...statement) => read((db) => db.queryUntil(signal)(...statement), signal)
    },
    snapshot: (use) => read((db) => db.snapshot(use)),
    snapshotUntil,
  }
}
