// The database role of the service. It owns its database and everything in it, but has no rights on
// the server, its files or other databases. The superuser that initdb makes is used only to create
// this role.
//
// Role and ownership are set in one transaction, so a role that can sign in owns everything. This
// also holds in folders that are older than the role, and after an older version has used the
// folder again.

import { createHmac } from 'node:crypto'
import pg from 'pg'
import { withClient } from '../client.ts'
import { DATABASE } from './cluster.ts'

const SERVICE_ROLE = 'lamplighter'

/** Any number that no other lock of ours uses. */
const ROLE_LOCK = 72_707_373

/** The role does not exist, or has another password. */
const NOT_LET_IN: readonly (string | undefined)[] = ['28P01', '28000']

/** Objects of other owners, except those of PostgreSQL itself and of extensions. */
const OTHERS = `
  SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S')
    AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND c.relowner <> current_user::regrole
    AND NOT EXISTS (SELECT FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  LIMIT 1`

/** Sequences and indexes follow their tables. Objects of extensions keep their owner. */
const HAND_OVER = `
  DO $hand_over$
  DECLARE statement text;
  BEGIN
    FOR statement IN
      WITH own AS (
        SELECT oid, nspname FROM pg_namespace
        WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
      ), bound AS (
        SELECT classid, objid FROM pg_depend WHERE deptype IN ('e', 'a', 'i')
      ), handed AS (
        SELECT 1 AS rank, format('SCHEMA %I', own.nspname) AS what
        FROM own WHERE own.nspname <> 'public'
        UNION ALL
        SELECT 2, format('%s %s', CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm'
          THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass)
        FROM pg_class c JOIN own ON own.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S')
          AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM bound)
        UNION ALL
        SELECT 3, format('ROUTINE %s', p.oid::regprocedure)
        FROM pg_proc p JOIN own ON own.oid = p.pronamespace
        WHERE ('pg_proc'::regclass, p.oid) NOT IN (SELECT classid, objid FROM bound)
        UNION ALL
        SELECT 4, format('%s %s', CASE t.typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END,
          t.oid::regtype)
        FROM pg_type t JOIN own ON own.oid = t.typnamespace
        WHERE t.typtype IN ('e', 'd', 'r')
          AND ('pg_type'::regclass, t.oid) NOT IN (SELECT classid, objid FROM bound)
      )
      SELECT format('ALTER %s OWNER TO ${SERVICE_ROLE}', what) FROM handed ORDER BY rank
    LOOP
      EXECUTE statement;
    END LOOP;
  END
  $hand_over$`

/** Returns the URL by which the service connects to its database. */
export async function openServiceRole(superuserUrl: string): Promise<string> {
  const url = serviceUrlOf(superuserUrl)
  if (!(await ownsAll(url))) await makeRole(superuserUrl, url.password)
  return url.href
}

/** Derived from the superuser's password, without revealing it. */
function serviceUrlOf(superuserUrl: string): URL {
  const url = new URL(superuserUrl)
  url.username = SERVICE_ROLE
  url.password = createHmac('sha256', decodeURIComponent(url.password))
    .update(SERVICE_ROLE)
    .digest('base64url')
  return url
}

async function ownsAll(url: URL): Promise<boolean> {
  try {
    return await withClient(url.href, async (client) => {
      const { rowCount } = await client.query(OTHERS)
      return rowCount === 0
    })
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOT_LET_IN.includes(error.code)) return false
    throw error
  }
}

/** Processes that come at the same time wait for the first, and find the role complete. */
async function makeRole(superuserUrl: string, password: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [ROLE_LOCK])
    const known = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE_ROLE])
    const rights = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '${password}'`
    const verb = known.rowCount === 0 ? 'CREATE' : 'ALTER'
    await client.query(`${verb} ROLE ${SERVICE_ROLE} ${rights}`)
    await client.query(`ALTER DATABASE ${DATABASE} OWNER TO ${SERVICE_ROLE}`)
    await client.query(HAND_OVER)
    await client.query('COMMIT')
  })
}
