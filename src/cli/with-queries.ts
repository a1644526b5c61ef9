// For commands that only read and write rows. They load no Prisma, queue, gateway or provider, so
// they answer in about a third of the time that a whole world takes to load.

import { adminAddressOf, type Config, readConfig } from '../config.ts'
import { openQueries, type Queries } from '../db/queries.ts'
import { openLog } from '../log.ts'
import { sharedClock } from '../outside/clock.ts'
import { newId } from '../outside/identity.ts'
import type { World, WritingWorld } from '../world.ts'
import { openDatabaseServer, prepareDatabase } from './open-database.ts'

/** Opens the whole world on the same server, for the part of a command that needs it. */
export type InWorld = (act: (world: World) => Promise<void>) => Promise<void>

/** Opens connections for statements, and closes them in every case. */
export async function withQueries(
  act: (world: WritingWorld & { readonly db: Queries }, inWorld: InWorld) => Promise<void>,
): Promise<void> {
  const config = readConfig()
  const server = await openDatabaseServer(config, { role: 'guest' })
  try {
    await prepareDatabase(config, server, 'at least')
    const log = openLog('warn', process.stderr)
    const onError = (err: Error) => log.warn({ err }, 'a connection to the database broke')
    const db = openQueries(server.url, onError)
    const inWorld: InWorld = async (actInWorld) => {
      const { withWorld } = await import('./open-service.ts')
      await withWorld(actInWorld, { server: { ...server, stop: async () => {} } })
    }
    try {
      await act(await worldOf(config, db), inWorld)
    } finally {
      await db.close()
    }
  } finally {
    await server.stop()
  }
}

async function worldOf(config: Config, db: Queries) {
  const clock = sharedClock(db)
  await clock.measure()
  return {
    config,
    db,
    clock,
    newId: () => newId(clock.databaseNow().getTime()),
    adminAddress: () => adminAddressOf(config),
  }
}
