// `author <name>`: writes the migration that leads from the last one to prisma/schema.prisma.
// `check`: the schema and its migrations agree, and so does a database that the service made. Both
// need only the packages, which include PostgreSQL and Prisma's engine.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../src/db/embedded/index.ts'
import { toSchemaFromDatabase, toSchemaFromMigrations } from './schema/differences.ts'

const PRISMA = join(import.meta.dirname, '..', 'prisma')

async function check(url: string): Promise<void> {
  const missing = await toSchemaFromMigrations(url, PRISMA)
  if (missing !== '') throw new Error(`no migration makes this of the schema:\n${missing}`)
  const wrong = await toSchemaFromDatabase(url, PRISMA)
  if (wrong !== '') throw new Error(`a migrated database lacks this of the schema:\n${wrong}`)
  console.log('The schema, its migrations and a migrated database agree.')
}

async function author(url: string, name: string | undefined): Promise<void> {
  if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new Error('say what it does: npm run migration -- add_invoices')
  }
  const sql = await toSchemaFromMigrations(url, PRISMA)
  if (sql === '') return console.log('There is nothing to do: the migrations make this schema.')
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = join(PRISMA, 'migrations', `${stamp}_${name}`)
  await mkdir(folder)
  await writeFile(join(folder, 'migration.sql'), sql)
  console.log(`${folder}/migration.sql: read it, and add what Prisma has no words for.`)
}

async function onPrivateServer(act: (url: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-schema-'))
  const server = await openEmbedded(folder, { role: 'owner' })
  try {
    await act(server.superuserUrl)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const [command, name] = process.argv.slice(2)
try {
  await onPrivateServer((url) => (command === 'author' ? author(url, name) : check(url)))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
