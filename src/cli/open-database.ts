// The beginning of every command: the database server, and the check of its schema. The embedded
// one is started, or joined if another process runs it.

import type { Config } from '../config.ts'
import { assertReplica } from '../db/assert-replica.ts'
import { assertSessions } from '../db/assert-sessions.ts'
import { assertInstalled, goneError, openEmbedded, unlessGone } from '../db/embedded/index.ts'
import { assertMigrated, migrate } from '../db/migrate.ts'

export interface DatabaseServer {
  readonly url: string
  /** Resolves if the embedded database ends unexpectedly. Undefined if there is none. */
  readonly gone: Promise<Error> | undefined
  stop(): Promise<void>
}

export interface DatabaseServerOptions {
  /**
   * `owner`: the service itself. `guest`: a command or an additional process, with or without a
   * running service.
   */
  readonly role: 'owner' | 'guest'
  /**
   * True for a guest that may create the embedded database. All others refuse, so that a wrong
   * DATA_DIR does not look like an empty service.
   */
  readonly creates?: boolean
  /** Called when PostgreSQL has been launched and this process only waits for it. */
  readonly onLaunch?: () => void
}

export async function openDatabaseServer(
  config: Config,
  { role, creates = role === 'owner', onLaunch }: DatabaseServerOptions,
): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) {
    return { url: config.databaseUrl, gone: undefined, stop: async () => {} }
  }
  if (!creates) await assertInstalled(config.dataDir)
  const server = await openEmbedded(config.dataDir, { role, onLaunch })
  const gone = server.gone.then((ending) =>
    ending.expected ? new Promise<Error>(() => {}) : goneError(config.dataDir, ending),
  )
  return { url: server.url, gone, stop: () => server.stop() }
}

/**
 * Only `start`, `api`, `worker` and `migrate` migrate. Other commands need the schema of this
 * version: `exactly`, or `at least`. Migrations only add, so that statements of an old version
 * work in a newer database, and in an emergency during an update its commands must too. `any` is
 * for the doctor, which says what is pending.
 */
export type SchemaUse = 'migrate' | 'exactly' | 'at least' | 'any'

/** Returns the names of the migrations that this call applied. */
export async function prepareDatabase(
  { databaseUrl, readDatabaseUrl }: Config,
  server: DatabaseServer,
  use: SchemaUse,
): Promise<readonly string[]> {
  if (databaseUrl !== undefined) await assertSessions(server.url)
  if (readDatabaseUrl !== undefined && use === 'migrate') {
    await assertReplica(server.url, readDatabaseUrl)
  }
  if (use === 'migrate') return unlessGone(migrate(server.url), server.gone)
  if (use !== 'any') await unlessGone(assertMigrated(server.url, use), server.gone)
  return []
}
