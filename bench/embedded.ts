// The service of a newcomer: `start`, with its own PostgreSQL, which also holds the queues.

import type { Cleanups } from './cleanups.ts'
import { openDatabase, prepareCounting, temporaryFolder } from './database.ts'
import type { MeasuredService } from './measured-service.ts'
import { startService } from './service.ts'

export async function openEmbeddedService(cleanups: Cleanups): Promise<MeasuredService> {
  const folder = await temporaryFolder(cleanups)
  await prepareCounting(folder)
  const start = await startService('start', ['start'], { DATA_DIR: folder }, folder, cleanups)
  const database = await openDatabase(folder, 'guest', cleanups)
  return {
    name: 'embedded',
    title: 'The embedded default: one process, and the PostgreSQL that it brings',
    services: [start],
    worker: 'start',
    database,
    store: { kind: 'postgres', databaseUrl: database.url },
    others: [],
    queueTrips: undefined,
  }
}
