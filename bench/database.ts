// A PostgreSQL of the benchmark's own, the one that the service brings, which can count statements
// on request.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { clusterOf } from '../src/db/embedded/cluster.ts'
import { openEmbedded } from '../src/db/embedded/index.ts'
import { readPostmaster } from '../src/db/embedded/postmaster.ts'
import type { Cleanups } from './cleanups.ts'

export interface BenchDatabase {
  readonly url: string
  readonly superuserUrl: string
  readonly pid: number
  readonly client: pg.Client
}

export async function temporaryFolder(cleanups: Cleanups): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-bench-'))
  cleanups.add(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Loads the extension without counting. The server reads the setting at its next start. */
export async function prepareCounting(dataDir: string): Promise<void> {
  const server = await openEmbedded(dataDir, { role: 'owner' })
  try {
    const client = await connected(server.superuserUrl)
    const { rowCount } = await client.query(
      `SELECT FROM pg_available_extensions WHERE name = 'pg_stat_statements'`,
    )
    if (rowCount === 1) {
      await client.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`)
    }
    await client.end()
  } finally {
    await server.stop()
  }
}

/** Starts the database here, or joins it if the service runs it. */
export async function openDatabase(
  dataDir: string,
  role: 'owner' | 'guest',
  cleanups: Cleanups,
): Promise<BenchDatabase> {
  const server = await openEmbedded(dataDir, { role })
  cleanups.add(() => server.stop())
  const client = await connected(server.superuserUrl)
  cleanups.add(() => client.end())
  const postmaster = await readPostmaster(await clusterOf(dataDir))
  const { url, superuserUrl } = server
  return { url, superuserUrl, pid: postmaster?.pid ?? 0, client }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {}) // the service stops its server at the end
  await client.connect()
  return client
}
