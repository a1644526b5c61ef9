// `lamplighter migrate` applies missing migrations. Every start does the same.

import { readConfig } from '../config.ts'
import { openDatabaseServer, prepareDatabase } from './open-database.ts'
import { type Output, printOne } from './output.ts'

export async function migrateCommand(options: Output): Promise<void> {
  const config = readConfig()
  const server = await openDatabaseServer(config, { role: 'guest', creates: true })
  try {
    const applied = await prepareDatabase(config, server)
    if (config.redis === undefined) {
      const { migrateQueues } = await import('../queue/postgres-engine.ts')
      await migrateQueues(server.url)
    }
    printOne({ database: 'up to date', applied }, options)
  } finally {
    await server.stop()
  }
}
