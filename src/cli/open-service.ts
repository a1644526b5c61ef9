// The beginning of every command: reads the settings, updates the database and opens a world.

import type { Logger } from 'pino'
import { type Config, readConfig } from '../config.ts'
import { SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { assertSessions } from '../db/assert-sessions.ts'
import { assertInstalled, goneError, openEmbedded, unlessGone } from '../db/embedded/index.ts'
import { openLog } from '../log.ts'
import { packageVersion } from '../package.ts'
import { noTracer, openTracer } from '../telemetry/tracer.ts'
import type { World, WorldParts } from '../world.ts'

export interface Service {
  readonly world: World
  readonly databaseUrl: string
  /** Migrations that this process applied. */
  readonly applied: readonly string[]
  /** Resolves if the embedded database ends unexpectedly. Undefined if another process owns it. */
  readonly databaseGone: Promise<Error> | undefined
  close(): Promise<void>
}

/** Connections close within milliseconds, except one that waits forever. */
const CLOSE_MS = 5 * SECOND

export interface ServiceOptions {
  /**
   * `owner`: the service itself. `guest`: a command or an additional process, with or without a
   * running service.
   */
  readonly role: 'owner' | 'guest'
  /**
   * True for a guest that may create the embedded database. All others refuse, so that a wrong
   * DATA_DIR does not look like an empty service.
   */
  readonly creates?: boolean
  /** For a long-running process. A command only reports failures, on standard error. */
  readonly log?: Logger
  /** Replacements in tests. */
  readonly parts?: Pick<WorldParts, 'clock' | 'readHost' | 'timings' | 'withGateway'>
  /** Rejects when the process must end, even if the service is not open yet. */
  readonly ended?: Promise<never>
}

export async function openService(options: ServiceOptions): Promise<Service> {
  const config = readConfig()
  // The database starts while the rest of the code is being loaded.
  const log = options.log ?? openLog('warn', process.stderr)
  const [server, { openWorld }, tracer, { migrate }, { migrateQueues }] = await Promise.all([
    openDatabaseServer(config, options),
    import('../world.ts'),
    // A command ends before anybody could look at its traces.
    options.log === undefined ? noTracer : openTracer(config, packageVersion(), log),
    import('../db/migrate.ts'),
    import('../queue/postgres-engine.ts'),
  ])
  const { ended = new Promise<never>(() => {}) } = options
  const unlessEnded = <T>(step: Promise<T>): Promise<T> =>
    Promise.race([ended, unlessGone(step, server.gone)])
  try {
    if (config.databaseUrl !== undefined) await unlessEnded(assertSessions(server.url))
    const applied = await unlessEnded(migrate(server.url))
    if (config.redis === undefined) await unlessEnded(migrateQueues(server.url))
    const world = openWorld({ config, databaseUrl: server.url, log, tracer, ...options.parts })
    await unlessEnded(world.clock.measure())
    return {
      world,
      databaseUrl: server.url,
      applied,
      databaseGone: server.gone,
      async close() {
        try {
          const isClosed = await isDoneWithin(CLOSE_MS, world.close())
          if (!isClosed) world.log.warn('connections did not close in time')
        } finally {
          await server.stop()
        }
      },
    }
  } catch (error) {
    // The first failure is the one to report.
    await server.stop().catch(() => {})
    throw error
  }
}

/** For a command: opens a world, and closes it in every case. */
export async function withWorld(act: (world: World) => Promise<void>): Promise<void> {
  const service = await openService({ role: 'guest' })
  try {
    await act(service.world)
  } finally {
    await service.close()
  }
}

interface DatabaseServer {
  readonly url: string
  readonly gone: Promise<Error> | undefined
  stop(): Promise<void>
}

async function openDatabaseServer(
  config: Config,
  { role, creates = role === 'owner' }: ServiceOptions,
): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) {
    return { url: config.databaseUrl, gone: undefined, stop: async () => {} }
  }
  if (!creates) await assertInstalled(config.dataDir)
  const server = await openEmbedded(config.dataDir, { role })
  const gone = server.gone.then((ending) =>
    ending.expected ? new Promise<Error>(() => {}) : goneError(config.dataDir, ending),
  )
  return { url: server.url, gone, stop: () => server.stop() }
}
