// The service as a newcomer has it: `start`, with its own PostgreSQL, where the queues live too.

import type { Cleanups } from './cleanups.ts'
import { openDatabase, prepareCounting, temporaryFolder } from './database.ts'
import type { House } from './house.ts'
import { startService } from './service.ts'

export async function openEmbeddedHouse(cleanups: Cleanups): Promise<House> {
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
