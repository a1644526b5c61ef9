// `lamplighter migrate` applies missing migrations. `start`, `api` and `worker` do the
// same. `--status` only lists them.

import { readConfig } from '../config.ts'
import { readSchemaState } from '../db/migrate.ts'
import { openDatabaseServer, prepareDatabase } from './open-database.ts'
import { type Output, printOne } from './output.ts'

interface MigrateOptions extends Output {
  readonly status?: boolean
}

export async function migrateCommand({ status = false, ...output }: MigrateOptions): Promise<void> {
  const config = readConfig()
  const server = await openDatabaseServer(config, { role: 'guest', creates: !status })
  try {
    if (status) return printOne(await statusOf(server.url), output)
    const applied = await prepareDatabase(config, server, 'migrate')
    if (config.redis === undefined) {
      const { migrateQueues } = await import('../queue/postgres-engine.ts')
      await migrateQueues(server.url)
    }
    printOne({ database: 'up to date', applied }, output)
  } finally {
    await server.stop()
  }
}

async function statusOf(databaseUrl: string): Promise<object> {
  const { pending, unknown } = await readSchemaState(databaseUrl)
  const isOlder = pending.length > 0
  const database = isOlder ? 'older' : unknown.length > 0 ? 'newer' : 'up to date'
  return { database, pending, unknown }
}
