// One PostgreSQL for the whole run, private and on a free port, with a template that every test's
// database is cloned from.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/db/embedded/index.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrateQueues } from '../../src/queue/postgres-engine.ts'
import { buildProcesses } from './built.ts'
import { TEMPLATE } from './postgres.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-test-'))
  const [removeBuilt, server] = await Promise.all([buildProcesses(), openServer(folder)])
  project.provide('adminUrl', server.superuserUrl)
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    removeBuilt()
  }
}

async function openServer(folder: string) {
  const server = await openEmbedded(folder, { role: 'owner' })
  await makeTemplate(server.superuserUrl)
  return server
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = new pg.Client(adminUrl)
  await admin.connect()
  // It outlives no crash of the machine, and need not: what must survive one is tested on servers of
  // its own. Databases come and go ten times faster.
  for (const setting of ['fsync', 'full_page_writes']) {
    await admin.query(`ALTER SYSTEM SET ${setting} = off`)
  }
  await admin.query('SELECT pg_reload_conf()')
  // A password is derived at each connection, at both ends: once is enough for one that is no secret.
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
