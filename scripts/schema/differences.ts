// The differences between prisma/schema.prisma and the migrations.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  DiagnoseMigrationHistoryOutput,
  MigrationList,
  SchemaEngine,
} from '@prisma/schema-engine-wasm'
import { migrate } from '../../src/db/migrate.ts'
import { openEngine } from './engine.ts'

type DiffTarget = Parameters<SchemaEngine['diff']>[0]['from']

const NOTHING_LEFT_OUT = { externalTables: [], externalEnums: [] }

/** The SQL that leads from the migrations to the schema; empty when they agree. */
export async function toSchemaFromMigrations(url: string, prismaFolder: string): Promise<string> {
  const migrations = { tag: 'migrations' as const, ...(await migrationsIn(prismaFolder)) }
  return diff(url, migrations, await schemaIn(prismaFolder))
}

/** The SQL that leads from a database that our own migrator made to the schema. */
export async function toSchemaFromDatabase(url: string, prismaFolder: string): Promise<string> {
  await migrate(url, join(prismaFolder, 'migrations'))
  const live = { ...(await schemaIn(prismaFolder)), tag: 'schemaDatasource', configDir: '' }
  return diff(url, live as DiffTarget, await schemaIn(prismaFolder))
}

/** The result of Prisma's tools for a database's ledger: no history if all is applied. */
export async function diagnose(
  url: string,
  prismaFolder: string,
): Promise<DiagnoseMigrationHistoryOutput> {
  const engine = await openEngine(url)
  try {
    return await engine.diagnoseMigrationHistory({
      migrationsList: await migrationsIn(prismaFolder),
      optInToShadowDatabase: false,
      filters: NOTHING_LEFT_OUT,
    })
  } finally {
    engine.free()
  }
}

async function diff(url: string, from: DiffTarget, to: DiffTarget): Promise<string> {
  const engine = await openEngine(url)
  try {
    const { exitCode, stdout } = await engine.diff({
      from,
      to,
      script: true,
      exitCode: true,
      filters: NOTHING_LEFT_OUT,
    })
    return exitCode === 0 ? '' : (stdout ?? 'they differ')
  } finally {
    engine.free()
  }
}

async function schemaIn(folder: string): Promise<DiffTarget> {
  const path = join(folder, 'schema.prisma')
  return { tag: 'schemaDatamodel', files: [{ path, content: await readFile(path, 'utf8') }] }
}

async function migrationsIn(folder: string): Promise<MigrationList> {
  const baseDir = join(folder, 'migrations')
  const lockfile = join(baseDir, 'migration_lock.toml')
  const entries = await readdir(baseDir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: await readFile(lockfile, 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.sort().map(async (path) => {
        const value = await readFile(join(baseDir, path, 'migration.sql'), 'utf8')
        const content = { tag: 'ok' as const, value }
        return { path, migrationFile: { path: 'migration.sql', content } }
      }),
    ),
  }
}
