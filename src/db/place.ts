// Where a database is, in words that may be printed and logged: no user and no password.

import pg from 'pg'

/** As the driver reads the address, with its defaults for what the address leaves out. */
export function placeOf(databaseUrl: string): string {
  const { host, port, database } = new pg.Client({ connectionString: databaseUrl })
  return `${database} at ${host}:${port}`
}
