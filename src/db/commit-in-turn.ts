import type { Database, Query } from './database.ts'

/** One commit, which begins when those of other processes under the same lock have ended. */
export function commitInTurn<T>(
  db: Pick<Database, 'commit'>,
  about: string,
  lock: number,
  act: (query: Query) => Promise<T>,
): Promise<T> {
  return db.commit(about, async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [lock])
    return act(query)
  })
}
