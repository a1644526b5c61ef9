// The data of a PostgreSQL with all migrations. A run of the tests makes them once, since that takes
// a second of CPU, and each of its servers starts on a copy.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openEmbedded } from '../../src/db/embedded/index.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrateQueues } from '../../src/queue/postgres-engine.ts'

export interface MigratedCluster {
  /** For the service's own role; the port is that of a server that has ended. */
  readonly url: string
  readonly superuserUrl: string
}

/** The processes of the run inherit it; without it, each cluster is made from nothing. */
export const CLUSTER_FOLDER = 'LAMPLIGHTER_CLUSTER'

const URLS = 'urls.json'

/** Makes `postgres` in the folder. */
export async function makeMigratedCluster(folder: string): Promise<MigratedCluster> {
  const template = process.env[CLUSTER_FOLDER]
  if (template === undefined) return await migrated(folder)
  const urls = (await readUrls(template)) ?? (await makeTemplate(template))
  // With their owner: as root, PostgreSQL runs as another user.
  await promisify(execFile)('cp', ['-Rp', join(template, 'postgres'), join(folder, 'postgres')])
  return urls
}

/** Several processes may make it at once; the first one that has it ready wins. */
async function makeTemplate(template: string): Promise<MigratedCluster> {
  const draft = await mkdtemp(`${template}-`)
  const urls = await migrated(draft)
  await writeFile(join(draft, URLS), JSON.stringify(urls))
  const isFirst = await rename(draft, template).then(
    () => true,
    () => false,
  )
  if (isFirst) return urls
  await rm(draft, { recursive: true, force: true })
  const firsts = await readUrls(template)
  if (firsts === undefined) throw new Error(`there is no cluster in ${template}`)
  return firsts
}

async function readUrls(template: string): Promise<MigratedCluster | undefined> {
  const text = await readFile(join(template, URLS), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

async function migrated(folder: string): Promise<MigratedCluster> {
  const server = await openEmbedded(folder, { role: 'owner' })
  await migrate(server.url)
  await migrateQueues(server.url)
  await server.stop()
  return { url: server.url, superuserUrl: server.superuserUrl }
}
