// Every command begins here. It reads the settings, brings the database up to date and opens a
// world.

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
  /** Migrations that this process found missing and applied. */
  readonly applied: readonly string[]
  /** Resolves when the embedded database ended under us; undefined where it is somebody else's. */
  readonly databaseGone: Promise<Error> | undefined
  close(): Promise<void>
}

/** Connections close within milliseconds, but for one that waits for what never comes. */
const CLOSE_MS = 5 * SECOND

export interface ServiceOptions {
  /**
   * `owner`: the service itself. `guest`: a command or a further process, beside a running service
   * or alone.
   */
  readonly role: 'owner' | 'guest'
  /**
   * A guest that makes the embedded database where there is none. All others refuse: a wrong
   * DATA_DIR is not to look like an empty service.
   */
  readonly creates?: boolean
  /** Of a process that stays. A command says only what goes wrong, on standard error. */
  readonly log?: Logger
  /** What tests put in the place of the real thing. */
  readonly parts?: Pick<WorldParts, 'clock' | 'readHost' | 'timings' | 'withGateway'>
  /** Rejects when the process has to end, be the service open by then or not. */
  readonly ended?: Promise<never>
}

export async function openService(options: ServiceOptions): Promise<Service> {
  const config = readConfig()
  // The database starts while the rest of the code is still being read.
  const log = options.log ?? openLog('warn', process.stderr)
  const [server, { openWorld }, tracer, { migrate }, { migrateQueues }] = await Promise.all([
    openDatabaseServer(config, options),
    import('../world.ts'),
    // What a command does is over before anybody could look at it.
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
    // What went wrong first is what is told.
    await server.stop().catch(() => {})
    throw error
  }
}

/** For a command: opens a world, and closes it whatever the command does. */
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
