// For commands that only read and write rows. They load no queue, gateway or provider, so they
// answer in about a third of the time that a whole world takes to load.

import { adminAddressOf, type Config, readConfig } from '../config.ts'
import type { Database } from '../db/database.ts'
import { openQueries, type Queries } from '../db/queries.ts'
import { openLog } from '../log.ts'
import { type SharedClock, sharedClock } from '../outside/clock.ts'
import { newId } from '../outside/identity.ts'
import type { World, WritingWorld } from '../world.ts'
import { type DatabaseServer, openDatabaseServer, prepareDatabase } from './open-database.ts'

interface Connected {
  readonly config: Config
  readonly server: DatabaseServer
  readonly onError: (error: Error) => void
}

/** Opens the whole world on the same server, for the part of a command that needs it. */
export type InWorld = (act: (world: World) => Promise<void>) => Promise<void>

/** Opens connections for statements, without Prisma, and closes them in every case. */
export function withQueries(
  act: (world: WritingWorld & { readonly db: Queries }, inWorld: InWorld) => Promise<void>,
): Promise<void> {
  return whileConnected(async ({ config, server, onError }) => {
    const queries = openQueries(server.url, onError)
    const inWorld: InWorld = async (actInWorld) => {
      const { withWorld } = await import('./open-service.ts')
      await withWorld(actInWorld, { server: { ...server, stop: async () => {} } })
    }
    try {
      const clock = await measured(queries)
      await act({ db: queries, ...partsOf(config, clock) }, inWorld)
    } finally {
      await queries.close()
    }
  })
}

function partsOf(config: Config, clock: SharedClock) {
  return {
    config,
    clock,
    newId: () => newId(clock.databaseNow().getTime()),
    adminAddress: () => adminAddressOf(config),
  }
}

async function whileConnected(act: (connected: Connected) => Promise<void>): Promise<void> {
  const config = readConfig()
  const server = await openDatabaseServer(config, { role: 'guest' })
  try {
    await prepareDatabase(config, server, 'at least')
    const log = openLog('warn', process.stderr)
    const onError = (err: Error) => log.warn({ err }, 'a connection to the database broke')
    await act({ config, server, onError })
  } finally {
    await server.stop()
  }
}

async function measured({ query }: Pick<Database, 'query'>): Promise<SharedClock> {
  const clock = sharedClock({ query })
  await clock.measure()
  return clock
}
