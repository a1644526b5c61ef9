// Describes where a database is, without user and password, so that it may be printed and logged.

import pg from 'pg'

/** As the driver reads the address, with defaults for missing parts. */
export function databaseAddress(databaseUrl: string): string {
  const { host, port, database } = new pg.Client({ connectionString: databaseUrl })
  return `${database} at ${host}:${port}`
}
