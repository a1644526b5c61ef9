// A change of a row that others may change at the same moment: it is made on what the row is,
// never on what it was.
//
//   read      the row with its version; unknown or deleted: say so
//   write     the next version, its event with it, `where: { version }` of the one that was read
//               somebody was first: nothing is written, and all of it begins anew

import { Refusal } from '../core/errors.ts'
import { inTurn } from '../core/turns.ts'
import type { Database } from './database.ts'
import { sqlState, UNIQUE_VIOLATION } from './failure.ts'

/** Only other processes can be first, and each time one of them is done: few are left. */
const MOST_TRIES = 20

/** Prisma found no row of that version. */
const NO_SUCH_ROW = 'P2025'

const LOST = new Set([UNIQUE_VIOLATION, '40001', '40P01']) // and serialisation failures, deadlocks

const turnsOf = new WeakMap<Database, ReturnType<typeof inTurn>>()

/**
 * `attempt` reads, and writes in one commit under the version that it read. It is called again
 * whenever somebody else was first. Changes of one row of one process wait for each other.
 */
export function retryLostRace<T>(
  db: Database,
  row: { readonly accountId: string; readonly id: string },
  attempt: () => Promise<T>,
): Promise<T> {
  const takeTurns = turnsOf.get(db) ?? inTurn()
  turnsOf.set(db, takeTurns)
  return takeTurns(`${row.accountId} ${row.id}`, () => untilWon(attempt))
}

async function untilWon<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLostRace(error)) throw error
    }
  }
  throw new Refusal('unavailable', { message: 'others keep changing this at the same moment' })
}

function isLostRace(error: unknown): boolean {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return code === NO_SUCH_ROW || LOST.has(sqlState(error) ?? '')
}
