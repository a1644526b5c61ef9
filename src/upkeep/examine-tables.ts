// What the doctor looks at of the tables: how large they are, and whether autovacuum keeps up.

import type { World } from '../world.ts'
import { bad, type Finding, findingsOf, odd } from './finding.ts'
import { size } from './words.ts'

/** Where there are as many dead rows as living ones, autovacuum should have come long ago. */
export const MANY_DEAD_ROWS = 100_000

/** PostgreSQL stops taking writes at two thousand million. */
const OLD_TRANSACTIONS = 1_500_000_000

const LARGEST = `
  SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
  WHERE relkind IN ('r', 'p')
    AND relnamespace IN ('public'::regnamespace, to_regnamespace('bullmq'))
  ORDER BY bytes DESC LIMIT 3`

const DEAD = `
  SELECT relname AS name, n_dead_tup::bigint AS dead, n_live_tup::bigint AS live, last_autovacuum
  FROM pg_stat_user_tables WHERE n_dead_tup > $1 AND n_dead_tup > n_live_tup
  ORDER BY n_dead_tup DESC`

const AGE = `
  SELECT pg_database_size(oid) AS bytes, age(datfrozenxid) AS age
  FROM pg_database WHERE datname = current_database()`

export async function examineTables(
  { db }: World,
  manyDeadRows = MANY_DEAD_ROWS,
): Promise<readonly Finding[]> {
  const largest = await db.query(LARGEST)
  const lagging = await db.query(DEAD, [manyDeadRows])
  const [whole] = await db.query(AGE)
  const parts = largest.map(({ name, bytes }) => `${name} ${size(Number(bytes))}`)
  const says = `${size(Number(whole?.bytes))}, the largest tables: ${parts.join(', ')}`
  return findingsOf('tables', says, [
    whole?.age > OLD_TRANSACTIONS
      ? bad(
          `the oldest transaction that is not frozen is ${whole?.age} back: near 2,000,000,000 all writing ends`,
          'VACUUM (FREEZE) the database now, and find what holds autovacuum up.',
        )
      : undefined,
    ...lagging.map(({ name, dead, live, last_autovacuum: last }) =>
      odd(
        `${name} has ${dead} dead rows beside ${live} living ones; autovacuum came ${last === null ? 'never' : `last at ${last.toISOString()}`}`,
        `VACUUM (ANALYZE) ${name}; and see that autovacuum is on and no session above is open for long.`,
      ),
    ),
  ])
}
