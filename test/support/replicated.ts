// A database of a test's own with a standby that follows it.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMigratedCluster } from '../chaos/migrated-cluster.ts'
import { type PostgresServer, startPostgres, startReplica } from '../chaos/postgres-server.ts'

export interface Replicated extends AsyncDisposable {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  /** For the service's own role. */
  urlOf(server: PostgresServer): string
  /** Another standby of the primary. */
  another(): Promise<PostgresServer>
  /** The standby again, after its end. */
  restarted(): Promise<PostgresServer>
}

/** A killed server's last processes write for a moment after it. */
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const

export async function openReplicated(): Promise<Replicated> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-replicated-'))
  const { url, superuserUrl } = await makeMigratedCluster(folder)
  const servers: PostgresServer[] = []
  const opened = async (server: Promise<PostgresServer>) => {
    servers.unshift(await server)
    return server
  }
  const primary = await opened(startPostgres(join(folder, 'postgres'), superuserUrl))
  const another = () =>
    opened(startReplica(primary, join(folder, `standby-${servers.length}`), superuserUrl))
  const standby = await another()
  return {
    primary,
    standby,
    urlOf({ port }) {
      const own = new URL(url)
      own.port = String(port)
      return own.href
    },
    another,
    restarted: () => opened(startPostgres(standby.folder, superuserUrl, standby.port)),
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.end('SIGKILL')
      await rm(folder, REMOVE)
    },
  }
}
