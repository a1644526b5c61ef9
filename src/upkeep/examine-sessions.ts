// What the doctor looks at of the sessions of PostgreSQL: a transaction that stays open keeps what
// it has locked from everybody else, and the dead rows of all tables from being swept up.

import { after, MINUTE } from '../core/time-units.ts'
import type { World } from '../world.ts'
import { bad, type Finding, findingsOf, odd } from './finding.ts'
import { counted, lapse } from './words.ts'

/** Of ours none takes longer than half a minute, or says nothing for longer than ten seconds. */
const LONG_MS = MINUTE

const LONG = `
  SELECT pid, application_name AS name, state LIKE 'idle in transaction%' AS is_idle,
    xact_start AS since,
    (SELECT count(*)::integer FROM pg_stat_activity w WHERE a.pid = ANY (pg_blocking_pids(w.pid)))
      AS waiters
  FROM pg_stat_activity a
  WHERE datname = current_database() AND backend_type = 'client backend'
    AND pid <> pg_backend_pid() AND xact_start < $1
  ORDER BY xact_start`

export async function examineSessions({ db, clock }: World): Promise<readonly Finding[]> {
  const now = clock.now()
  const rows = await db.query(LONG, [after(now, -LONG_MS)])
  const faults = rows.map(({ pid, name, is_idle, since, waiters }) => {
    const age = lapse(now.getTime() - since.getTime())
    const what = is_idle ? 'has been idle in a transaction' : 'has been in one transaction'
    const held = waiters > 0 ? `, and ${counted(waiters, 'other waits', 'others wait')} for it` : ''
    const says = `session ${pid} (${name || 'without a name'}) ${what} for ${age}${held}`
    const ending = `SELECT pg_terminate_backend(${pid});`
    const remedy = `See what it is about in pg_stat_activity; ${ending} ends it.`
    return is_idle || waiters > 0 ? bad(says, remedy) : odd(says, remedy)
  })
  return findingsOf('sessions', 'no transaction is open for long', faults)
}
