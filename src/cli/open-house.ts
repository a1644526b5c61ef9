// What every command begins with: settings, a database that is up to date, and a world over it.

import { type Config, readConfig } from '../config.ts'
import { SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { openEmbedded } from '../db/embedded/index.ts'
import { openLog } from '../log.ts'
import { packageVersion } from '../package.ts'
import { openTracer } from '../telemetry/open-tracer.ts'
import { noTracer } from '../telemetry/tracer.ts'
import type { Parts, World } from '../world.ts'

export interface House {
  readonly world: World
  readonly databaseUrl: string
  /** Migrations that this process found missing and applied. */
  readonly applied: readonly string[]
  /** Resolves when the embedded database ended under us; never, where it is somebody else's. */
  readonly databaseGone: Promise<string>
  close(): Promise<void>
}

/** Connections close within milliseconds, but for one that waits for what never comes. */
const CLOSE_MS = 5 * SECOND

export interface HouseOptions {
  /**
   * `owner`: the service itself. `guest`: a command or a further process, beside a running service
   * or alone.
   */
  readonly role: 'owner' | 'guest'
  /** Of a command that a person reads: what goes wrong, on standard error. */
  readonly quiet?: boolean
  /** What tests put in the place of the real thing. */
  readonly parts?: Pick<Parts, 'clock' | 'timings' | 'withGateway'>
}

export async function openHouse(options: HouseOptions): Promise<House> {
  const config = readConfig()
  // The database starts while the rest of the code is still being read.
  const log = logOf(config, options)
  const [server, { openWorld }, tracer, { migrate }, { migrateQueues }] = await Promise.all([
    openDatabaseServer(config, options.role),
    import('../world.ts'),
    // What a command does is over before anybody could look at it.
    options.quiet === true ? noTracer : openTracer(config, packageVersion(), log),
    import('../db/migrate.ts'),
    import('../queue/migrate-queues.ts'),
  ])
  try {
    const applied = await migrate(server.url)
    if (config.redis === undefined) await migrateQueues(server.url)
    const world = openWorld({ config, databaseUrl: server.url, log, tracer, ...options.parts })
    return {
      world,
      databaseUrl: server.url,
      applied,
      databaseGone: server.gone,
      async close() {
        const isClosed = await isDoneWithin(CLOSE_MS, world.close())
        if (!isClosed) world.log.warn('connections did not close in time')
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

interface DatabaseServer {
  readonly url: string
  readonly gone: Promise<string>
  stop(): Promise<void>
}

async function openDatabaseServer(
  config: Config,
  role: 'owner' | 'guest',
): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) {
    return { url: config.databaseUrl, gone: new Promise(() => {}), stop: async () => {} }
  }
  const server = await openEmbedded(config.dataDir, { role })
  const gone = server.gone.then(({ expected, detail }) =>
    expected ? new Promise<string>(() => {}) : detail,
  )
  return { url: server.url, gone, stop: () => server.stop() }
}

function logOf(config: Config, { quiet }: HouseOptions) {
  if (quiet !== true) return openLog(config.logLevel)
  return openLog('warn', process.stderr)
}
