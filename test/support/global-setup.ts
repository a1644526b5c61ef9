// One PostgreSQL for the whole run, private and on a free port, with a template from which every
// test's database is cloned.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/db/embedded/index.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrateQueues } from '../../src/queue/postgres-engine.ts'
import { CLUSTER_FOLDER } from '../chaos/migrated-cluster.ts'
import { buildProcesses } from './built.ts'
import { memoryFolder } from './memory-folder.ts'
import { TEMPLATE } from './postgres.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await memoryFolder('lamplighter-test-')
  // The servers of some tests run as another user, who must be able to enter it.
  await chmod(folder, 0o755)
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  process.env[CLUSTER_FOLDER] = join(folder, 'cluster')
  const [removeBuilt, server] = await Promise.all([buildProcesses(), openServer()])
  project.provide('adminUrl', server.superuserUrl)
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    removeBuilt()
    delete process.env[CLUSTER_FOLDER]
    restore({ TMPDIR })
  }
}

function restore({ TMPDIR }: { readonly TMPDIR: string | undefined }): void {
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
}

async function openServer() {
  const server = await openEmbedded(await mkdtemp(join(tmpdir(), 'databases-')), { role: 'owner' })
  await makeTemplate(server.superuserUrl)
  return server
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = new pg.Client(adminUrl)
  await admin.connect()
  // It need not survive a crash of the machine: such tests have servers of their own. Without these
  // settings databases are made and dropped ten times faster.
  for (const setting of ['fsync', 'full_page_writes']) {
    await admin.query(`ALTER SYSTEM SET ${setting} = off`)
  }
  await admin.query('SELECT pg_reload_conf()')
  // A password is derived at each connection, at both ends: one iteration is enough without a
  // secret.
  await admin.query('SET scram_iterations = 1')
  const { username, password } = new URL(adminUrl)
  await admin.query(`ALTER ROLE ${username} PASSWORD '${password}'`)
  await admin.query(`CREATE DATABASE ${TEMPLATE}`)
  await admin.end()
  const template = new URL(adminUrl)
  template.pathname = TEMPLATE
  await migrate(template.href)
  await migrateQueues(template.href)
}
